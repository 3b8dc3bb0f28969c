import { lockPayer } from '#api/modules/billing/cards.queries.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { dayOfMonth, isSuspended, periodEnd } from '#api/modules/plans/plans.ts'
import { findCurrentSubscription, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import { closeQuotes } from '#api/modules/plans/subscriptions.ts'
import { type AuditActor, audit, changesOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { startOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberSubscription, SubscriptionEnded, SubscriptionResumed } from '#contract/admin/subscriptions.ts'
import type { MemberId, PaymentId } from '#contract/ids.ts'
import { type ChargeRow, findCharge, findPendingCharge, unapplied } from './charges.queries.ts'
import { type ChargeOutcome, listCharges } from './charges.ts'
import { pauseRow, resumeRow, revokeCancellation } from './ending.ts'
import { renewOne } from './renewals.ts'
import {
  decideRefunds,
  findAsSeen,
  findStarted,
  leftOf,
  refundAtEnd,
  refundDecided,
  type StoreChange,
  subjectOf,
  versionOfSubscription,
} from './store-changes.ts'
import { mailChargeRefunded, mailContinued, mailPaused } from './subscription-mails.ts'
import { viewStarted } from './subscription-view.ts'

/** For `If-Match`: changes with each refund of the charge. */
const versionOfCharge = (charge: RefundableCharge & Pick<ChargeRow, 'id' | 'status'>) =>
  versionOf([charge.id, charge.status, refundableOf(charge)])

type RefundableCharge = Pick<ChargeRow, 'status' | 'failure' | 'amount' | 'refundedAmount' | 'refundTotal'>

/** What staff can still refund of a charge. One that came too late is refunded by itself. */
const refundableOf = (charge: RefundableCharge) =>
  charge.status === 'PAID' && charge.failure !== unapplied ? leftOf(charge) : 0

/** What the refund rule gives of each charge if the subscription ends at `at`, by their ids. */
const rulesOf = async (ctx: Ctx, started: Awaited<ReturnType<typeof findStarted>>, at: Date) => {
  const rules = new Map<PaymentId, number>()
  if (!started) return { total: 0, rules }
  const total = await refundAtEnd(ctx.db, started.row, started.charges, at)
  let remaining = total
  for (const charge of started.charges) {
    const part = Math.min(leftOf(charge), remaining)
    rules.set(charge.id, part)
    remaining -= part
  }
  return { total, rules }
}

/**
 * A member's subscription with its charges, as staff see it. Failure: NOT_FOUND without the
 * member.
 */
export const viewMemberSubscription = async (ctx: Ctx, id: MemberId): Promise<MemberSubscription | Failure> => {
  const { db, customer, clock } = ctx
  if (!(await findMember(db, customer.id, id))) return failure('NOT_FOUND')
  const charges = await listCharges(ctx, id)
  const started = await findStarted(ctx, id)
  const { total, rules } = await rulesOf(ctx, started, clock.now())
  return {
    current: started && {
      ...(await viewStarted(ctx, started.row)),
      version: versionOfSubscription(started.row, started.charges),
      refundNow: { amount: total, currency: started.row.currency },
    },
    charges: charges.map(({ amount, refunded, refundTotal, currency, ...charge }) => {
      const row = { ...charge, amount, refundedAmount: refunded, refundTotal }
      const moneyOf = (minor: number) => ({ amount: minor, currency })
      return {
        ...charge,
        amount: moneyOf(amount),
        refunded: moneyOf(refunded),
        refundable: moneyOf(refundableOf(row)),
        rule: moneyOf(rules.get(charge.id) ?? 0),
        version: versionOfCharge(row),
      }
    }),
  }
}

/** What the rule gives shrinks with time: how long staff may take over what they saw. */
const ruleMilliseconds = 15 * 60_000

interface ChargeRefund extends StoreChange {
  chargeId: PaymentId
  /** Minor units. */
  amount: number
  overridesRule: boolean
}

/**
 * Refunds a charge of a member's subscription, or a part of it, on the decision of staff. The
 * subscription continues. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED above what is left, REFUND_AGAINST_RULE above what the rule gives.
 */
export const refundChargeByStore = async (
  ctx: PaymentCtx,
  by: AuditActor,
  input: ChargeRefund,
): Promise<SubscriptionEnded | Failure> => {
  const decided = await ctx.inTransaction((tx) => decideRefund(tx, by, input))
  if (isFailure(decided)) return decided
  return { step: await refundDecided(ctx, decided.charges), refund: decided.refund }
}

const decideRefund = async (ctx: Ctx, by: AuditActor, input: ChargeRefund) => {
  const { id, chargeId, amount, reason, expected, overridesRule } = input
  await lockPayer(ctx.db, id)
  const charge = await findCharge(ctx.db, ctx.customer.id, chargeId)
  if (charge?.memberId !== id || charge.status !== 'PAID') return failure('NOT_FOUND')
  const subject = subjectOf(id)
  const refused = await refuseOldVersion(ctx, { expected, version: versionOfCharge(charge), subject })
  if (refused) return refused
  const { currency } = charge
  const left = refundableOf(charge)
  const i18n = messagesOf(ctx.locale)
  const leftText = `${writeMoney(left, currency)} ${currency}`
  if (amount > left)
    return invalidField(
      'amount',
      left > 0
        ? i18n._('Enter more than 0 and at most {amount}.', { amount: leftText })
        : i18n._('Everything is refunded.'),
    )
  if ((charge.refundTotal ?? 0) > charge.refundedAmount)
    return invalidField(
      'amount',
      i18n._('The provider has not completed an earlier refund. Wait for it, or settle both by hand.'),
    )
  const started = await findStarted(ctx, id)
  if (started && (await findPendingCharge(ctx.db, started.row)))
    return invalidField('amount', i18n._('A payment is open. Try again once it is settled.'))
  const begin = Date.parse(started?.row.periodStart ?? '') || 0
  const seen = new Date(Math.max(begin, ctx.clock.now().getTime() - ruleMilliseconds))
  const rule = (await rulesOf(ctx, started, seen)).rules.get(chargeId) ?? 0
  if (amount > rule && !overridesRule)
    return failure('REFUND_AGAINST_RULE', { data: { amount: { amount: rule, currency } } })
  const charges = await decideRefunds(ctx, [charge], amount, { goesOn: true })
  if (started) await closeQuotes(ctx, started.row)
  await audit(ctx, {
    actor: by,
    action: 'subscription.charge-refunded',
    subject,
    changes: changesOf({ refunded: charge.amount - left }, { refunded: charge.amount - left + amount }),
    detail: { chargeId, amount, currency, overridesRule: amount > rule, reason },
  })
  await mailChargeRefunded(ctx, charge, { amount, currency })
  return { charges, refund: { amount, currency } }
}

/**
 * Revokes the cancellation of a member's subscription, on the decision of staff, so that it is
 * renewed. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED (not
 * canceled).
 */
export const revokeCancellationByStore = async (
  ctx: Ctx,
  by: AuditActor,
  { id, reason, expected }: StoreChange,
): Promise<Failure | undefined> => {
  const started = await findAsSeen(ctx, id, expected)
  if (isFailure(started)) return started
  const { cancelAt } = started.row
  const i18n = messagesOf(ctx.locale)
  if (cancelAt === null) return invalidField('id', i18n._('The subscription is not canceled.'))
  if (Date.parse(cancelAt) <= ctx.clock.now().getTime())
    return invalidField('id', i18n._('It is too late: the subscription is about to end.'))
  const revoked = await revokeCancellation(ctx, started.row)
  await audit(ctx, {
    actor: by,
    action: 'subscription.cancellation-revoked',
    subject: subjectOf(id),
    changes: changesOf<Pick<SubscriptionRow, 'cancelAt'>>({ cancelAt }, { cancelAt: null }),
    detail: { reason },
  })
  await mailContinued(ctx, revoked)
  return undefined
}

type Pause = Pick<SubscriptionRow, 'pausedAt' | 'resumeAt'>

/**
 * Pauses a member's subscription, on the decision of staff, until they resume it or the day
 * `until` begins in the store's time zone. A paused one gets another day. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED (canceled, a payment is open, or the day is
 * within the paid period or more than twelve months after it).
 */
export const pauseByStore = async (
  ctx: Ctx,
  by: AuditActor,
  { id, until, reason, expected }: StoreChange & { until?: string | undefined },
): Promise<Failure | undefined> => {
  const started = await findAsSeen(ctx, id, expected)
  if (isFailure(started)) return started
  const { row } = started
  const i18n = messagesOf(ctx.locale)
  const refuse = (why: string) => failure('VALIDATION_FAILED', { errors: { id: [why] } })
  if (row.cancelAt !== null) return refuse(i18n._('The subscription is canceled and ends with its paid period.'))
  if (await findPendingCharge(ctx.db, row)) return refuse(i18n._('A payment is open. Try again once it is settled.'))
  const resumeAt = until === undefined ? null : startOfDay(until, ctx.customer.settings.base.timeZone)
  const why = resumeAt && whyNotUntil(ctx, row, resumeAt)
  if (why) return failure('VALIDATION_FAILED', { errors: { until: [why] } })
  const paused = await pauseRow(ctx, row, resumeAt?.toISOString() ?? null)
  await audit(ctx, {
    actor: by,
    action: 'subscription.paused',
    subject: subjectOf(id),
    changes: changesOf<Pause>(
      { pausedAt: row.pausedAt, resumeAt: row.resumeAt },
      { pausedAt: paused.pausedAt, resumeAt: paused.resumeAt },
    ),
    detail: { reason },
  })
  await mailPaused(ctx, paused)
  return undefined
}

/** Access lasts until the end of what is paid, so a pause that ends before it would be none. */
const whyNotUntil = ({ clock, customer, locale }: Ctx, row: SubscriptionRow, resumeAt: Date): string | null => {
  const i18n = messagesOf(locale)
  const { timeZone } = customer.settings.base
  const start = new Date(Math.max(clock.now().getTime(), Date.parse(row.periodEnd ?? '') || 0))
  if (resumeAt <= start) return i18n._('Choose a day after the paid period, and not today.')
  return resumeAt > periodEnd(start, 'YEAR', dayOfMonth(start, timeZone), timeZone)
    ? i18n._('Choose a day at most twelve months after the paid period.')
    : null
}

const answers: Partial<Record<ChargeOutcome, SubscriptionResumed['charge']>> = {
  PAID: 'PAID',
  FAILED: 'DECLINED',
  WAITING: 'WAITING',
}

/**
 * Resumes a member's paused subscription, on the decision of staff. Where the paid period is over,
 * the renewal is charged; if it is declined, it is overdue. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT, VALIDATION_FAILED (not paused).
 */
export const resumeByStore = async (
  ctx: PaymentCtx,
  by: AuditActor,
  { id, reason, expected }: StoreChange,
): Promise<SubscriptionResumed | Failure> => {
  const resumed = await ctx.inTransaction(async (tx) => {
    const started = await findAsSeen(tx, id, expected)
    if (isFailure(started)) return started
    const { row } = started
    const { pausedAt, resumeAt } = row
    const i18n = messagesOf(tx.locale)
    if (pausedAt === null)
      return failure('VALIDATION_FAILED', { errors: { id: [i18n._('The subscription is not paused.')] } })
    const isDue = isSuspended(row, tx.clock.now())
    await resumeRow(tx, row)
    await audit(tx, {
      actor: by,
      action: 'subscription.resumed',
      subject: subjectOf(id),
      changes: changesOf<Pause>({ pausedAt, resumeAt }, { pausedAt: null, resumeAt: null }),
      detail: { reason },
    })
    return { subscription: row.id, isDue }
  })
  if (isFailure(resumed)) return resumed
  const outcome = resumed.isDue ? await renewOne(ctx, resumed.subscription) : null
  return { charge: (outcome && answers[outcome]) ?? 'NONE' }
}

/**
 * Ends the pause of a member's own subscription. Where the paid period is over, the renewal is
 * charged; if it is declined, it is overdue. Safe to repeat. Failures: NOT_FOUND, CONFLICT
 * (canceled).
 */
export const endPause = async (ctx: PaymentCtx, memberId: MemberId): Promise<Failure | undefined> => {
  const ended = await ctx.inTransaction(async (tx) => {
    await lockPayer(tx.db, memberId)
    const row = await findCurrentSubscription(tx.db, tx.customer.id, memberId)
    if (!row?.activatedAt) return failure('NOT_FOUND')
    if (row.pausedAt === null) return null
    if (row.cancelAt !== null) return failure('CONFLICT')
    const isDue = isSuspended(row, tx.clock.now())
    await resumeRow(tx, row)
    return isDue ? row.id : null
  })
  if (isFailure(ended)) return ended
  if (ended !== null) await renewOne(ctx, ended)
  return undefined
}
