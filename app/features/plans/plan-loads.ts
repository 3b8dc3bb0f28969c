import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { SubscriptionId } from '#contract/ids.ts'
import { cardsQuery } from '~/features/cards/cards.queries'
import { createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { orNotFound } from '~/platform/navigation/address'
import { redirectWithNotice } from '~/platform/navigation/guards'
import { meQuery } from '~/platform/shell/shell.functions'
import { planProductsQuery, planQuery, plansQuery } from './plans.functions'
import type { SubscriptionSearch } from './plans.search'
import { quoteQuery, subscriptionQuery } from './subscription.functions'
import { planResultQuery } from './subscription.functions.ts'

/** A member who pays for a plan already changes that one instead of paying for a second. */
export async function requireNoSubscription(queryClient: QueryClient): Promise<void> {
  const { regular } = await queryClient.fetchQuery({ ...subscriptionQuery, staleTime: 0 })
  if (regular) throw redirect({ to: '/mypages/subscription' })
}

/** One page of what a plan covers. */
export const loadPlanProducts = (queryClient: QueryClient, key: string, page: number) =>
  orNotFound(queryClient.ensureQueryData({ ...planProductsQuery(key, page), revalidateIfStale: true }))

/** The plan at today's price, the cards that could pay, and a name for the attempt. A plan off sale leads to those on sale. */
export async function loadPlanPayment(queryClient: QueryClient, key: string) {
  const cards = queryClient.fetchQuery({ ...cardsQuery, staleTime: 0 })
  cards.catch(() => {})
  const plan = await orNotFound(queryClient.fetchQuery({ ...planQuery(key), staleTime: 0 }))
  if (!plan.onSale) throw redirectWithNotice('/plans', 'PLAN_NOT_ON_SALE')
  await cards
  return { name: plan.name, idempotencyKey: createIdempotencyKey() }
}

/** The plans to choose from; where there is but one, it is chosen. */
export async function loadPlanChoice(queryClient: QueryClient) {
  const { items } = await queryClient.fetchQuery({ ...plansQuery, staleTime: 0 })
  const [only, another] = items
  if (!only) throw redirect({ to: '/plans' })
  if (!another) throw redirect({ to: '/plans/$id/payment', params: { id: only.id } })
}

/**
 * The subscription as it stands now, and what the step in hand shows. A quote is asked for where somebody comes to see it, not ahead
 * of that.
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
      // Why there is none is said in its place.
      plan && plan !== regular.plan.id && arriving && queryClient.prefetchQuery(quoteQuery(plan)),
    ])
  }
  return { idempotencyKey: createIdempotencyKey() }
}

/** Settles the subscription before the page is shown. One that is not the member's is said on the page. */
export async function loadPlanResult(queryClient: QueryClient, id: SubscriptionId | undefined): Promise<void> {
  if (!id) return
  const answer = await queryClient.fetchQuery(planResultQuery(id)).catch((error: unknown) => {
    if (!problemOf(error)) throw error
  })
  if (answer?.result === 'ACTIVE') await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
}
