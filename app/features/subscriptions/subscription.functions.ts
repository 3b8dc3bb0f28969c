import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { sortOption } from '#contract/enumerations.ts'
import {
  cardId,
  idempotencyKey,
  type PlanId,
  planId,
  quoteId,
  type SubscriptionId,
  subscriptionId,
} from '#contract/ids.ts'
import { money } from '#contract/money.ts'
import { page, pagingQuery, size } from '#contract/paging.ts'
import { quoteBody, subscriptionCancel } from '#contract/subscriptions.ts'
import { call } from '~/platform/api/call'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { meQuery } from '~/platform/shell/shell.functions'
import { productsPerPage } from './plans.functions.ts'
import type { HistoriesSearch, SubscriptionProductsSearch } from './plans.search'
import { changePlan, endPause as endSubscriptionPause, retryCharge, subscribe } from './subscription.server'

/** The member's subscription with its next charge. */
const getSubscription = readFn().handler(({ context }) => context.callApi((api) => api.subscriptions.subscription()))

/** The products that the member's plans include now. */
const getSubscriptionProducts = readFn()
  .validator(checked(z.object({ sort: z.optional(sortOption), page, size })))
  .handler(({ data, context }) => context.callApi((api) => api.subscriptions.subscriptionProducts(data)))

/** The member's billing events, latest first. */
const getSubscriptionHistory = readFn()
  .validator(checked(pagingQuery))
  .handler(({ data, context }) => context.callApi((api) => api.subscriptions.subscriptionHistory(data)))

export const setPlan = writeFn()
  .validator(checked(z.object({ idempotencyKey, planId, quoteId: z.optional(quoteId) })))
  .handler(({ data, context }) => context.callApi((api) => changePlan(api, data)))

export const cancelSubscription = writeFn()
  .validator(checked(subscriptionCancel))
  .handler(({ data, context }) => context.callApi((api) => api.subscriptions.cancelSubscription(data)))

export const resumeSubscription = writeFn().handler(({ context }) =>
  context.callApi((api) => api.subscriptions.resumeSubscription()),
)

/** Ends the pause now, once per idempotency key. */
export const endPause = writeFn()
  .validator(checked(z.object({ idempotencyKey })))
  .handler(({ data, context }) => context.callApi((api) => endSubscriptionPause(api, data.idempotencyKey)))

/** Retries an overdue renewal now, once per idempotency key. */
export const retryRenewal = writeFn()
  .validator(checked(z.object({ idempotencyKey })))
  .handler(({ data, context }) => context.callApi((api) => retryCharge(api, data.idempotencyKey)))

/** Begins a subscription, once per idempotency key. Returns where to send the browser. */
export const beginSubscription = writeFn()
  .validator(
    checked(
      z.object({ idempotencyKey, planId, cardId: z.optional(cardId), price: money, trialDays: z.optional(z.int()) }),
    ),
  )
  .handler(({ data, context }) => context.callApi((api) => subscribe(api, data)))

/** Confirms a subscription with the payment provider. Safe to repeat. */
const confirmSubscription = writeFn()
  .validator(checked(z.object({ id: subscriptionId })))
  .handler(({ data, context }) => context.callApi((api) => api.subscriptions.confirmSubscription(data)))

/** Quotes a plan change. */
const getQuote = writeFn()
  .validator(checked(quoteBody))
  .handler(({ data, context }) => context.callApi((api) => api.subscriptions.quote(data)))

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

/** The quote of a plan change. */
export const quoteQuery = (planId: PlanId) =>
  queryOptions({
    queryKey: ['subscription', 'quote', planId],
    queryFn: ({ signal }) =>
      call((s) => getQuote({ data: { planId }, signal: s }), { signal, expected: [404, 409, 502] }),
  })

/** Milliseconds between polls. After the last one the page stops polling. */
const pollDelays = [1_000, 1_500, 2_500, 4_000, 6_000, 9_000, 12_000]

/** Whether polling has ended, so that the visitor has to ask for another check. */
export const hasStoppedPolling = (answers: number) => answers > pollDelays.length

/** The result of a subscription's first payment, polled with growing delays until it is settled. */
export const planResultQuery = (id: SubscriptionId) =>
  queryOptions({
    queryKey: ['plan-result', id],
    queryFn: ({ signal }) =>
      call((s) => confirmSubscription({ data: { id }, signal: s }), { signal, expected: [404, 409, 502] }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.result === 'WAITING' ? (pollDelays[state.dataUpdateCount - 1] ?? false) : false,
  })

/** Queries whose data depend on the subscription. */
const affectedQueries = ['subscription', 'plans', 'cards', 'products', 'product', 'product-to-watch', 'paid-products']

/** Invalidates everything that depends on the subscription, the member included. */
export async function refreshSubscription(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(meQuery),
    ...affectedQueries.map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  ])
}
