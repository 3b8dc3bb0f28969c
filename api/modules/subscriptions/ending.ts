import { activeCards, lockPayer, updateCard } from '#api/modules/billing/cards.queries.ts'
import { callProvider } from '#api/modules/billing/cards.ts'
import { merchantOf, type PaymentEnv } from '#api/modules/billing/payment-states.ts'
import { closeRefusedRefund, noteRefusedRefund, refusalsOf } from '#api/modules/billing/refunds.queries.ts'
import type { EndReason } from '#api/modules/plans/plans.schema.ts'
import {
  appendSubscriptionEvent,
  closeQuotes,
  findCurrentSubscription,
  type SubscriptionRow,
  updateSubscription,
} from '#api/modules/plans/subscriptions.queries.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, type MemberCtx } from '#api/platform/context.ts'
import { writeMoney } from '#api/platform/csv.ts'
import type { MemberId, PaymentId } from '#contract/ids.ts'
import { type ChargeRow, findCharge, unappliedCharges, updateCharge } from './charges.queries.ts'
import { mailCancelled } from './subscription-mails.ts'

/**
 * Ends a subscription now. Requires the payer's lock. A subscription that never started is not
 * recorded in the history.
 */
export const end = async (ctx: Ctx, subscription: SubscriptionRow, reason: EndReason) => {
  const now = ctx.clock.now()
  await closeQuotes(ctx.db, subscription, now)
  if (subscription.activatedAt !== null)
    await appendSubscriptionEvent(ctx.db, subscription, { type: 'ENDED', detail: reason, at: now })
  return updateSubscription(ctx.db, subscription, {
    endedAt: now.toISOString(),
    endReason: reason,
    nextAttemptAt: null,
  })
}

/**
 * Ends a member's subscription at once; a pending charge that is paid later is refunded. Returns
 * whether there was a subscription. When a member leaves the store, their cards are removed here,
 * and the next sweep deletes them at the provider. With `only`, any other subscription continues.
 */
export const endSubscription = async (
  ctx: Ctx,
  memberId: MemberId,
  reason: Extract<EndReason, 'WITHDRAWN' | 'REFUNDED'>,
  only?: string,
): Promise<boolean> => {
  await lockPayer(ctx.db, memberId)
  const found = await findCurrentSubscription(ctx.db, ctx.customer.id, memberId)
  const standing = only === undefined || found?.id === only ? found : null
  if (standing) await end(ctx, standing, reason)
  if (reason === 'WITHDRAWN') {
    const removed = { status: 'REMOVED' as const, isDefault: false, removedAt: ctx.clock.now().toISOString() }
    for (const card of await activeCards(ctx.db, ctx.customer.id, memberId)) await updateCard(ctx.db, card, removed)
  }
  return standing !== null
}

/** Locks the payer and returns the member's active subscription. */
const standing = async ({ db, customer, actor }: MemberCtx): Promise<SubscriptionRow | null> => {
  await lockPayer(db, actor.memberId)
  const row = await findCurrentSubscription(db, customer.id, actor.memberId)
  return row?.activatedAt ? row : null
}

/**
 * Cancels at the end of the paid period. An overdue subscription, for which nothing is paid, ends
 * at once. Safe to repeat.
 */
export const cancelSubscription = async (ctx: MemberCtx, reason: string | undefined): Promise<Failure | undefined> => {
  const row = await standing(ctx)
  if (!row) return failure('NOT_FOUND')
  if (row.cancelAt !== null) return undefined
  const now = ctx.clock.now()
  const cancelReason = reason || null
  await appendSubscriptionEvent(ctx.db, row, { type: 'CANCEL_SET', at: now })
  const cancelled = await updateSubscription(ctx.db, row, {
    cancelAt: row.status === 'PENDING' ? now.toISOString() : row.periodEnd,
    cancelReason,
  })
  await mailCancelled(ctx, cancelled)
  if (row.status === 'PENDING') await end(ctx, cancelled, 'CANCELLED')
  return undefined
}

/** Revokes a cancellation that has not taken effect. Safe to repeat. */
export const resumeSubscription = async (ctx: MemberCtx): Promise<Failure | undefined> => {
  const row = await standing(ctx)
  if (!row) return failure('NOT_FOUND')
  if (row.cancelAt === null) return undefined
  const now = ctx.clock.now()
  if (Date.parse(row.cancelAt) <= now.getTime()) return failure('CONFLICT')
  await updateSubscription(ctx.db, row, { cancelAt: null, cancelReason: null })
  await appendSubscriptionEvent(ctx.db, row, { type: 'CANCEL_UNDONE', at: now })
  return undefined
}

const atOnce = 100

/** Retries follow after 2, 4, 8, … minutes, at most a day apart. */
const pauseMilliseconds = (attempts: number) => Math.min(2 ** attempts, 24 * 60) * 60_000

/**
 * Refunds charges of subscriptions that had already ended. The provider receives the cumulative
 * total, so that a repeat refunds nothing twice. If the provider is unavailable, the next sweep
 * tries again; a refusal opens a case and is retried with growing delays.
 */
export const refundUnappliedCharges = async (env: PaymentEnv): Promise<void> => {
  const due = await env.inTransaction((ctx) => unappliedCharges(ctx.db, ctx.customer.id, ctx.clock.now(), atOnce))
  for (const charge of due) await refundUnapplied(env, charge)
}

const refundUnapplied = async (env: PaymentEnv, charge: ChargeRow) => {
  const id = charge.id
  const merchant = merchantOf(env)
  const said = await callProvider(env, { chargeId: id }, async () => {
    const provider = env.providerNamed(charge.provider)
    const paid = await provider.query(merchant, id)
    return paid && provider.refund(merchant, id, paid.amount.amount)
  })
  if (said?.answer?.code !== 'REFUNDED') {
    const reason = said?.answer?.reason
    if (reason === undefined) return
    env.log.error({ chargeId: id, reason }, 'The provider refuses to give a charge back')
    return env.inTransaction((ctx) => recordRefundRefusal(ctx, charge, reason))
  }
  await env.inTransaction(async (ctx) => {
    await lockPayer(ctx.db, charge.memberId)
    const now = await findCharge(ctx.db, ctx.customer.id, id)
    if (!now || now.refundedAmount >= now.amount) return
    await closeRefusedRefund(ctx.db, ctx.customer.id, id, ctx.clock.now())
    const { refundedAmount } = await updateCharge(ctx.db, charge, { refundedAmount: charge.amount })
    const { customerId, subscriptionId, memberId, planId } = charge
    const event = { type: 'REFUNDED', amount: refundedAmount, detail: charge.failure, at: ctx.clock.now() } as const
    await appendSubscriptionEvent(ctx.db, { customerId, id: subscriptionId, memberId, planId }, event)
  })
}

const recordRefundRefusal = async ({ db, customer, clock }: Ctx, charge: ChargeRow, reason: string) => {
  await lockPayer(db, charge.memberId)
  const now = clock.now()
  const attempts = (await refusalsOf(db, customer.id, charge.id)) + 1
  const { id: chargeId, amount, currency, memberId } = charge
  const nextAttemptAt = new Date(now.getTime() + pauseMilliseconds(attempts)).toISOString()
  const data = { kind: 'CHARGE_REFUND_REFUSED', chargeId, amount, currency, reason, attempts, nextAttemptAt } as const
  const subject = `The refund of the charge ${chargeId} of a subscription was refused`
  await noteRefusedRefund(db, customer.id, { memberId, subject, data }, now)
}

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
 * log names them.
 */
export const refundCharge = async (env: PaymentEnv, refund: ChargeRefund): Promise<Failure | undefined> => {
  const { chargeId, total } = refund
  const charge = await env.inTransaction(({ db, customer }) => findCharge(db, customer.id, chargeId))
  if (charge?.status !== 'PAID') return failure('NOT_FOUND')
  if (!Number.isSafeInteger(total) || total <= 0 || total > charge.amount)
    return failure('VALIDATION_FAILED', {
      errors: {
        total: [`Give more than 0 and ${writeMoney(charge.amount, charge.currency)} ${charge.currency} at most.`],
      },
    })
  const said = await callProvider(env, { chargeId }, () =>
    env.providerNamed(charge.provider).refund(merchantOf(env), chargeId, total),
  )
  if (!said) return failure('PROVIDER_UNAVAILABLE')
  if (said.answer.code === 'REFUSED') return failure('CONFLICT', { data: { reason: said.answer.reason } })
  await env.inTransaction(async (ctx) => {
    const { db, customer } = ctx
    await lockPayer(db, charge.memberId)
    const now = await findCharge(db, customer.id, chargeId)
    const before = now?.refundedAmount ?? 0
    if (!now) return
    const { customerId, subscriptionId, memberId, planId } = charge
    const amount = Math.max(0, total - before)
    if (amount > 0) {
      await updateCharge(db, now, { refundedAmount: total })
      const subject = { customerId, id: subscriptionId, memberId, planId }
      await appendSubscriptionEvent(db, subject, { type: 'REFUNDED', amount, at: ctx.clock.now() })
    }
    // The charge may belong to an earlier subscription. The current one continues.
    const ended = refund.ends && (await endSubscription(ctx, memberId, 'REFUNDED', subscriptionId))
    if (amount === 0 && !ended) return
    await audit(ctx, {
      actor: refund.by,
      action: 'subscription.refunded',
      subject: `charge:${chargeId}`,
      detail: { memberId, subscriptionId, amount, total, currency: charge.currency, ended, reason: refund.reason },
    })
  })
  return undefined
}
