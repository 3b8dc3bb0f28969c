import { lockPayer } from '#api/modules/billing/cards.queries.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findPlan, type PlanRow } from '#api/modules/plans/plans.queries.ts'
import { nextChargeOf } from '#api/modules/plans/plans.ts'
import { findQuote, type QuoteRow, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import { closeQuotes, saveQuote } from '#api/modules/plans/subscriptions.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { PlanChanged, PlanChangeQuote } from '#contract/admin/subscriptions.ts'
import type { MemberId, PlanId, QuoteId } from '#contract/ids.ts'
import { storeStateOf } from '#contract/store-state.ts'
import { upgrade } from './charge-outcomes.ts'
import {
  type ChargeRow,
  chargeOfQuote,
  findCharge,
  findPendingCharge,
  insertCharge,
  updateCharge,
} from './charges.queries.ts'
import { calculateCostNow, cancelDowngrade, finishChange, quoteExpiry, scheduleChange } from './plan-changes.ts'
import {
  decideRefunds,
  findAsSeen,
  findStarted,
  leftOf,
  refundDecided,
  type StoreChange,
  subjectOf,
  versionOfSubscription,
} from './store-changes.ts'
import { mailPlanChanged } from './subscription-mails.ts'

/** Why the plan cannot be changed, not even at the renewal; null if it can. */
const whyUnchangeable = async ({ db, locale }: Ctx, row: SubscriptionRow): Promise<string | null> => {
  const i18n = messagesOf(locale)
  if (row.cancelAt !== null) return i18n._('The subscription is canceled and ends with its paid period.')
  if (row.graceUntil !== null) return i18n._('Charge the overdue payment first.')
  return (await findPendingCharge(db, row)) ? i18n._('A payment is open. Try again once it is settled.') : null
}

/** Whether a change can take effect now: time is paid for, and the store charges. */
const mayChangeNow = ({ customer, clock }: Ctx, { pausedAt, periodEnd }: SubscriptionRow) =>
  pausedAt === null &&
  periodEnd !== null &&
  Date.parse(periodEnd) > clock.now().getTime() &&
  storeStateOf(customer) === 'OPEN' &&
  customer.settings.order.useSubscribe

/** What several refusals say. */
const refusalsOf = ({ locale }: Ctx) => {
  const i18n = messagesOf(locale)
  return {
    otherCurrency: i18n._('Choose a plan in the currency of the subscription.'),
    samePlan: i18n._('Choose another plan.'),
    notNow: i18n._('The plan cannot change now.'),
  }
}

const refused = (field: 'id' | 'planId', why: string) => failure('VALIDATION_FAILED', { errors: { [field]: [why] } })

/** A plan of the store, on sale or not, in the currency of the subscription. */
const findChoice = async (ctx: Ctx, row: SubscriptionRow, id: PlanId) => {
  const plan = await findPlan(ctx.db, ctx.customer.id, id)
  if (!plan) return failure('NOT_FOUND')
  return plan.currency === row.currency ? plan : refused('planId', refusalsOf(ctx).otherCurrency)
}

/**
 * Calculates a change of a member's plan by staff, and stores the price of a change now for 15
 * minutes. Failures: NOT_FOUND, VALIDATION_FAILED (its own plan, or none can be chosen).
 */
export const quoteByStore = async (
  ctx: Ctx,
  { id, planId }: { id: MemberId; planId: PlanId },
): Promise<PlanChangeQuote | Failure> => {
  const { db, customer } = ctx
  if (!(await findMember(db, customer.id, id))) return failure('NOT_FOUND')
  await lockPayer(db, id)
  const started = await findStarted(ctx, id)
  if (!started) return failure('NOT_FOUND')
  const { row, charges } = started
  const plan = await findChoice(ctx, row, planId)
  if (isFailure(plan)) return plan
  if (plan.id === row.planId) return refused('planId', refusalsOf(ctx).samePlan)
  const why = await whyUnchangeable(ctx, row)
  if (why) return refused('planId', why)
  return {
    version: versionOfSubscription(row, charges),
    atRenewal: {
      at: nextChargeOf(row)?.at ?? null,
      amount: { amount: plan.priceAmount, currency: plan.currency },
    },
    now: mayChangeNow(ctx, row) ? await quoteNow(ctx, row, { plan, charges }) : null,
  }
}

const quoteNow = async (
  ctx: Ctx,
  row: SubscriptionRow,
  { plan, charges }: { plan: PlanRow; charges: readonly ChargeRow[] },
): Promise<PlanChangeQuote['now']> => {
  const { periodStart, periodEnd, currency } = row
  if (periodStart === null || periodEnd === null) return null
  const change = await calculateCostNow(ctx, { ...row, periodStart, periodEnd }, { plan, charges })
  const refundable = charges.reduce((sum, charge) => sum + leftOf(charge), 0)
  const charge = Math.max(0, change.cost - change.credit)
  const refund = Math.min(Math.max(0, change.credit - change.cost), refundable)
  const id = newId<QuoteId>()
  const expiresAt = quoteExpiry(ctx.clock.now(), periodEnd).toISOString()
  await saveQuote(ctx, {
    id,
    subscriptionId: row.id,
    memberId: row.memberId,
    planId: plan.id,
    priceAmount: plan.priceAmount,
    creditAmount: change.credit,
    chargeAmount: charge,
    refundAmount: refund,
    byStore: true,
    currency,
    periodStart: change.periodStart.toISOString(),
    periodEnd: change.periodEnd.toISOString(),
    expiresAt,
  })
  const money = (amount: number) => ({ amount, currency })
  return {
    id,
    credit: money(change.credit),
    charge: money(charge),
    refund: money(refund),
    nextCharge: { at: change.periodEnd.toISOString(), amount: money(plan.priceAmount) },
    expiresAt,
  }
}

const nameOf = async ({ db, customer }: Ctx, id: PlanId | null) =>
  id === null ? null : ((await findPlan(db, customer.id, id))?.name ?? null)

/**
 * Changes a member's plan at the next renewal, on the decision of staff. The member's present plan
 * revokes a scheduled change. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED (nothing would change, or the plan cannot change).
 */
export const changePlanByStore = async (
  ctx: Ctx,
  by: AuditActor,
  { id, planId, reason, expected }: StoreChange & { planId: PlanId },
): Promise<Failure | undefined> => {
  const started = await findAsSeen(ctx, id, expected)
  if (isFailure(started)) return started
  const { row } = started
  const plan = await findChoice(ctx, row, planId)
  if (isFailure(plan)) return plan
  const isUnchanged = plan.id === row.planId
  if (plan.id === (row.nextPlanId ?? row.planId)) return refused('planId', refusalsOf(ctx).samePlan)
  const why = await whyUnchangeable(ctx, row)
  if (why) return refused('planId', why)
  if (isUnchanged) await cancelDowngrade(ctx, row)
  else await scheduleChange(ctx, row, plan)
  await closeQuotes(ctx, row)
  const nextPlan = isUnchanged ? null : plan.name
  await audit(ctx, {
    actor: by,
    action: 'subscription.plan-chosen',
    subject: subjectOf(id),
    changes: changesOf<{ nextPlan: string | null }>({ nextPlan: await nameOf(ctx, row.nextPlanId) }, { nextPlan }),
    detail: { reason, at: 'RENEWAL' },
  })
  const changed = {
    ...row,
    nextPlanId: isUnchanged ? null : plan.id,
    nextPriceAmount: isUnchanged ? null : plan.priceAmount,
  }
  await mailPlanChanged(ctx, changed, { kind: isUnchanged ? 'UNCHANGED' : 'RENEWAL' })
  return undefined
}

/**
 * Changes a member's plan now as quoted, on the decision of staff: charges the card, or refunds the
 * part of the credit that the new plan does not cost. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT, QUOTE_EXPIRED, VALIDATION_FAILED (the plan cannot change now),
 * PROVIDER_UNAVAILABLE, CARD_REFUSED.
 */
export const changePlanNowByStore = async (
  ctx: PaymentCtx,
  by: AuditActor,
  input: StoreChange & { quoteId: QuoteId },
): Promise<PlanChanged | Failure> => {
  const begun = await ctx.inTransaction((tx) => beginChange(tx, ctx, by, input))
  if (isFailure(begun)) return begun
  const { charge, known, refunds, quote } = begun
  const failed = charge.status === 'PENDING' ? await finishChange(ctx, { charge: charge.id, known }) : undefined
  if (failed) return failed
  const money = (amount: number) => ({ amount, currency: quote.currency })
  return {
    step: await refundDecided(ctx, refunds),
    charge: money(quote.chargeAmount),
    refund: money(quote.refundAmount),
  }
}

interface BegunChange {
  charge: ChargeRow
  /** Whether an earlier call has sent it to the provider. */
  known: boolean
  refunds: readonly ChargeRow[]
  quote: QuoteRow
}

const beginChange = async (
  tx: Ctx,
  { provider }: PaymentCtx,
  by: AuditActor,
  { id, quoteId, reason, expected }: StoreChange & { quoteId: QuoteId },
): Promise<BegunChange | Failure> => {
  const { db, customer, clock } = tx
  const started = await findAsSeen(tx, id, expected)
  if (isFailure(started)) return started
  const { row, charges } = started
  const quote = await findQuote(db, customer.id, quoteId)
  if (quote?.memberId !== id || quote.subscriptionId !== row.id || !quote.byStore) return failure('QUOTE_EXPIRED')
  // A repeated request after a lost answer: the quote already has its charge.
  const charged = await findCharge(db, customer.id, chargeOfQuote(quoteId))
  if (charged?.status === 'PENDING') return { charge: charged, known: true, refunds: [], quote }
  const now = clock.now()
  if (quote.usedAt !== null || Date.parse(quote.expiresAt) <= now.getTime()) return failure('QUOTE_EXPIRED')
  const why = await whyUnchangeable(tx, row)
  if (why) return refused('id', why)
  if (!mayChangeNow(tx, row)) return refused('id', refusalsOf(tx).notNow)
  await closeQuotes(tx, row)
  const charge = await insertCharge(db, {
    customerId: customer.id,
    id: chargeOfQuote(quote.id),
    subscriptionId: row.id,
    memberId: row.memberId,
    planId: quote.planId,
    kind: 'UPGRADE',
    periodStart: now.toISOString(),
    periodEnd: quote.periodEnd,
    amount: quote.chargeAmount,
    currency: quote.currency,
    provider: provider.name,
    createdAt: now.toISOString(),
  })
  await audit(tx, {
    actor: by,
    action: 'subscription.plan-chosen',
    subject: subjectOf(id),
    changes: changesOf<{ plan: string | null }>(
      { plan: await nameOf(tx, row.planId) },
      { plan: await nameOf(tx, quote.planId) },
    ),
    detail: { reason, at: 'NOW', charge: quote.chargeAmount, refund: quote.refundAmount, currency: quote.currency },
  })
  if (charge.amount > 0) return { charge, known: false, refunds: [], quote }
  // Nothing has to be paid first, so that the change and its refund are one step.
  const settled = await updateCharge(db, charge, { status: 'PAID', settledAt: now.toISOString() })
  await upgrade(tx, { subscription: row, charge: settled })
  return { charge: settled, known: false, refunds: await decideRefunds(tx, charges, quote.refundAmount), quote }
}
