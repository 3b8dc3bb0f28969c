import type { CardId, PlanId, QuoteId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { CustomerApi } from '~/platform/api/client'

interface Beginning {
  attempt: string
  planId: PlanId
  /** A registered card; without one the provider asks for it. */
  cardId?: CardId | undefined
  /** What the person saw. */
  price: Money
}

/** Begins a subscription, once per attempt however often it is sent. Answers where the browser goes. */
export const subscribe = (api: CustomerApi, { attempt, planId, cardId, price }: Beginning) =>
  api.plans.subscribe(
    {
      id: planId,
      returnUrl: `/plans/${planId}/payment-result`,
      expectedPrice: price,
      agreeRecurring: true,
      ...(cardId && { cardId }),
    },
    { context: { idempotencyKey: `${attempt}-subscription` } },
  )

interface Change {
  attempt: string
  planId: PlanId
  quoteId?: QuoteId | undefined
}

/** Changes the plan, once per attempt: up for the quoted price, down at the renewal. */
export const changePlan = (api: CustomerApi, { attempt, planId, quoteId }: Change) =>
  api.plans.changePlan(
    { planId, ...(quoteId && { quoteId }) },
    { context: { idempotencyKey: `${attempt}-change-${quoteId ?? planId}` } },
  )

/** Tries an overdue renewal again now. */
export const retryCharge = (api: CustomerApi, attempt: string) =>
  api.plans.retryCharge(undefined, { context: { idempotencyKey: `${attempt}-retry` } })
