import type { Ctx } from '#api/context.ts'
import { closeReversals } from '#api/db/queries/cancel-requests.ts'
import { deleteCartProducts, findCart, lockCart, moveCartVersion } from '#api/db/queries/carts.ts'
import { suspendEntitlements } from '#api/db/queries/entitlements.ts'
import { appendOrderEvent, itemsOf, type OrderItemRow, type OrderRow, updateOrder } from '#api/db/queries/orders.ts'
import { grantOrder } from '#api/domain/entitlements/grant-order.ts'
import { mailReceipt } from '#api/domain/receipts/mail-receipt.ts'
import type { MemberId, ProductId } from '#contract/ids.ts'

/**
 * An order is paid: its status, the rights it gives, its place in the timeline, the receipt, and the cart without what was bought, all
 * in the transaction that holds the order's lock. Rights that waited while a deposit was reversed come back.
 */
export const completeOrder = async (ctx: Ctx, order: OrderRow, detail: string | null) => {
  const now = ctx.clock.now()
  const items = await itemsOf(ctx.db, ctx.customer.id, [order.id])
  const paid = { status: 'PAYMENT_COMPLETE', paidAt: now.toISOString(), expiresAt: null, depositDeadline: null }
  await updateOrder(ctx.db, order, paid)
  await appendOrderEvent(ctx.db, order, { type: 'PAID', amount: order.totalAmount, detail, at: now })
  await grantOrder(ctx, order.memberId as MemberId, items)
  await suspendEntitlements(
    ctx.db,
    ctx.customer.id,
    items.map((item) => item.id),
    false,
  )
  await closeReversals(ctx.db, ctx.customer.id, order.id, now)
  await takeOutOfCart(ctx, order, items)
  await mailReceipt(ctx, { ...order, ...paid }, items)
}

/** Takes what an order holds out of its member's cart. */
export const takeOutOfCart = async (ctx: Ctx, order: OrderRow, items: readonly OrderItemRow[]) => {
  const memberId = order.memberId as MemberId
  if (!(await findCart(ctx.db, ctx.customer.id, { memberId }))) return
  const cart = await lockCart(ctx.db, ctx.customer.id, { memberId })
  const bought = items.map((item) => item.productId as ProductId)
  if ((await deleteCartProducts(ctx.db, cart, bought)) > 0) await moveCartVersion(ctx.db, cart, ctx.clock.now())
}
