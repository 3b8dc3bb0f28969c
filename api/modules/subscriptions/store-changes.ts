import { lockPayer } from '#api/modules/billing/cards.queries.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { type Block, blockMember } from '#api/modules/identity/sessions.ts'
import { creditOf, dayOfMonth, isPastGrace, type PaidPeriod } from '#api/modules/plans/plans.ts'
import { findCurrentSubscription, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import { changeSubscription, closeQuotes } from '#api/modules/plans/subscriptions.ts'
import { type AuditActor, audit, changesOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { SubscriptionEnded } from '#contract/admin/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'
import { storeStateOf } from '#contract/store-state.ts'
import {
  type ChargeRow,
  chargesOfRest,
  findCharge,
  findPendingCharge,
  paidPeriodOf,
  updateCharge,
} from './charges.queries.ts'
import { cancelRow, endSubscription, publishCancellation, refundDueCharge } from './ending.ts'
import { retryCharge } from './renewals.ts'
import { mailEndedByStore, mailExtended } from './subscription-mails.ts'

/** What is not refunded of a charge, and not decided to be. */
export const leftOf = ({
  amount,
  refundedAmount,
  refundTotal,
}: Pick<ChargeRow, 'amount' | 'refundedAmount' | 'refundTotal'>) => amount - Math.max(refundedAmount, refundTotal ?? 0)

/**
 * What the unused time of a paid period is worth, without what staff have refunded of its charges.
 * Minor units.
 */
export const unusedCredit = (
  { priceAmount }: Pick<SubscriptionRow, 'priceAmount'>,
  { period, charges, now }: { period: PaidPeriod; charges: readonly ChargeRow[]; now: Date },
): number =>
  Math.max(
    0,
    creditOf(priceAmount, period, now.getTime()) - charges.reduce((sum, each) => sum + each.refundedByStaff, 0),
  )

/**
 * Returns the refund of a subscription that ends now: the unused share of the paid period, as an
 * upgrade credits it, without what staff have refunded, and at most what is left of its charges.
 * Nothing is paid in a trial, nor for the time after a failed renewal. Minor units.
 */
export const refundAtEnd = async (
  db: TenantDb,
  row: SubscriptionRow,
  charges: readonly ChargeRow[],
  now: Date,
): Promise<number> => {
  const { periodStart, periodEnd } = row
  if (row.status !== 'PROCEEDING' || periodStart === null || periodEnd === null) return 0
  if (row.trialEndsAt !== null && Date.parse(row.trialEndsAt) > now.getTime()) return 0
  const period = await paidPeriodOf(db, { ...row, periodStart, periodEnd })
  const refundable = charges.reduce((sum, charge) => sum + leftOf(charge), 0)
  return Math.min(unusedCredit(row, { period, charges, now }), refundable)
}

/** For `If-Match`: changes with whatever a decision of staff depends on. */
export const versionOfSubscription = (row: SubscriptionRow, refund: readonly ChargeRow[]) =>
  versionOf([
    row.id,
    row.status,
    row.planId,
    row.periodEnd,
    row.cancelAt,
    row.attempts,
    [row.priceAmount, row.nextPlanId, row.nextPriceAmount, row.pausedAt, row.resumeAt],
    refund.map(({ id, refundedAmount, refundTotal }) => [id, refundedAmount, refundTotal]),
  ])

/** The member's started subscription with its charges for the time from now on. */
export const findStarted = async ({ db, customer, clock }: Ctx, memberId: MemberId) => {
  const row = await findCurrentSubscription(db, customer.id, memberId)
  if (!row?.activatedAt) return null
  return { row, charges: await chargesOfRest(db, row, clock.now()) }
}

export interface StoreChange {
  id: MemberId
  /** For the history. The member does not see it. */
  reason: string
  /** The value of `If-Match`. */
  expected: string | null
}

/** The subject of a member's entries in the audit log. */
export const subjectOf = (id: MemberId) => `member:${id}`

/**
 * Locks the payer and returns the subscription that the caller saw. `expected` is the value of
 * `If-Match`.
 */
export const findAsSeen = async (ctx: Ctx, id: MemberId, expected: string | null) => {
  await lockPayer(ctx.db, id)
  const started = await findStarted(ctx, id)
  if (!started) return failure('NOT_FOUND')
  const version = versionOfSubscription(started.row, started.charges)
  return (await refuseOldVersion(ctx, { expected, version, subject: subjectOf(id) })) ?? started
}

/**
 * Cancels a member's subscription at the end of the paid period, on the decision of staff. An
 * overdue one, for which nothing is paid, ends at once. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT.
 */
export const cancelByStore = async (
  ctx: Ctx,
  by: AuditActor,
  { id, reason, expected }: StoreChange,
): Promise<Failure | undefined> => {
  const started = await findAsSeen(ctx, id, expected)
  if (isFailure(started)) return started
  await writeCancellation(ctx, by, started.row, reason)
  return undefined
}

const writeCancellation = async (ctx: Ctx, by: AuditActor, row: SubscriptionRow, reason: string) => {
  if (row.cancelAt !== null) return
  const { cancelAt } = await cancelRow(ctx, row, { reason: null, byStore: true })
  await audit(ctx, {
    actor: by,
    action: 'subscription.cancelled',
    subject: subjectOf(row.memberId),
    changes: changesOf<Pick<SubscriptionRow, 'cancelAt'>>({ cancelAt: null }, { cancelAt }),
    detail: { reason },
  })
}

/**
 * Moves the end of a member's trial or paid period by free days, on the decision of staff. Whatever
 * was to happen at its end, a payment or the end of the subscription, happens at the new one.
 * Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED (a payment is open, or
 * the period is over).
 */
export const extendByStore = async (
  ctx: Ctx,
  by: AuditActor,
  { id, days, reason, expected }: StoreChange & { days: number },
): Promise<Failure | undefined> => {
  const started = await findAsSeen(ctx, id, expected)
  if (isFailure(started)) return started
  const { row } = started
  const { periodEnd, trialEndsAt, cancelAt } = row
  const i18n = messagesOf(ctx.locale)
  if (row.graceUntil !== null) return invalidField('days', i18n._('Charge the overdue payment first.'))
  if (periodEnd === null || Date.parse(periodEnd) <= ctx.clock.now().getTime())
    return invalidField('days', i18n._('The period is over. Extend the subscription once it is renewed.'))
  if (row.status !== 'PROCEEDING' || (await findPendingCharge(ctx.db, row)))
    return invalidField('days', i18n._('A payment is open. Extend the subscription once it is paid.'))
  const end = new Date(Date.parse(periodEnd) + days * dayMilliseconds)
  const at = end.toISOString()
  const extended = await changeSubscription(ctx, row, {
    periodEnd: at,
    anchorDay: dayOfMonth(end, ctx.customer.settings.base.timeZone),
    ...(trialEndsAt === periodEnd ? { trialEndsAt: at } : {}),
    ...(cancelAt === null ? {} : { cancelAt: at }),
  })
  await publishCancellation(ctx, extended)
  await closeQuotes(ctx, row)
  await audit(ctx, {
    actor: by,
    action: 'subscription.extended',
    subject: subjectOf(id),
    changes: changesOf<Pick<SubscriptionRow, 'periodEnd'>>({ periodEnd }, { periodEnd: at }),
    detail: { reason, days },
  })
  await mailExtended(ctx, extended, days)
  return undefined
}

/**
 * Charges a member's overdue renewal now, on the decision of staff. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED (not overdue, or the store charges nobody),
 * PROVIDER_UNAVAILABLE, CARD_REFUSED, CONFLICT (still overdue: another process settled the charge).
 */
export const retryByStore = async (
  ctx: PaymentCtx,
  by: AuditActor,
  { id, reason, expected }: StoreChange,
): Promise<Failure | undefined> => {
  const refused = await ctx.inTransaction(async (tx) => {
    const started = await findAsSeen(tx, id, expected)
    if (isFailure(started)) return started
    const why = whyNotCharged(tx, started.row)
    if (why) return invalidField('id', why)
    await audit(tx, { actor: by, action: 'subscription.retried', subject: subjectOf(id), detail: { reason } })
    return undefined
  })
  const failed = refused ?? (await retryCharge(ctx, id))
  if (failed) return failed
  const row = await ctx.inTransaction(({ db, customer }) => findCurrentSubscription(db, customer.id, id))
  return row?.graceUntil === null ? undefined : failure('CONFLICT')
}

const whyNotCharged = ({ customer, clock, locale }: Ctx, row: SubscriptionRow) => {
  const i18n = messagesOf(locale)
  if (row.graceUntil === null) return i18n._('The subscription is not overdue.')
  if (storeStateOf(customer) !== 'OPEN') return i18n._('The store is closed, so nobody is charged.')
  if (!customer.settings.order.useSubscribe) return i18n._('The store no longer sells plans, so nobody is charged.')
  return isPastGrace(row, clock.now()) ? i18n._('It is too late: the subscription is about to end.') : null
}

/**
 * Ends a member's subscription now, on the decision of staff, and refunds the unused share of the
 * paid period. A renewal that is being charged meanwhile is refunded in full. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT.
 */
export const endByStore = async (
  ctx: PaymentCtx,
  by: AuditActor,
  input: StoreChange,
): Promise<SubscriptionEnded | Failure> => {
  const ended = await ctx.inTransaction((tx) => writeEnd(tx, by, input))
  if (isFailure(ended)) return ended
  return { step: await refundDecided(ctx, ended.charges), refund: ended.refund }
}

/** Refunds charges as decided. ACCEPT: the provider has not confirmed all of it. */
export const refundDecided = async (
  ctx: PaymentCtx,
  decided: readonly ChargeRow[],
): Promise<SubscriptionEnded['step']> => {
  for (const charge of decided) await refundDueCharge(ctx, charge)
  const charges = await ctx.inTransaction(({ db, customer }) =>
    Promise.all(decided.map((charge) => findCharge(db, customer.id, charge.id))),
  )
  const isDone = charges.every((charge) => charge && charge.refundedAmount >= (charge.refundTotal ?? 0))
  return isDone ? 'REFUND' : 'ACCEPT'
}

const writeEnd = async (ctx: Ctx, by: AuditActor, { id, reason, expected }: StoreChange) => {
  const started = await findAsSeen(ctx, id, expected)
  if (isFailure(started)) return started
  const { row } = started
  const amount = await refundAtEnd(ctx.db, row, started.charges, ctx.clock.now())
  const refund = { amount, currency: row.currency }
  const charges = await decideRefunds(ctx, started.charges, amount)
  const ended = await endSubscription(ctx, row, amount > 0 ? 'REFUNDED' : 'CANCELLED')
  await audit(ctx, {
    actor: by,
    action: 'subscription.ended',
    subject: subjectOf(id),
    changes: changesOf<Pick<SubscriptionRow, 'endedAt'>>({ endedAt: null }, { endedAt: ended.endedAt }),
    detail: { reason, ...refund },
  })
  await mailEndedByStore(ctx, ended, amount > 0 ? refund : null)
  return { charges, refund }
}

/**
 * Writes what is refunded of each charge, the latest first. `goesOn`: the subscription goes on with
 * its plan, so that the credit of its unused time is less by the refund. Requires the payer's lock.
 */
export const decideRefunds = async (
  { db }: Ctx,
  charges: readonly ChargeRow[],
  amount: number,
  { goesOn = false }: { goesOn?: boolean } = {},
): Promise<ChargeRow[]> => {
  const decided: ChargeRow[] = []
  let remaining = amount
  for (const charge of charges) {
    const part = Math.min(leftOf(charge), remaining)
    if (part <= 0) continue
    remaining -= part
    const refundTotal = charge.amount - leftOf(charge) + part
    const refundedByStaff = charge.refundedByStaff + part
    decided.push(await updateCharge(db, charge, { refundTotal, ...(goesOn && { refundedByStaff }) }))
  }
  return decided
}

/**
 * Blocks a member and, where staff say so, cancels the subscription in the same transaction, so
 * that nobody is charged for what cannot be watched. One that has not started ends. Failure:
 * NOT_FOUND.
 */
export const blockWithSubscription = async (
  ctx: Ctx,
  by: AuditActor,
  { cancelsSubscription, ...block }: Block & { cancelsSubscription: boolean },
): Promise<Failure | undefined> => {
  // Before the member's row is locked: charges take these locks in this order.
  await lockPayer(ctx.db, block.id)
  const refused = await blockMember(ctx, by, block)
  if (refused || !cancelsSubscription) return refused
  const row = await findCurrentSubscription(ctx.db, ctx.customer.id, block.id)
  if (row?.activatedAt) await writeCancellation(ctx, by, row, block.reason)
  else if (row) await endSubscription(ctx, row, 'CANCELLED')
  return undefined
}
