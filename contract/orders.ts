import * as z from 'zod/mini'
import { productCard, productOption } from './catalog.ts'
import { optionType, orderStatus, paymentMethod, refundStep } from './enumerations.ts'
import { cartItemId, optionId, orderCode, orderItemId, paymentId, productId } from './ids.ts'
import { money } from './money.ts'
import { inOrder, page, pageOf, size } from './paging.ts'
import { textLanguages } from './translations.ts'

const cartItem = z.object({
  id: cartItemId,
  product: productCard,
  option: productOption,
  quantity: z.int(),
  /** The current price, and the price when the item was added, where they differ. */
  price: money,
  priceBefore: z.nullable(money),
  /** Why the item cannot be bought now; null when it can. */
  blocked: z.nullable(z.enum(['ENDED', 'NOT_READY', 'OWNED', 'INCLUDED_IN_PLAN'])),
  addedAt: z.iso.datetime(),
})
export type CartItem = z.output<typeof cartItem>

/**
 * The server-side cart. `version` changes with every write. A write on an older version answers 409
 * CART_CHANGED.
 */
export const cart = z.object({
  version: z.int(),
  items: z.array(cartItem),
  /** The total of the items that can be bought. */
  total: money,
  listTotal: money,
})
export type Cart = z.output<typeof cart>

export const cartAdd = z.object({
  productId,
  optionId,
  /** Always 1, because a digital product is bought once. */
  quantity: z._default(z.int().check(z.gte(1), z.lte(1)), 1),
  version: z.optional(z.int()),
})
export const cartChange = z.object({
  optionId: z.optional(optionId),
  quantity: z.optional(z.int().check(z.gte(1), z.lte(1))),
  version: z.int(),
})
export const cartRemove = z.object({ version: z.optional(z.int()) })
export const cartItemPath = z.object({ id: cartItemId })

/**
 * Creates an order draft at the server's prices, from the cart's items (all that can be bought when
 * `cartItemIds` is missing) or from one option. `expectedTotal` is the total shown to the member. A
 * different total answers 409 PRICE_CHANGED.
 */
export const orderPlace = z.object({
  cartItemIds: z.optional(z.array(cartItemId).check(z.minLength(1), z.maxLength(100))),
  buyNow: z.optional(z.object({ productId, optionId })),
  expectedTotal: z.optional(money),
  refundPolicyVersion: z.string(),
})

const orderItem = z.object({
  id: orderItemId,
  product: productCard,
  optionName: z.string(),
  optionType,
  days: z.nullable(z.int()),
  price: money,
  /** Whether playing or downloading has started, which ends the right to a refund. */
  opened: z.boolean(),
  accessUntil: z.nullable(z.iso.datetime()),
  refunded: z.boolean(),
  /** What was refunded of the price while the item stays. */
  refundedAmount: money,
  /** The languages of the option's name. Those of the title are in the product. */
  languages: textLanguages,
})

/** An event in the payment history of an order. */
const orderEvent = z.object({
  at: z.iso.datetime(),
  type: z.enum([
    'PLACED',
    'PAYMENT_STARTED',
    'PAID',
    'FAILED',
    'DEPOSIT_ISSUED',
    'DEPOSIT_REVERSED',
    'METHOD_CHANGED',
    'CANCEL_REQUESTED',
    'CANCEL_WITHDRAWN',
    'CANCEL_REJECTED',
    'CANCEL_ACCEPTED',
    'REFUND_BY_STORE',
    'REFUND_FAILED',
    'PARTLY_REFUNDED',
    'UNAPPLIED_PAYMENT',
    'UNAPPLIED_PAYMENT_REFUNDED',
    'UNAPPLIED_PAYMENT_APPLIED',
    'REFUNDED',
    'CANCELLED',
  ]),
  amount: z.nullable(money),
  detail: z.nullable(z.string()),
})

/** A virtual bank account for one payment: it accepts the exact amount until the deadline. */
const bankAccount = z.object({
  bank: z.string(),
  number: z.string(),
  holder: z.string(),
  dueAt: z.iso.datetime(),
})
export type BankAccount = z.output<typeof bankAccount>

export const payment = z.object({
  id: paymentId,
  method: paymentMethod,
  provider: z.string(),
  status: z.enum(['READY', 'PROCESSING', 'PAID', 'FAILED', 'CANCELLED']),
  amount: money,
  /** The provider's code, which the storefront translates: CARD_DECLINED, ABANDONED, … */
  failure: z.nullable(z.string()),
  card: z.nullable(z.object({ issuer: z.string(), lastFour: z.string() })),
  /** BANK: the account of the payment; null once the account is closed. */
  account: z.nullable(bankAccount),
  createdAt: z.iso.datetime(),
})
export type Payment = z.output<typeof payment>

/** `status` is null while the order is a draft without a payment. */
export const order = z.object({
  code: orderCode,
  status: z.nullable(orderStatus),
  items: z.array(orderItem),
  total: money,
  refundedAmount: money,
  method: z.nullable(paymentMethod),
  /** Given by the store for nothing. */
  complimentary: z.boolean(),
  payment: z.nullable(payment),
  refund: z.nullable(
    z.object({
      step: refundStep,
      /**
       * The store started the cancellation without a request. Its reason is not shown to the
       * member.
       */
      byStore: z.boolean(),
      reason: z.nullable(z.string()),
      amount: money,
      itemIds: z.array(orderItemId),
      /** Null while it is pending. */
      outcome: z.nullable(z.enum(['REFUNDED', 'REJECTED', 'WITHDRAWN'])),
      /** The operator's reason for a rejection. */
      rejection: z.nullable(z.string()),
    }),
  ),
  /** The cancellation that is possible now. */
  cancel: z.object({
    /**
     * NONE: nothing can be cancelled, for the reason in `why`. DEPOSIT: not paid yet. REFUND: a
     * payment is refunded. WITHDRAW: a request can be withdrawn.
     */
    action: z.enum(['NONE', 'DEPOSIT', 'REFUND', 'WITHDRAW']),
    why: z.nullable(z.enum(['NOT_PAID', 'ALL_OPENED', 'TOO_LATE', 'UNDER_WAY', 'DONE'])),
    /** Whether the refund needs no operator's decision. */
    automatic: z.boolean(),
    /**
     * The items refunded by default: those not opened, or all opened ones where an operator must
     * decide.
     */
    itemIds: z.array(orderItemId),
    /** Opened items. A refund that includes one needs an operator's decision. */
    reviewItemIds: z.array(orderItemId),
    /**
     * The refund for `itemIds`. For another selection it is the sum of the items' prices, less
     * their `refundedAmount`.
     */
    amount: money,
    until: z.nullable(z.iso.datetime()),
    needsAccount: z.boolean(),
  }),
  /**
   * Money that was received with a wrong amount or too late, and will be refunded. Null when there
   * is none.
   */
  unapplied: z.nullable(money),
  /** A bank refund is waiting because its account is missing or was rejected. Ask for one. */
  needsRefundAccount: z.boolean(),
  timeline: z.array(orderEvent),
  /** The server's time, so that countdowns do not depend on the browser's clock. */
  now: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  paidAt: z.nullable(z.iso.datetime()),
  /** An unpaid draft fails at this time. */
  expiresAt: z.nullable(z.iso.datetime()),
  refundableUntil: z.nullable(z.iso.datetime()),
})
export type Order = z.output<typeof order>

const orderSummary = z.extend(
  z.pick(order, {
    code: true,
    status: true,
    total: true,
    refundedAmount: true,
    method: true,
    complimentary: true,
    createdAt: true,
    paidAt: true,
  }),
  {
    title: z.string(),
    itemCount: z.int(),
    languages: textLanguages,
    poster: z.nullable(z.object({ url: z.string(), color: z.string() })),
  },
)
export type OrderSummary = z.output<typeof orderSummary>
export const orderPage = pageOf(orderSummary)

export const orderQuery = z
  .object({
    status: z.optional(orderStatus),
    from: z.optional(z.iso.date()),
    to: z.optional(z.iso.date()),
    page,
    size,
  })
  .check(inOrder('from', 'to'))

export const orderPath = z.object({ code: orderCode })
