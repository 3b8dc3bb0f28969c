import * as z from 'zod/mini'
import {
  optionType,
  orderSort,
  orderStatus,
  orderWay,
  paymentMethod,
  recordedMethod,
  refundStep,
} from '../enumerations.ts'
import { memberId, orderCode, orderItemId, productCode, productId } from '../ids.ts'
import { money } from '../money.ts'
import { order, payment } from '../orders.ts'
import { inOrder } from '../paging.ts'
import { requiredText } from '../text.ts'
import { auditEntry } from './audit.ts'
import { amountLimit, exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'

export const buyer = z.object({ id: memberId, email: z.string(), name: z.string() })

const orderRow = z.object({
  code: orderCode,
  status: orderStatus,
  method: paymentMethod,
  way: orderWay,
  /** How a recorded sale was paid. */
  recordedAs: z.nullable(recordedMethod),
  /** Of the payment that paid the order, or else of the latest one. */
  provider: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  paidAt: z.nullable(z.iso.datetime()),
  total: money,
  refunded: money,
  /** Given by the store for nothing. */
  complimentary: z.boolean(),
  /** Null for a withdrawn account. */
  member: z.nullable(buyer),
  titles: z.array(z.string()),
  createdAt: z.iso.datetime(),
})

const orderFilters = {
  status: z.optional(orderStatus),
  way: z.optional(orderWay),
  /** Orders with this product. */
  product: z.optional(productCode),
  /** Limits of the total in minor units, both inclusive. */
  min: z.optional(amountLimit),
  max: z.optional(amountLimit),
  memberId: z.optional(memberId),
  /** The start (with its day) or the end of a code, or a part of the member’s name or email. */
  q: searchText,
  /** Days in the store’s time zone, both inclusive. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  sort: z._default(orderSort, 'NEWEST'),
}
export const storeOrderQuery = z
  .object({ ...keysetQuery, ...orderFilters })
  .check(inOrder('from', 'to'), inOrder('min', 'max'))
export const storeOrderExport = z
  .object({ ...orderFilters, columns: exportedColumns })
  .check(inOrder('from', 'to'), inOrder('min', 'max'))
export const storeOrderPage = keysetPage(orderRow)

/** `q` is the start (with its day) or the end of a code, or a part of a name or an email. */
export const orderSearch = z.object({
  q: requiredText(100),
  size: z._default(z.int().check(z.gte(1), z.lte(20)), 5),
})
export const foundOrders = z.object({ items: z.array(z.pick(orderRow, { code: true, member: true })) })

/** A note of an operator, which is part of the timeline. */
export const noteBody = requiredText(2000)

export const storeOrder = z.object({
  code: orderCode,
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  status: z.nullable(orderStatus),
  method: z.nullable(paymentMethod),
  total: money,
  refunded: money,
  /** Given by the store for nothing. */
  complimentary: z.boolean(),
  /** How a sale outside of the store was paid; null for orders that were placed in the store. */
  recordedAs: z.nullable(recordedMethod),
  member: z.nullable(buyer),
  items: z.array(
    z.object({
      id: orderItemId,
      productId,
      productCode: z.string(),
      title: z.string(),
      option: z.string(),
      optionType,
      price: money,
      /** What was refunded of the price while the member keeps the title. */
      refundedPart: money,
      openedAt: z.nullable(z.iso.datetime()),
      refundedAt: z.nullable(z.iso.datetime()),
    }),
  ),
  payments: z.array(
    z.object({
      provider: z.string(),
      providerRef: z.nullable(z.string()),
      method: paymentMethod,
      status: payment.shape.status,
      amount: money,
      refunded: money,
      failure: z.nullable(z.string()),
      createdAt: z.iso.datetime(),
    }),
  ),
  /** The latest refund or request of a refund. */
  refund: z.nullable(
    z.object({
      step: refundStep,
      byStore: z.boolean(),
      reason: z.string(),
      amount: money,
      itemIds: z.array(orderItemId),
      outcome: z.nullable(z.enum(['REFUNDED', 'REJECTED', 'WITHDRAWN'])),
      rejection: z.nullable(z.string()),
      failure: z.nullable(z.string()),
      /** Waits for the bank account of the member. */
      needsAccount: z.boolean(),
      createdAt: z.iso.datetime(),
    }),
  ),
  /**
   * What the store’s refund rule gives the member now, without a decision: nothing of titles that
   * were opened. See `cancel` of the member’s order.
   */
  rule: z.pick(order.shape.cancel, { action: true, why: true, itemIds: true, amount: true, until: true }),
  timeline: order.shape.timeline,
  /** Changes and notes of operators, latest first. */
  history: z.array(auditEntry),
  createdAt: z.iso.datetime(),
  paidAt: z.nullable(z.iso.datetime()),
  depositDeadline: z.nullable(z.iso.datetime()),
})
export type StoreOrder = z.output<typeof storeOrder>

export const storeOrderPath = z.object({ code: orderCode })
export const storeRefund = z.object({
  code: orderCode,
  /** Without items, everything that is not refunded yet. */
  itemIds: z._default(z.array(orderItemId).check(z.maxLength(100)), []),
  /**
   * A part of the price of one item, in minor units: the member keeps it. All that is left of the
   * price refunds the item.
   */
  amount: z.optional(z.int().check(z.gte(1), z.lte(1e12))),
  /** For the audit log; the member does not see it. */
  reason: requiredText(500),
  /** Refunds items that the rule would not refund. */
  overridesRule: z._default(z.boolean(), false),
})
/**
 * REFUND: refunded. ACCEPT: the provider has not confirmed it yet and is asked again. ACCOUNT: the
 * member is asked for a bank account.
 */
export const storeRefunded = z.object({
  step: z.enum(['REFUND', 'ACCEPT', 'ACCOUNT']),
  amount: money,
  titles: z.array(z.string()),
})
export const complimentaryOrder = z.object({
  memberId,
  /** Titles to own for ever. */
  productCodes: z.array(productCode).check(z.minLength(1), z.maxLength(50)),
  /** For the audit log; the member does not see it. */
  reason: requiredText(500),
})
export const orderCreated = z.object({ code: orderCode })
export const cancelRejection = z.object({
  code: orderCode,
  /** The member reads it. */
  reason: requiredText(500),
})
export const orderCancel = z.object({
  code: orderCode,
  /** For the audit log; the member does not see it. */
  reason: requiredText(500),
})
export const orderNote = z.object({ code: orderCode, text: noteBody })

/** A refund that waits for a decision or for its payout. */
export const openRefund = z.object({
  since: z.iso.datetime(),
  code: orderCode,
  step: refundStep,
  amount: money,
  email: z.string(),
  reason: z.string(),
  failure: z.nullable(z.string()),
})
