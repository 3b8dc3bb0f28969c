import type { OrderItemId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'

type Item = Order['items'][number]

/** An item of an order, as far as it can go back. */
export interface CancelItem {
  item: Item
  /** GOES: it was not opened. DESK: it was, so a person decides. STAYS: it cannot go back (any more). */
  way: 'GOES' | 'ADMIN' | 'STAYS'
}

/** What of an order can go back, and how. */
export const cancelItems = ({ items, cancel }: Order): CancelItem[] =>
  items.map((item) => {
    if (cancel.reviewItemIds.includes(item.id)) return { item, way: 'ADMIN' }
    return { item, way: cancel.itemIds.includes(item.id) ? 'GOES' : 'STAYS' }
  })

interface CancelChoice {
  itemIds: OrderItemId[]
  amount: Money
  /** The money goes back at once; otherwise an operator decides. */
  automatic: boolean
}

/** What a choice of items is worth, and who decides about it. */
export function weighChoice(order: Order, chosen: ReadonlySet<string>): CancelChoice {
  const picked = cancelItems(order).filter(({ item, way }) => way !== 'STAYS' && chosen.has(item.id))
  return {
    itemIds: picked.map(({ item }) => item.id),
    amount: { ...order.total, amount: picked.reduce((sum, { item }) => sum + item.price.amount, 0) },
    automatic:
      picked.every(({ way }) => way === 'GOES') &&
      (order.cancel.automatic || (picked.length > 0 && picked.every(({ item }) => !item.product.ready))),
  }
}
