import type { Ctx } from '#api/context.ts'
import type { HeldEntitlement } from '#api/db/queries/entitlements.ts'
import type { ViewerState } from '#contract/catalog.ts'
import { cancelUntil } from './cancel-terms.ts'

/** What ends with the first play or download of a right: the money that could still come back, and until when; null where there is none. */
export const refundableOf = (
  { customer, clock }: Pick<Ctx, 'customer' | 'clock'>,
  right: HeldEntitlement | null,
): ViewerState['refundable'] => {
  if (right === null || right.startedAt !== null || right.openedAt !== null || right.refundedAt !== null) return null
  const { paidAt, priceAmount, totalAmount, currency } = right
  if (!priceAmount || totalAmount === null || currency === null) return null
  const until = cancelUntil({ paidAt, totalAmount }, customer.settings.order.refundDays)
  if (until === null || Date.parse(until) <= clock.now().getTime()) return null
  return { amount: { amount: priceAmount, currency }, until }
}
