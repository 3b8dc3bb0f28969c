import { lockPayer } from '#api/modules/billing/cards.queries.ts'
import type { MemberPaymentCtx, PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { findPlan, type PlanRow } from '#api/modules/plans/plans.queries.ts'
import { costOfRemainder, dayOfMonth, kindOfChange, periodEnd } from '#api/modules/plans/plans.ts'
import { findCurrentSubscription, findQuote, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import {
  changeSubscription,
  closeQuotes,
  recordSubscriptionEvent,
  saveQuote,
} from '#api/modules/plans/subscriptions.ts'
import { isPlanOffered, planFacts, plansClosed, planViewer, viewPlan } from '#api/modules/storefront/plans.ts'
import type { CatalogStores } from '#api/modules/storefront/search.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure, type MemberCtx } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberId, PaymentId, PlanId, QuoteId } from '#contract/ids.ts'
import type { Quote } from '#contract/subscriptions.ts'
import {
  type ChargeRow,
  chargeOfQuote,
  chargesOfRest,
  findCharge,
  findPendingCharge,
  insertCharge,
  paidPeriodOf,
} from './charges.queries.ts'
import { runCharge, settleCharge } from './charges.ts'
import { unusedCredit } from './store-changes.ts'
import { saveRecurringConsent } from './subscribe.ts'

/**
 * The effect of changing to a plan now. `periodEnd` is the time of the next charge, `charge` the
 * amount charged at once.
 */
interface Change {
  subscription: SubscriptionRow
  plan: PlanRow
  kind: 'CURRENT' | 'UPGRADE' | 'DOWNGRADE'
  credit: number
  charge: number
  periodStart: Date
  periodEnd: Date
}

/** Minor units: the unused credit, and what the new plan costs until its next charge. */
interface CostNow extends Pick<Change, 'credit' | 'periodStart' | 'periodEnd'> {
  cost: number
}

/**
 * Calculates a change to another plan now. Within one cycle the period continues: its rest is
 * credited at the old price and costs the new one; free days count for neither. Another cycle
 * starts a new period now, longer by the free days that are left. Nothing is paid in a trial: a
 * plan with a trial continues it, a plan without one starts now at its price.
 */
export const calculateCostNow = async (
  { db, customer, clock }: Ctx,
  subscription: SubscriptionRow & { periodStart: string; periodEnd: string },
  { plan, charges }: { plan: PlanRow; charges: readonly ChargeRow[] },
): Promise<CostNow> => {
  const now = clock.now()
  const [start, end] = [new Date(subscription.periodStart), new Date(subscription.periodEnd)]
  const inTrial = subscription.trialEndsAt !== null && Date.parse(subscription.trialEndsAt) > now.getTime()
  if (inTrial && plan.trialDays > 0) return { credit: 0, cost: 0, periodStart: start, periodEnd: end }
  const period = await paidPeriodOf(db, subscription)
  const credit = inTrial ? 0 : unusedCredit(subscription, { period, charges, now })
  if (!inTrial && plan.cycle === subscription.cycle) {
    const cost = costOfRemainder(plan.priceAmount, period, now.getTime())
    return { credit, cost, periodStart: start, periodEnd: end }
  }
  const { timeZone } = customer.settings.base
  const begun = periodEnd(now, plan.cycle, dayOfMonth(now, timeZone), timeZone)
  const freeMilliseconds = inTrial ? 0 : Math.max(0, end.getTime() - Math.max(period.end, now.getTime()))
  const cost = plan.priceAmount
  return { credit, cost, periodStart: now, periodEnd: new Date(begun.getTime() + freeMilliseconds) }
}

/**
 * Calculates a plan change of a member: an upgrade now, any other one at the renewal. An overdue
 * subscription must be paid first, a cancelled one resumed, and a paused one waited for.
 */
const calculatePlanChange = async (
  ctx: Ctx,
  stores: CatalogStores,
  memberId: MemberId,
  planId: PlanId,
): Promise<Change | Failure> => {
  const { db, customer, clock } = ctx
  const closed = plansClosed(ctx)
  if (closed) return closed
  const subscription = await findCurrentSubscription(db, customer.id, memberId)
  if (!subscription?.activatedAt || !subscription.periodStart || !subscription.periodEnd) return failure('NOT_FOUND')
  const plan = await findPlan(db, customer.id, planId)
  const current = await findPlan(db, customer.id, subscription.planId)
  if (!plan || !current) return failure('NOT_FOUND')
  const { periodStart, periodEnd, status, cancelAt, pausedAt } = subscription
  const [start, end] = [new Date(periodStart), new Date(periodEnd)]
  const kind = kindOfChange({ ...subscription, plan: current }, plan)
  const unchanged = { subscription, plan, kind, credit: 0, charge: 0, periodStart: start, periodEnd: end }
  if (kind === 'CURRENT') return unchanged
  if (!(await isPlanOffered(ctx, stores, plan.id))) return failure('PLAN_NOT_ON_SALE')
  if (status !== 'PROCEEDING' || cancelAt !== null || pausedAt !== null || end <= clock.now())
    return failure('CONFLICT')
  if (kind === 'DOWNGRADE') return unchanged
  const charges = await chargesOfRest(db, subscription, clock.now())
  const paid = { ...subscription, periodStart, periodEnd }
  const { cost, ...period } = await calculateCostNow(ctx, paid, { plan, charges })
  return { ...unchanged, ...period, charge: Math.max(0, cost - period.credit) }
}

interface PlanChangeInput {
  planId: PlanId
  quoteId?: QuoteId | undefined
}

/**
 * Changes the plan: an upgrade at once for the quoted price, a downgrade at the renewal. Choosing
 * the current plan revokes a scheduled downgrade. An upgrade's charge has the id of its quote, so
 * that a quote is charged once, however often this is called.
 */
export const changePlan = async (
  ctx: MemberPaymentCtx,
  stores: CatalogStores,
  input: PlanChangeInput,
): Promise<Failure | undefined> => {
  const begun = await ctx.inTransaction((tx) => begin(tx, ctx, stores, input))
  if (isFailure(begun)) return begun
  return begun.charge === null ? undefined : finishChange(ctx, { charge: begun.charge, known: begun.known })
}

/**
 * Runs the charge of a change, or queries one that is known. Failures: PROVIDER_UNAVAILABLE,
 * CARD_REFUSED.
 */
export const finishChange = async (
  ctx: PaymentCtx,
  { charge, known }: { charge: PaymentId; known: boolean },
): Promise<Failure | undefined> => {
  const outcome = known ? await settleCharge(ctx, charge) : await runCharge(ctx, charge)
  if (outcome === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  const settled = await ctx.inTransaction(({ db, customer }) => findCharge(db, customer.id, charge))
  return settled?.status === 'PAID'
    ? undefined
    : failure('CARD_REFUSED', { data: { failure: settled?.failure ?? null } })
}

type StartedChange = { charge: PaymentId | null; known: boolean }
const done: StartedChange = { charge: null, known: false }

const begin = async (
  tx: Ctx,
  ctx: MemberPaymentCtx,
  stores: CatalogStores,
  { planId, quoteId }: PlanChangeInput,
): Promise<StartedChange | Failure> => {
  const { db, customer } = tx
  const { memberId } = ctx.actor
  await lockPayer(db, memberId)
  // A repeated request after a lost answer: the quote already has its charge.
  const charged = quoteId && (await findCharge(db, customer.id, chargeOfQuote(quoteId)))
  if (charged) return charged.memberId === memberId ? { charge: charged.id, known: true } : failure('NOT_FOUND')
  const change = await calculatePlanChange(tx, stores, memberId, planId)
  if (isFailure(change)) return change
  if (await findPendingCharge(db, change.subscription)) return failure('CONFLICT')
  switch (change.kind) {
    case 'CURRENT':
      await cancelDowngrade(tx, change.subscription)
      return done
    case 'DOWNGRADE':
      await setDowngrade(tx, change)
      return done
    case 'UPGRADE':
      return beginUpgrade(tx, ctx, change, quoteId)
    default:
      return change.kind satisfies never
  }
}

/** Revokes the change that is scheduled for the renewal. */
export const cancelDowngrade = async (ctx: Ctx, subscription: SubscriptionRow) => {
  if (subscription.nextPlanId === null) return
  await changeSubscription(ctx, subscription, { nextPlanId: null, nextPriceAmount: null })
  const undone = { ...subscription, planId: subscription.nextPlanId }
  await recordSubscriptionEvent(ctx, undone, { type: 'DOWNGRADE_UNDONE' })
}

const setDowngrade = async (ctx: Ctx, { subscription, plan }: Change) => {
  if (subscription.nextPlanId === plan.id && subscription.nextPriceAmount === plan.priceAmount) return
  await scheduleChange(ctx, subscription, plan)
  await saveRecurringConsent(ctx, subscription.memberId, plan, 0)
}

/** Changes the plan at the next renewal, at its present price. */
export const scheduleChange = async (ctx: Ctx, subscription: SubscriptionRow, plan: PlanRow) => {
  await changeSubscription(ctx, subscription, { nextPlanId: plan.id, nextPriceAmount: plan.priceAmount })
  await recordSubscriptionEvent(ctx, { ...subscription, planId: plan.id }, { type: 'DOWNGRADE_SET' })
}

const beginUpgrade = async (
  tx: Ctx,
  ctx: MemberPaymentCtx,
  { subscription, plan }: Change,
  quoteId: QuoteId | undefined,
): Promise<StartedChange | Failure> => {
  const { db, customer } = tx
  const now = tx.clock.now()
  const quote = quoteId ? await findQuote(db, customer.id, quoteId) : null
  const holds =
    quote?.memberId === ctx.actor.memberId &&
    quote.subscriptionId === subscription.id &&
    quote.planId === plan.id &&
    !quote.byStore &&
    quote.usedAt === null &&
    Date.parse(quote.expiresAt) > now.getTime()
  if (!quote || !holds) return failure('QUOTE_EXPIRED')
  await closeQuotes(tx, subscription)
  await saveRecurringConsent(tx, subscription.memberId, { ...plan, priceAmount: quote.priceAmount }, 0)
  const charge = await insertCharge(db, {
    customerId: customer.id,
    id: chargeOfQuote(quote.id),
    subscriptionId: subscription.id,
    memberId: subscription.memberId,
    planId: plan.id,
    kind: 'UPGRADE',
    periodStart: now.toISOString(),
    periodEnd: quote.periodEnd,
    amount: quote.chargeAmount,
    currency: quote.currency,
    provider: ctx.provider.name,
    createdAt: now.toISOString(),
  })
  return { charge: charge.id, known: false }
}

/** How long the price of a change now is valid: 15 minutes, and not longer than its period. */
export const quoteExpiry = (now: Date, periodEnd: string): Date =>
  new Date(Math.min(now.getTime() + 15 * 60_000, Date.parse(periodEnd)))

/**
 * Returns the cost of changing the plan now. The price of an upgrade is stored and valid for 15
 * minutes.
 */
export const quoteChange = async (ctx: MemberCtx, stores: CatalogStores, planId: PlanId): Promise<Quote | Failure> => {
  const { db, clock, actor } = ctx
  await lockPayer(db, actor.memberId)
  const change = await calculatePlanChange(ctx, stores, actor.memberId, planId)
  if (isFailure(change)) return change
  const { subscription, plan, kind, periodStart, periodEnd } = change
  const i18n = messagesOf(ctx.locale)
  if (kind === 'CURRENT') return invalidField('planId', i18n._('Choose a plan other than your current one.'))
  const all = await planFacts(ctx, stores)
  const facts = all.find(({ row }) => row.id === plan.id)
  if (!facts) return failure('NOT_FOUND')

  const now = clock.now()
  const { currency } = subscription
  const money = (amount: number) => ({ amount, currency })
  const upgrade = kind === 'UPGRADE'
  const id = upgrade ? newId<QuoteId>() : null
  const expiresAt = quoteExpiry(now, subscription.periodEnd ?? '')
  if (id) {
    await saveQuote(ctx, {
      id,
      subscriptionId: subscription.id,
      memberId: actor.memberId,
      planId: plan.id,
      priceAmount: plan.priceAmount,
      creditAmount: change.credit,
      chargeAmount: change.charge,
      currency,
      periodStart: periodStart.toISOString(),
      periodEnd: periodEnd.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })
  }
  return {
    id,
    kind,
    plan: viewPlan(ctx, facts, all, await planViewer(ctx)),
    credit: money(change.credit),
    charge: money(change.charge),
    effectiveAt: (upgrade ? now : periodEnd).toISOString(),
    nextCharge: { at: periodEnd.toISOString(), amount: money(plan.priceAmount) },
    expiresAt: upgrade ? expiresAt.toISOString() : null,
    now: now.toISOString(),
  }
}
