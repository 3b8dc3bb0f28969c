import type { Ctx } from '#api/context.ts'
import type { OrderItemRow, OrderRow } from '#api/db/queries/orders.ts'
import { queueMemberMail } from '#api/domain/mail/queue-mail.ts'
import { receiptMail } from '#api/mail/templates/receipt.ts'
import type { MemberId } from '#contract/ids.ts'

/** The receipt of an order that has just been paid. One that is paid anew, after a reversal, gets another. */
export const mailReceipt = async (ctx: Ctx, order: OrderRow, items: readonly OrderItemRow[]) => {
  if (order.paidAt === null) return
  const { currency, totalAmount } = order
  await queueMemberMail(ctx, order.memberId as MemberId, {
    template: receiptMail,
    data: {
      code: order.code,
      items: items.map((item) => ({
        title: item.productTitle,
        option: item.optionName,
        price: { amount: item.priceAmount, currency },
      })),
      total: { amount: totalAmount, currency },
      paidAt: order.paidAt,
      refundDays: totalAmount > 0 ? ctx.customer.settings.order.refundDays : null,
    },
    once: `receipt:${order.id}:${order.paidAt}`,
  })
}
