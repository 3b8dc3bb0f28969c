import type { Ctx } from '#api/platform/context.ts'
import type { MemberId, PaymentId } from '#contract/ids.ts'
import { lockPayer } from './cards.queries.ts'
import { completeRefusedRefund, refusalsOf, saveRefusedRefund } from './refunds.queries.ts'

/** Retries follow after 2, 4, 8, … minutes, at most a day apart. */
const pauseMilliseconds = (attempts: number) => Math.min(2 ** attempts, 24 * 60) * 60_000

/** A charge of a subscription. `amount` is in minor units of its currency. */
interface RefusedCharge {
  id: PaymentId
  memberId: MemberId
  amount: number
  currency: string
}

/**
 * Records that the provider refuses the refund of a charge: a case for an operator, one per charge,
 * with the time of the next retry.
 */
export const recordRefusedRefund = async (
  { db, customer, clock }: Ctx,
  { id: chargeId, memberId, amount, currency }: RefusedCharge,
  reason: string,
) => {
  await lockPayer(db, memberId)
  const now = clock.now()
  const attempts = (await refusalsOf(db, customer.id, chargeId)) + 1
  const nextAttemptAt = new Date(now.getTime() + pauseMilliseconds(attempts)).toISOString()
  const data = { kind: 'CHARGE_REFUND_REFUSED', chargeId, amount, currency, reason, attempts, nextAttemptAt } as const
  const subject = `The refund of the charge ${chargeId} of a subscription was refused`
  await saveRefusedRefund(db, customer.id, { memberId, subject, data }, now)
}

/** Closes the case of a charge after its refund succeeded. */
export const closeRefusedRefund = ({ db, customer, clock }: Ctx, chargeId: PaymentId) =>
  completeRefusedRefund(db, customer.id, chargeId, clock.now())
