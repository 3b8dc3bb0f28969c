import * as z from 'zod/mini'
import { productCard } from './catalog.ts'
import { locale, optionType, orderStatus, paymentMethod, refundStep } from './enumerations.ts'
import { cartItemId, optionId, orderCode, orderItemId, paymentId, productId } from './ids.ts'
import { money } from './money.ts'
import { page, pageOf, size } from './paging.ts'
import { storefrontPath } from './rules.ts'
import { textLanguages } from './translations.ts'

/**
 * Freezes lines into an order draft at the server's prices. Either the cart's lines (all that can be bought when `cartItemIds`
 * is missing) or one option bought at once. `expectedTotal` is what the person saw: another sum answers 409 PRICE_CHANGED.
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
  /** Playing or downloading has begun, which ends the right to send it back. */
  opened: z.boolean(),
  accessUntil: z.nullable(z.iso.datetime()),
  refunded: z.boolean(),
  /** Of the option's name. The title's language is that of the product. */
  languages: textLanguages,
})

/** One line of the money timeline. */
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
    'CANCEL_TAKEN_BACK',
    'CANCEL_REJECTED',
    'CANCEL_ACCEPTED',
    'REFUND_BY_STORE',
    'REFUND_FAILED',
    'PARTLY_REFUNDED',
    'UNAPPLIED_PAYMENT',
    'UNAPPLIED_PAYMENT_REFUNDED',
    'REFUNDED',
    'CANCELLED',
  ]),
  amount: z.nullable(money),
  detail: z.nullable(z.string()),
})

/** A bank account made for one payment: the exact amount, into this account, until then. */
const bankAccount = z.object({
  bank: z.string(),
  number: z.string(),
  holder: z.string(),
  dueAt: z.iso.datetime(),
})
export type BankAccount = z.output<typeof bankAccount>

/** Where money paid by bank goes back to. */
export const refundAccount = z.object({
  bank: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
  number: z.string().check(z.regex(/^[\d -]{6,40}$/)),
  holder: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
})
export type RefundAccount = z.output<typeof refundAccount>

const payment = z.object({
  id: paymentId,
  method: paymentMethod,
  provider: z.string(),
  status: z.enum(['READY', 'PROCESSING', 'PAID', 'FAILED', 'CANCELLED']),
  amount: money,
  /** The provider's code, for which the storefront has a message: CARD_DECLINED, ABANDONED, … */
  failure: z.nullable(z.string()),
  card: z.nullable(z.object({ issuer: z.string(), lastFour: z.string() })),
  /** BANK: where to pay, or where it was paid; null once the account is closed. */
  account: z.nullable(bankAccount),
  createdAt: z.iso.datetime(),
})
export type Payment = z.output<typeof payment>

/** `status` is null while the order is a draft: nothing has been paid and nothing has failed. */
export const order = z.object({
  code: orderCode,
  status: z.nullable(orderStatus),
  items: z.array(orderItem),
  total: money,
  refundedAmount: money,
  method: z.nullable(paymentMethod),
  payment: z.nullable(payment),
  refund: z.nullable(
    z.object({
      step: refundStep,
      /** The store began it, unasked; its reason is not the member's to read. */
      byStore: z.boolean(),
      reason: z.nullable(z.string()),
      amount: money,
      itemIds: z.array(orderItemId),
      /** Null while it is under way. */
      outcome: z.nullable(z.enum(['REFUNDED', 'REJECTED', 'TAKEN_BACK'])),
      /** The operator's reason of a rejection. */
      rejection: z.nullable(z.string()),
    }),
  ),
  /** What the member may do about it now. */
  cancel: z.object({
    /** NONE: nothing can be cancelled, for `why`. DEPOSIT: nothing was paid yet. REFUND: money goes back. TAKE_BACK: a request may be taken back. */
    may: z.enum(['NONE', 'DEPOSIT', 'REFUND', 'TAKE_BACK']),
    why: z.nullable(z.enum(['NOT_PAID', 'ALL_OPENED', 'TOO_LATE', 'UNDER_WAY', 'DONE'])),
    /** Refunded at once, without an operator's decision. */
    automatic: z.boolean(),
    /** What goes back when nothing is chosen: what was not opened, or everything opened where an operator has to decide. */
    itemIds: z.array(orderItemId),
    /** Opened items. A refund that includes one needs an operator's decision. */
    reviewItemIds: z.array(orderItemId),
    /** Of `itemIds`. Another choice is worth the sum of its items' prices. */
    amount: money,
    until: z.nullable(z.iso.datetime()),
    needsAccount: z.boolean(),
  }),
  /** Money that came in and could not be taken, of another amount or too late: it goes back. Null when there is none. */
  unapplied: z.nullable(money),
  /** Money waits to go back by bank, and the account for it is missing or was refused: ask for one. */
  needsRefundAccount: z.boolean(),
  timeline: z.array(orderEvent),
  /** The store's time as this was answered: what is left until a deadline is counted from here. */
  now: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  paidAt: z.nullable(z.iso.datetime()),
  /** A draft that is not paid by then fails. */
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

export const orderQuery = z.object({
  status: z.optional(orderStatus),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  page,
  size,
})

export const orderPath = z.object({ code: orderCode })

/** Where a provider sends the browser back to: a path of the storefront. */
export const returnUrl = z.string().check(z.regex(storefrontPath), z.maxLength(500))

/** `returnUrl` is a path of the storefront; the provider sends the browser back to it with `order` and `payment`. */
export const paymentStart = z.object({
  code: orderCode,
  method: paymentMethod,
  returnUrl,
})
/** Where the browser goes next: the provider's hosted page, or straight back where nothing is to be paid. */
export const paymentStarted = z.object({ payment, redirectUrl: z.string() })

export const paymentPath = z.object({ id: paymentId })
/** Every confirmation answers with the order as it stands; one still being settled has payment.status PROCESSING. */
export const paymentConfirmed = z.object({ order })

/** `itemIds` left out: everything that can go back. `refundAccount`: for what was paid by bank. */
export const cancelRequest = z.object({
  code: orderCode,
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  itemIds: z.optional(z.array(orderItemId).check(z.minLength(1), z.maxLength(100))),
  refundAccount: z.optional(refundAccount),
  /** The amount the person saw: another answers 409 PRICE_CHANGED. */
  expectedAmount: z.optional(money),
})

/** Where money of this order that waits to go back by bank is sent. */
export const refundAccountInput = z.object({ code: orderCode, refundAccount })

/** What was paid, by whom and to whom: a receipt, as it is shown and printed. */
export const receipt = z.object({
  number: z.string(),
  order: order,
  buyer: z.object({ name: z.string(), email: z.string() }),
  seller: z.object({
    name: z.string(),
    company: z.nullable(z.string()),
    representative: z.nullable(z.string()),
    registrationNumber: z.nullable(z.string()),
    address: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
  issuedAt: z.iso.datetime(),
})
export type Receipt = z.output<typeof receipt>

/** `lang`: the receipt's language; by default negotiated by Accept-Language. */
export const receiptFilePath = z.object({ code: orderCode, lang: z.optional(locale) })
export const receiptFile = z.file()
