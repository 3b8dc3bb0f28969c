import type { Ctx } from '#api/context.ts'
import { lockPayer } from '#api/db/queries/cards.ts'
import { closeRefusedRefund, noteRefusedRefund, refusalsOf } from '#api/db/queries/refused-refunds.ts'
import { type ChargeRow, findCharge, undueCharges, updateCharge } from '#api/db/queries/subscription-charges.ts'
import { appendSubscriptionEvent } from '#api/db/queries/subscriptions.ts'
import { merchantOf, type PaymentEnv } from '#api/domain/payments/env.ts'
import type { PaymentId } from '#contract/ids.ts'
import { asked } from './vault.ts'

const atOnce = 100

/** Tried again after 2, 4, 8, … minutes, at most a day apart. */
const pauseMilliseconds = (attempts: number) => Math.min(2 ** attempts, 24 * 60) * 60_000

/**
 * Gives back what was charged for a subscription that had ended. The provider is told the total, so that a repeat gives nothing twice.
 * What it does not answer is tried again by the next sweep; what it refuses stands on the desk, and is tried again later and later.
 */
export const giveBackCharges = async (env: PaymentEnv): Promise<void> => {
  const due = await env.inTransaction((ctx) => undueCharges(ctx.db, ctx.customer.id, ctx.clock.now(), atOnce))
  for (const charge of due) await giveBack(env, charge)
}

const giveBack = async (env: PaymentEnv, charge: ChargeRow) => {
  const id = charge.id as PaymentId
  const merchant = merchantOf(env)
  const said = await asked(env, { chargeId: id }, async () => {
    const provider = env.providerNamed(charge.provider)
    const paid = await provider.query(merchant, id)
    return paid && provider.refund(merchant, id, paid.amount.amount)
  })
  if (said?.answer?.code !== 'REFUNDED') {
    const reason = said?.answer?.reason
    if (reason === undefined) return
    env.log.error({ chargeId: id, reason }, 'The provider refuses to give a charge back')
    return env.inTransaction((ctx) => putOnTheDesk(ctx, charge, reason))
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

const putOnTheDesk = async ({ db, customer, clock }: Ctx, charge: ChargeRow, reason: string) => {
  await lockPayer(db, charge.memberId)
  const now = clock.now()
  const attempts = (await refusalsOf(db, customer.id, charge.id)) + 1
  const { id: chargeId, amount, currency, memberId } = charge
  const nextAttemptAt = new Date(now.getTime() + pauseMilliseconds(attempts)).toISOString()
  const data = { kind: 'CHARGE_REFUND_REFUSED', chargeId, amount, currency, reason, attempts, nextAttemptAt } as const
  const subject = `The refund of the charge ${chargeId} of a subscription was refused`
  await noteRefusedRefund(db, customer.id, { memberId, subject, data }, now)
}
