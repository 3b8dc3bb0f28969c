import { lockPayer } from '#api/db/queries/cards.ts'
import { findCharge, updateCharge } from '#api/db/queries/subscription-charges.ts'
import { appendSubscriptionEvent } from '#api/db/queries/subscriptions.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { writeMoney } from '#api/domain/exchange/money-text.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { merchantOf, type PaymentEnv } from '#api/domain/payments/env.ts'
import type { MemberId, PaymentId } from '#contract/ids.ts'
import { endSubscription } from './end-subscription.ts'
import { asked } from './vault.ts'

interface ChargeRefund {
  chargeId: PaymentId
  /** Minor units given back in all, with what was given back before; naming the total makes it safe to repeat. */
  total: number
  /** Whether the subscription ends with it, at once. */
  ends: boolean
  by: AuditActor
  reason: string
}

/** Gives money of a subscription's charge back: the desk alone decides that, and it is written down who did. */
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
  const said = await asked(env, { chargeId }, () =>
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
    // The charge may be of a subscription before the one that stands: that one goes on.
    const ended = refund.ends && (await endSubscription(ctx, memberId as MemberId, 'REFUNDED', subscriptionId))
    if (amount === 0 && !ended) return
    await audit(ctx, {
      ...{ actor: refund.by, action: 'subscription.refunded', subject: `charge:${chargeId}` },
      detail: { memberId, subscriptionId, amount, total, currency: charge.currency, ended, reason: refund.reason },
    })
  })
  return undefined
}
