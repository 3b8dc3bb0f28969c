import { lockPayer } from '#api/modules/billing/cards.queries.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { dayOfMonth, isSuspended, periodEnd } from '#api/modules/plans/plans.ts'
import { findCurrentSubscription, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { startOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { SubscriptionResumed } from '#contract/admin/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'
import { findPendingCharge } from './charges.queries.ts'
import type { ChargeOutcome } from './charges.ts'
import { pauseRow, resumeRow } from './ending.ts'
import { renewOne } from './renewals.ts'
import { findAsSeen, type StoreChange, subjectOf } from './store-changes.ts'
import { mailPaused } from './subscription-mails.ts'

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
