import type { Ctx } from '#api/context.ts'
import { deleteCartProducts, findCart, lockCart, moveCartVersion } from '#api/db/queries/carts.ts'
import { appendOrderEvent, itemsOf, type OrderRow, updateOrder } from '#api/db/queries/orders.ts'
import { grantOrder } from '#api/domain/entitlements/grant-order.ts'
import type { MemberId, ProductId } from '#contract/ids.ts'

/**
 * An order is paid: its status, the rights it gives, its place in the timeline, and the cart without what was bought, all in the
 * transaction that holds the order's lock.
 */
export const completeOrder = async (ctx: Ctx, order: OrderRow, detail: string | null) => {
  const now = ctx.clock.now()
  const memberId = order.memberId as MemberId
  const items = await itemsOf(ctx.db, ctx.customer.id, [order.id])
  await updateOrder(ctx.db, order, { status: 'PAYMENT_COMPLETE', paidAt: now.toISOString(), expiresAt: null })
  await appendOrderEvent(ctx.db, order, { type: 'PAID', amount: order.totalAmount, detail, at: now })
  await grantOrder(ctx, memberId, items)

  if (!(await findCart(ctx.db, ctx.customer.id, { memberId }))) return
  const cart = await lockCart(ctx.db, ctx.customer.id, { memberId })
  const bought = items.map((item) => item.productId as ProductId)
  if ((await deleteCartProducts(ctx.db, cart, bought)) > 0) await moveCartVersion(ctx.db, cart, now)
}
