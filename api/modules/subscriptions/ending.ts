import { lockPayer } from '#api/modules/billing/cards.queries.ts'
import { callProvider, removeAllCards } from '#api/modules/billing/cards.ts'
import { merchantOf, type PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { closeRefusedRefund, recordRefusedRefund } from '#api/modules/billing/refund-decisions.ts'
import { dayOfMonth, isSuspended } from '#api/modules/plans/plans.ts'
import { findCurrentSubscription, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import { changeSubscription, closeQuotes, recordSubscriptionEvent } from '#api/modules/plans/subscriptions.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, type MemberCtx } from '#api/platform/context.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import { emit } from '#api/platform/events.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberId, PaymentId } from '#contract/ids.ts'
import type { EndReason } from '#contract/subscriptions.ts'
import { type ChargeRow, chargesToRefund, findCharge, unapplied, updateCharge } from './charges.queries.ts'
import { mailCancelled, mailResumed } from './subscription-mails.ts'

/** Returns the ids of a subscription, as its events have them. */
export const idsOf = ({ id: subscriptionId, memberId, planId }: SubscriptionRow) => ({
  subscriptionId,
  memberId,
  planId,
})

/** Publishes when a subscription will end that was cancelled. Others are left out. */
export const publishCancellation = async (ctx: Ctx, row: SubscriptionRow) => {
  const { cancelAt } = row
  if (cancelAt !== null) await emit(ctx, 'subscriptionCancellationScheduled', { ...idsOf(row), cancelAt })
}

/**
 * Ends a subscription now. Requires the payer's lock. A subscription that never started is not
 * recorded in the history.
 */
export const endSubscription = async (ctx: Ctx, subscription: SubscriptionRow, reason: EndReason) => {
  const ended = { endedAt: ctx.clock.now().toISOString(), endReason: reason, nextAttemptAt: null }
  await closeQuotes(ctx, subscription)
  if (subscription.activatedAt === null) return changeSubscription(ctx, subscription, ended)
  await emit(ctx, 'subscriptionEnded', { ...idsOf(subscription), reason })
  return changeSubscription(ctx, subscription, ended, { type: 'ENDED', detail: reason })
}

/**
 * Ends a member's subscription at once; a pending charge that is paid later is refunded. Returns
 * whether there was a subscription. When a member leaves the store, their cards are removed here,
 * and the next sweep deletes them at the provider. With `only`, any other subscription continues.
 */
export const endMemberSubscription = async (
  ctx: Ctx,
  memberId: MemberId,
  reason: Extract<EndReason, 'WITHDRAWN' | 'REFUNDED'>,
  only?: string,
): Promise<boolean> => {
  await lockPayer(ctx.db, memberId)
  const current = await findCurrentSubscription(ctx.db, ctx.customer.id, memberId)
  const subscription = only === undefined || current?.id === only ? current : null
  if (subscription) await endSubscription(ctx, subscription, reason)
  if (reason === 'WITHDRAWN') await removeAllCards(ctx, memberId)
  return subscription !== null
}

/** Locks the payer and returns the member's active subscription. */
const findOwnSubscription = async ({ db, customer, actor }: MemberCtx): Promise<SubscriptionRow | null> => {
  await lockPayer(db, actor.memberId)
  const row = await findCurrentSubscription(db, customer.id, actor.memberId)
  return row?.activatedAt ? row : null
}

/**
 * Cancels at the end of the paid period. An overdue subscription, for which nothing is paid, ends
 * at once. Safe to repeat.
 */
export const cancelSubscription = async (ctx: MemberCtx, reason: string | undefined): Promise<Failure | undefined> => {
  const row = await findOwnSubscription(ctx)
  if (!row) return failure('NOT_FOUND')
  if (row.cancelAt === null) await cancelRow(ctx, row, { reason: reason || null, byStore: false })
  return undefined
}

/**
 * Cancels a subscription at the end of the paid period. An overdue one ends at once, and a paused
 * one whose period is over. Requires the payer's lock. Returns the cancelled subscription.
 */
export const cancelRow = async (
  ctx: Ctx,
  row: SubscriptionRow,
  { reason, byStore }: { reason: string | null; byStore: boolean },
): Promise<SubscriptionRow> => {
  const now = ctx.clock.now()
  const isUnpaid = row.status === 'PENDING' || isSuspended(row, now)
  const cancelAt = isUnpaid ? now.toISOString() : row.periodEnd
  const cancelled = await changeSubscription(ctx, row, { cancelAt, cancelReason: reason }, { type: 'CANCEL_SET' })
  await mailCancelled(ctx, cancelled, byStore)
  if (isUnpaid) await endSubscription(ctx, cancelled, 'CANCELLED')
  else await publishCancellation(ctx, cancelled)
  return cancelled
}

/**
 * Pauses a subscription until it is resumed, or changes when that is. An overdue renewal is given
 * up: nothing is paid for the time since, so that access ends at once. Requires the payer's lock,
 * and that no charge is pending.
 */
export const pauseRow = async (ctx: Ctx, row: SubscriptionRow, resumeAt: string | null): Promise<SubscriptionRow> => {
  const paused = {
    pausedAt: row.pausedAt ?? ctx.clock.now().toISOString(),
    resumeAt,
    status: 'PROCEEDING',
    attempts: 0,
    nextAttemptAt: null,
    graceUntil: null,
  } as const
  await closeQuotes(ctx, row)
  await emit(ctx, 'subscriptionPaused', { ...idsOf(row), resumeAt })
  return changeSubscription(ctx, row, paused, { type: 'PAUSED', detail: resumeAt })
}

/**
 * Ends a pause. Where the paid period is over, the next one begins now and its renewal is due, so
 * that nobody pays for the time without access. Requires the payer's lock.
 */
export const resumeRow = async (ctx: Ctx, row: SubscriptionRow): Promise<SubscriptionRow> => {
  const now = ctx.clock.now()
  const begun = isSuspended(row, now)
    ? { periodEnd: now.toISOString(), anchorDay: dayOfMonth(now, ctx.customer.settings.base.timeZone) }
    : {}
  const change = { pausedAt: null, resumeAt: null, ...begun }
  const resumed = await changeSubscription(ctx, row, change, { type: 'RESUMED' })
  await emit(ctx, 'subscriptionResumed', { ...idsOf(resumed), periodEnd: resumed.periodEnd })
  await mailResumed(ctx, resumed)
  return resumed
}

/** Revokes a cancellation that has not taken effect. Safe to repeat. */
export const resumeSubscription = async (ctx: MemberCtx): Promise<Failure | undefined> => {
  const row = await findOwnSubscription(ctx)
  if (!row) return failure('NOT_FOUND')
  if (row.cancelAt === null) return undefined
  if (Date.parse(row.cancelAt) <= ctx.clock.now().getTime()) return failure('CONFLICT')
  await revokeCancellation(ctx, row)
  return undefined
}

/** Revokes a cancellation. Requires the payer's lock. Returns the subscription that continues. */
export const revokeCancellation = async (ctx: Ctx, row: SubscriptionRow): Promise<SubscriptionRow> => {
  const change = { cancelAt: null, cancelReason: null }
  const revoked = await changeSubscription(ctx, row, change, { type: 'CANCEL_UNDONE' })
  await emit(ctx, 'subscriptionCancellationRevoked', idsOf(row))
  return revoked
}

const batchSize = 100

/**
 * Refunds charges of subscriptions that had already ended, and what staff have decided to refund.
 * The provider receives the cumulative total, so that a repeat refunds nothing twice. If the
 * provider is unavailable, the next sweep tries again; a refusal opens a case and is retried with
 * growing delays.
 */
export const refundDueCharges = async (ctx: PaymentCtx): Promise<void> => {
  const due = await ctx.inTransaction((tx) => chargesToRefund(tx.db, tx.customer.id, tx.clock.now(), batchSize))
  for (const charge of due) await refundDueCharge(ctx, charge)
}

/** Refunds what is due of one charge. See `refundDueCharges`. */
export const refundDueCharge = async (ctx: PaymentCtx, charge: ChargeRow): Promise<void> => {
  const id = charge.id
  const merchant = merchantOf(ctx)
  const isUnapplied = charge.failure === unapplied
  const total = isUnapplied ? charge.amount : (charge.refundTotal ?? 0)
  const result = await callProvider(ctx, { chargeId: id }, async () => {
    const provider = ctx.providerNamed(charge.provider)
    if (!isUnapplied) return provider.refund(merchant, id, total)
    const paid = await provider.query(merchant, id)
    return paid && provider.refund(merchant, id, paid.amount.amount)
  })
  if (result?.answer?.code !== 'REFUNDED') {
    const reason = result?.answer?.reason
    if (reason === undefined) return
    ctx.log.error({ chargeId: id, reason }, 'The provider refused to refund a charge')
    const refused = { ...charge, amount: total - charge.refundedAmount, total }
    return ctx.inTransaction((tx) => recordRefusedRefund(tx, refused, reason))
  }
  await ctx.inTransaction(async (tx) => {
    await lockPayer(tx.db, charge.memberId)
    const now = await findCharge(tx.db, tx.customer.id, id)
    if (!now || now.refundedAmount >= total) return
    await closeRefusedRefund(tx, id)
    await updateCharge(tx.db, charge, { refundedAmount: total })
    const { customerId, subscriptionId, memberId, planId } = charge
    const amount = total - now.refundedAmount
    const event = { type: 'REFUNDED', amount, chargeId: id, detail: charge.failure } as const
    await recordSubscriptionEvent(tx, { customerId, id: subscriptionId, memberId, planId }, event)
    // Of a charge that came too late, nobody was told that it was paid.
    if (!isUnapplied) await publishRefund(tx, charge, { amount, total })
  })
}

const publishRefund = (
  ctx: Ctx,
  { id: chargeId, subscriptionId, memberId, planId, amount: charged, currency }: ChargeRow,
  { amount, total }: { amount: number; total: number },
) =>
  emit(ctx, 'chargeRefunded', {
    subscriptionId,
    memberId,
    planId,
    chargeId,
    amount: { amount, currency },
    refundedTotal: { amount: total, currency },
    whole: total >= charged,
  })

interface ChargeRefund {
  chargeId: PaymentId
  /**
   * Minor units refunded in all, including earlier refunds. Naming the total makes a repeat safe.
   */
  total: number
  /** Whether the subscription ends at once. */
  ends: boolean
  by: AuditActor
  reason: string
}

/**
 * Refunds a subscription charge, in part or in full. Only an operator decides this, and the audit
 * log names them. Fails with NOT_FOUND if there is no such paid charge, VALIDATION_FAILED if
 * `total` is not between 0 and its amount, PROVIDER_UNAVAILABLE, and CONFLICT if the provider
 * refuses. `total` is in minor units and includes earlier refunds.
 */
export const refundCharge = async (ctx: PaymentCtx, refund: ChargeRefund): Promise<Failure | undefined> => {
  const { chargeId, total } = refund
  const charge = await ctx.inTransaction(({ db, customer }) => findCharge(db, customer.id, chargeId))
  if (charge?.status !== 'PAID') return failure('NOT_FOUND')
  const i18n = messagesOf(ctx.locale)
  const amount = `${writeMoney(charge.amount, charge.currency)} ${charge.currency}`
  if (!Number.isSafeInteger(total) || total <= 0 || total > charge.amount)
    return invalidField('total', i18n._('Enter more than 0 and at most {amount}.', { amount }))
  const result = await callProvider(ctx, { chargeId }, () =>
    ctx.providerNamed(charge.provider).refund(merchantOf(ctx), chargeId, total),
  )
  if (!result) return failure('PROVIDER_UNAVAILABLE')
  if (result.answer.code === 'REFUSED') return failure('CONFLICT', { data: { reason: result.answer.reason } })
  await ctx.inTransaction(async (tx) => {
    const { db, customer } = tx
    await lockPayer(db, charge.memberId)
    const now = await findCharge(db, customer.id, chargeId)
    const before = now?.refundedAmount ?? 0
    if (!now) return
    const { customerId, subscriptionId, memberId, planId } = charge
    const amount = Math.max(0, total - before)
    if (amount > 0) {
      const refundedByStaff = now.refundedByStaff + (refund.ends ? 0 : amount)
      await updateCharge(db, now, { refundedAmount: total, refundedByStaff })
      const subject = { customerId, id: subscriptionId, memberId, planId }
      await recordSubscriptionEvent(tx, subject, { type: 'REFUNDED', amount, chargeId })
      await publishRefund(tx, charge, { amount, total })
    }
    // The charge may belong to an earlier subscription. The current one continues.
    const ended = refund.ends && (await endMemberSubscription(tx, memberId, 'REFUNDED', subscriptionId))
    if (amount === 0 && !ended) return
    await audit(tx, {
      actor: refund.by,
      action: 'subscription.refunded',
      subject: `charge:${chargeId}`,
      detail: { memberId, subscriptionId, amount, total, currency: charge.currency, ended, reason: refund.reason },
    })
  })
  return undefined
}
