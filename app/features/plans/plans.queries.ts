import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { PlanId, SubscriptionId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { notFoundStatuses } from '~/platform/navigation/address'
import { meQuery } from '~/platform/shell/shell.queries'
import { confirmSubscription, getPlan, getPlanProducts, getPlanShelves, getPlans, getQuote } from './plans.functions'
import type { HistoriesSearch, SubscriptionProductsSearch } from './plans.search'
import { getSubscription, getSubscriptionHistory, getSubscriptionProducts } from './subscription.functions'

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => call((s) => getPlans({ signal: s }), { signal }),
})

/** A plan by its id or code. */
export const planQuery = (key: string) =>
  queryOptions({
    queryKey: ['plans', 'one', key],
    queryFn: ({ signal }) => call((s) => getPlan({ data: { key }, signal: s }), { signal, expected: notFoundStatuses }),
  })

const productsPerPage = 24

export const planProductsQuery = (key: string, page: number) =>
  queryOptions({
    queryKey: ['plans', 'products', key, page],
    queryFn: ({ signal }) =>
      call((s) => getPlanProducts({ data: { key, page, size: productsPerPage }, signal: s }), {
        signal,
        expected: notFoundStatuses,
      }),
    placeholderData: keepPreviousData,
  })

/** How many products of each plan stand beside each other. */
const shelfSize = 10

export const planShelvesQuery = queryOptions({
  queryKey: ['plans', 'shelves'],
  queryFn: ({ signal }) => call((s) => getPlanShelves({ data: { size: shelfSize }, signal: s }), { signal }),
})

export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: ({ signal }) => call((s) => getSubscription({ signal: s }), { signal }),
})

export const subscriptionProductsQuery = (search: SubscriptionProductsSearch) =>
  queryOptions({
    queryKey: ['subscription', 'products', search],
    queryFn: ({ signal }) =>
      call((s) => getSubscriptionProducts({ data: { ...search, size: productsPerPage }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

const eventsPerPage = 20

export const historyQuery = (search: HistoriesSearch) =>
  queryOptions({
    queryKey: ['subscription', 'history', search],
    queryFn: ({ signal }) =>
      call((s) => getSubscriptionHistory({ data: { ...search, size: eventsPerPage }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

/** The price of a change of plan, as it would be now. */
export const quoteQuery = (planId: PlanId) =>
  queryOptions({
    queryKey: ['subscription', 'quote', planId],
    queryFn: ({ signal }) =>
      call((s) => getQuote({ data: { planId }, signal: s }), { signal, expected: [404, 409, 502] }),
  })

/** How long to wait before each next question, in milliseconds. After the last one the page stops asking. */
const backOff = [1_000, 1_500, 2_500, 4_000, 6_000, 9_000, 12_000]

/** The page has asked as often as it makes sense without being told to. */
export const hasStoppedAsking = (answers: number) => answers > backOff.length

/** A subscription on its way back from the provider: asked for again with growing pauses while it is settled. */
export const planResultQuery = (id: SubscriptionId) =>
  queryOptions({
    queryKey: ['plan-result', id],
    queryFn: ({ signal }) =>
      call((s) => confirmSubscription({ data: { id }, signal: s }), { signal, expected: [404, 409, 502] }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.result === 'WAITING' ? (backOff[state.dataUpdateCount - 1] ?? false) : false,
  })

/** What a change of the subscription makes untrue. */
const touched = ['subscription', 'plans', 'cards', 'products', 'product', 'product-to-watch', 'paid-products']

/** Who one is here and every badge that says so, after the subscription has changed. */
export async function refreshSubscription(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(meQuery),
    ...touched.map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  ])
}

/** Settles the subscription before the page is shown. One that is not the member's is said on the page. */
export async function loadPlanResult(queryClient: QueryClient, id: SubscriptionId | undefined): Promise<void> {
  if (!id) return
  const answer = await queryClient.fetchQuery(planResultQuery(id)).catch((error: unknown) => {
    if (!problemOf(error)) throw error
  })
  if (answer?.result === 'ACTIVE') await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
}
