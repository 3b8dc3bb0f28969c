import type { MemberCtx } from '#api/context.ts'
import { itemsOf, listOrders as selectOrders } from '#api/db/queries/orders.ts'
import { cardsOf } from '#api/domain/catalog/cards.ts'
import type { OrderStatus, PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, ProductId } from '#contract/ids.ts'
import type { OrderSummary } from '#contract/orders.ts'
import type { Page } from '#contract/paging.ts'
import { dayAfter, startOfDay } from './day.ts'
import { languageOf } from './view-order.ts'

export interface OrderQuery {
  status?: OrderStatus | undefined
  /** Calendar days of the tenant's time zone, both inside. */
  from?: string | undefined
  to?: string | undefined
  page: number
  size: number
}

/** The member's orders, latest first. */
export const listOrders = async (ctx: MemberCtx, query: OrderQuery): Promise<Page<OrderSummary>> => {
  const { timeZone } = ctx.customer.settings.base
  const filter = {
    status: query.status,
    from: query.from ? startOfDay(query.from, timeZone) : undefined,
    to: query.to ? startOfDay(dayAfter(query.to), timeZone) : undefined,
  }
  const { rows, total } = await selectOrders(ctx.db, ctx.customer.id, ctx.actor.memberId, filter, query)
  const items = await itemsOf(
    ctx.db,
    ctx.customer.id,
    rows.map((order) => order.id),
  )
  const cards = await cardsOf(ctx, [...new Set(items.map((item) => item.productId as ProductId))])

  const summaries = rows.map((order): OrderSummary => {
    const mine = items.filter((item) => item.orderId === order.id)
    const first = mine[0]
    const poster = first && cards.get(first.productId as ProductId)?.poster
    return {
      code: order.code as OrderCode,
      status: order.status as OrderStatus | null,
      total: { amount: order.totalAmount, currency: order.currency },
      refundedAmount: { amount: order.refundedAmount, currency: order.currency },
      method: order.method as PaymentMethod | null,
      createdAt: order.createdAt,
      paidAt: order.paidAt,
      title: first?.productTitle ?? '',
      ...(first && languageOf(ctx, 'title', first.titleLanguage)),
      itemCount: mine.length,
      poster: poster ? { url: poster.url, color: poster.color } : null,
    }
  })
  return { items: summaries, total, page: query.page, size: query.size }
}
