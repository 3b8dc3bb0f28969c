import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { createIdempotencyKey } from '#contract/http.ts'
import type { SubscriptionId } from '#contract/ids.ts'
import { cardsQuery } from '~/features/billing/cards.functions'
import { orNotFound } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { type HeadContext, pageHead } from '~/platform/document/head'
import { redirectWithNotice } from '~/platform/navigation/guards'
import { meQuery } from '~/platform/shell/shell.functions'
import { planProductsQuery, planQuery, plansQuery } from './plans.functions'
import { type SubscriptionProductsSearch, type SubscriptionSearch, subscriptionProductsSearch } from './plans.search'
import { planResultQuery, quoteQuery, subscriptionProductsQuery, subscriptionQuery } from './subscription.functions'

/**
 * Redirects a member who already pays for a plan to that subscription, so that nobody pays for two.
 */
export async function requireNoSubscription(queryClient: QueryClient): Promise<void> {
  const { regular } = await queryClient.fetchQuery({ ...subscriptionQuery, staleTime: 0 })
  if (regular) throw redirect({ to: '/mypages/subscription' })
}

/** One page of the products that a plan includes. */
export const loadPlanProducts = (queryClient: QueryClient, key: string, page: number) =>
  orNotFound(queryClient.ensureQueryData({ ...planProductsQuery(key, page), revalidateIfStale: true }))

/** The options that both addresses of the products in the member's plan share. */
export const subscriptionProductsRoute = {
  validateSearch: subscriptionProductsSearch,
  loaderDeps: ({ search }: { search: Partial<SubscriptionProductsSearch> }) => subscriptionProductsSearch.parse(search),
  loader: async ({ context, deps }: { context: { queryClient: QueryClient }; deps: SubscriptionProductsSearch }) => {
    await context.queryClient.ensureQueryData({ ...subscriptionProductsQuery(deps), revalidateIfStale: true })
  },
  head: ({ match }: { match: { context: HeadContext } }) =>
    pageHead(match.context, { title: msg`Included in your plan`, noindex: true }),
}

/**
 * Loads the plan at today's price and the member's cards, and creates the idempotency key of the
 * payment.
 * @throws a redirect to the plans on offer if this one is not, or covers nothing
 */
export async function loadPlanPayment(queryClient: QueryClient, key: string) {
  const cards = queryClient.fetchQuery({ ...cardsQuery, staleTime: 0 })
  cards.catch(() => {})
  const plan = await orNotFound(queryClient.fetchQuery({ ...planQuery(key), staleTime: 0 }))
  if (!plan.onSale || plan.productCount === 0) throw redirectWithNotice('/plans', 'PLAN_NOT_ON_SALE')
  await cards
  return { name: plan.name, idempotencyKey: createIdempotencyKey() }
}

/**
 * Loads the plans to choose from. Redirects to the only plan where there is one, and to the plans
 * page where there is none.
 */
export async function loadPlanChoice(queryClient: QueryClient) {
  const { items } = await queryClient.fetchQuery({ ...plansQuery, staleTime: 0 })
  const [only, another] = items
  if (!only) throw redirect({ to: '/plans' })
  if (!another) throw redirect({ to: '/plans/$id/payment', params: { id: only.id } })
}

/**
 * Loads the current subscription and the data of the step that the address names. The quote is
 * requested when the page is entered, not when it is preloaded.
 */
export async function loadSubscription(
  queryClient: QueryClient,
  { step, plan }: Pick<SubscriptionSearch, 'step' | 'plan'>,
  arriving: boolean,
) {
  const { regular } = await queryClient.fetchQuery({ ...subscriptionQuery, staleTime: 0 })
  if (step === 'change' && regular) {
    await Promise.all([
      queryClient.ensureQueryData({ ...plansQuery, revalidateIfStale: true }),
      // Without a quote, the panel shows the reason.
      plan && plan !== regular.plan.id && arriving && queryClient.prefetchQuery(quoteQuery(plan)),
    ])
  }
  return { idempotencyKey: createIdempotencyKey() }
}

/**
 * Confirms the subscription before the page is shown. The page itself reports one that is not the
 * member's.
 */
export async function loadPlanResult(queryClient: QueryClient, id: SubscriptionId | undefined): Promise<void> {
  if (!id) return
  const answer = await queryClient.fetchQuery(planResultQuery(id)).catch((error: unknown) => {
    if (!problemOf(error)) throw error
  })
  if (answer?.result === 'ACTIVE') await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
}
