import type { Ctx, Customer } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CardId, MemberId, PaymentId } from '#contract/ids.ts'
import type { SubscriptionEvent } from '#contract/subscriptions.ts'
import type { PlanRow } from './plans.queries.ts'
import {
  appendSubscriptionEvent,
  insertQuote,
  insertSubscription,
  markQuotesUsed,
  type QuoteRow,
  type SubscriptionRow,
  type SubscriptionValues,
  updateSubscription,
} from './subscriptions.queries.ts'

type SubscriptionCtx = Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> }

/** An entry of a subscription's history. `amount` is in minor units of its currency. */
export interface HistoryEvent {
  type: SubscriptionEvent['type']
  amount?: number
  /** REFUNDED: the charge. */
  chargeId?: PaymentId
  detail?: string | null
}

/** Creates a member's subscription to a plan at its price, before anything is charged. */
export const createSubscription = (
  { db, customer, clock }: SubscriptionCtx,
  {
    memberId,
    plan,
    cardId,
    trialDays,
  }: { memberId: MemberId; plan: PlanRow; cardId: CardId | null; trialDays: number },
): Promise<SubscriptionRow> =>
  insertSubscription(db, {
    customerId: customer.id,
    id: newId(),
    memberId,
    planId: plan.id,
    status: 'PENDING',
    cycle: plan.cycle,
    priceAmount: plan.priceAmount,
    currency: plan.currency,
    trialDays,
    cardId,
    createdAt: clock.now().toISOString(),
  })

/** Adds an event to a subscription's history, with the plan that the subscription has. */
export const recordSubscriptionEvent = (
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id' | 'memberId' | 'planId'>,
  event: HistoryEvent,
) => appendSubscriptionEvent(db, subscription, { ...event, at: clock.now() })

/**
 * Changes a subscription. Records the event that did so, if it is part of the history. Requires the
 * payer's lock.
 *
 * @returns the changed subscription
 */
export const changeSubscription = async (
  ctx: Pick<Ctx, 'db' | 'clock'>,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id'>,
  change: SubscriptionValues,
  event?: HistoryEvent,
): Promise<SubscriptionRow> => {
  const changed = await updateSubscription(ctx.db, subscription, change)
  if (event) await recordSubscriptionEvent(ctx, changed, event)
  return changed
}

/** What only quotes of staff have. */
type StoreTerms = 'byStore' | 'refundAmount'

/** Stores the price of a plan change, which is valid until it expires or is used. */
export const saveQuote = (
  { db, customer, clock }: SubscriptionCtx,
  quote: Omit<QuoteRow, 'customerId' | 'createdAt' | 'usedAt' | StoreTerms> & Partial<Pick<QuoteRow, StoreTerms>>,
) => insertQuote(db, { ...quote, customerId: customer.id, createdAt: clock.now().toISOString() })

/** Closes a subscription's open quotes: they were calculated from a state that has changed. */
export const closeQuotes = (
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id'>,
) => markQuotesUsed(db, subscription, clock.now())
