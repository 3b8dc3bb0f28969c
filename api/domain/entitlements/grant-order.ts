import type { Ctx } from '#api/context.ts'
import { insertEntitlements } from '#api/db/queries/entitlements.ts'
import type { OrderItemRow } from '#api/db/queries/orders.ts'
import type { MemberId, OrderItemId, ProductId } from '#contract/ids.ts'

const day = 86_400_000

/** Gives a member what an order bought, in the transaction that settles it. Repeating it gives nothing twice. */
export const grantOrder = (
  ctx: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Ctx['customer'], 'id'> },
  memberId: MemberId,
  items: readonly OrderItemRow[],
) => {
  const now = ctx.clock.now()
  const grants = items.map((item) => ({
    memberId,
    productId: item.productId as ProductId,
    orderItemId: item.id as OrderItemId,
    source: item.optionType as 'OWN' | 'RENT',
    rentalDays: item.days,
    startBy: item.startWithinDays === null ? null : new Date(now.getTime() + item.startWithinDays * day).toISOString(),
  }))
  return insertEntitlements(ctx.db, ctx.customer.id, grants, now)
}
