import { cancelUntil } from '#api/modules/entitlements/entitlements.ts'
import type { OrderItemRow, OrderRow } from '#api/modules/orders/orders.queries.ts'
import { leftOfItem } from '#api/modules/orders/orders.ts'
import type { OrderItemId, ProductId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { stateOf } from './payment-states.ts'
import type { CancelRequestRow } from './refunds.queries.ts'

/**
 * The cancellation terms of an order for its member. Amounts are in minor units of the order's
 * currency.
 */
export interface CancelTerms extends Omit<Order['cancel'], 'amount' | 'itemIds' | 'reviewItemIds'> {
  amount: number
  itemIds: OrderItemId[]
  reviewItemIds: OrderItemId[]
}

export interface CancelSubject {
  order: Pick<OrderRow, 'status' | 'method' | 'paidAt' | 'totalAmount'>
  items: readonly Pick<
    OrderItemRow,
    'id' | 'productId' | 'openedAt' | 'refundedAt' | 'priceAmount' | 'refundedAmount'
  >[]
  /** Ids of the products that have content to watch or download. */
  ready: ReadonlySet<ProductId>
  /** The open request. */
  request: Pick<CancelRequestRow, 'step' | 'itemIds' | 'amount'> | null
  refundDays: number
  now: Date
}

/**
 * Returns the refund terms of an order. Within the refund period, every item can be requested.
 * Unopened items paid by card are refunded at once, by rule; an operator decides about the others.
 * An unopened item remains refundable on its own. Items without any content are refunded at once at
 * any time, whatever the payment method.
 */
export const cancelTerms = ({ order, items, ready, request, refundDays, now }: CancelSubject): CancelTerms => {
  const none = (why: CancelTerms['why']): CancelTerms => ({
    action: 'NONE',
    why,
    automatic: false,
    itemIds: [],
    reviewItemIds: [],
    amount: 0,
    until: null,
    needsAccount: false,
  })
  const remaining = items.filter((item) => item.refundedAt === null)
  const state = stateOf(order)
  switch (state) {
    case 'DRAFT':
    case 'PAYMENT_FAIL':
      return none('NOT_PAID')
    case 'CANCEL_COMPLETE':
      return none('DONE')
    case 'DEPOSIT_WAITING':
      return { ...none(null), action: 'DEPOSIT', automatic: true, itemIds: remaining.map((item) => item.id) }
    case 'CANCEL_REQUEST':
      if (request?.step !== 'PENDING') return none('UNDER_WAY')
      return { ...none(null), action: 'WITHDRAW', itemIds: request.itemIds, amount: request.amount }
    case 'PAYMENT_COMPLETE':
      break
    default:
      state satisfies never
  }
  const until = cancelUntil(order, refundDays)
  if (until === null) return none('NOT_PAID')
  if (remaining.length === 0) return none('DONE')
  const isLate = Date.parse(until) <= now.getTime()
  const isMissing = (item: (typeof remaining)[number]) => item.openedAt === null && !ready.has(item.productId)
  const inTime = isLate ? remaining.filter(isMissing) : remaining
  if (inTime.length === 0) return none('TOO_LATE')
  const unopened = inTime.filter((item) => item.openedAt === null)
  const opened = inTime.filter((item) => item.openedAt !== null)
  const chosen = unopened.length > 0 ? unopened : opened
  return {
    action: 'REFUND',
    why: unopened.length > 0 ? null : 'ALL_OPENED',
    automatic: unopened.length > 0 && (order.method === 'CARD' || unopened.every(isMissing)),
    itemIds: chosen.map((item) => item.id),
    reviewItemIds: opened.map((item) => item.id),
    amount: chosen.reduce((sum, item) => sum + leftOfItem(item), 0),
    until: isLate ? null : until,
    needsAccount: order.method === 'BANK',
  }
}
