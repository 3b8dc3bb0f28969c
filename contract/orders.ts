import * as z from 'zod/mini'
import { productCard } from './catalog.ts'
import { optionType, orderStatus, paymentMethod, refundStep } from './enumerations.ts'
import { cartItemId, optionId, orderCode, orderItemId, paymentId, productId } from './ids.ts'
import { money } from './money.ts'
import { page, pageOf, size } from './paging.ts'

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
    'CANCEL_REQUESTED',
    'CANCEL_REJECTED',
    'REFUNDED',
    'CANCELLED',
  ]),
  amount: z.nullable(money),
  detail: z.nullable(z.string()),
})

const payment = z.object({
  id: paymentId,
  method: paymentMethod,
  provider: z.string(),
  status: z.enum(['READY', 'PROCESSING', 'PAID', 'FAILED', 'CANCELLED']),
  amount: money,
  /** A code of the provider's, said in words by the storefront: CARD_DECLINED, ABANDONED, … */
  failure: z.nullable(z.string()),
  card: z.nullable(z.object({ issuer: z.string(), lastFour: z.string() })),
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
  refund: z.nullable(z.object({ step: refundStep, reason: z.nullable(z.string()) })),
  timeline: z.array(orderEvent),
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

/** One slash in front, and no `.` or `..` to tidy away: no browser reads it as another host. */
const storefrontPath = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\\]*$/i

/** `returnUrl` is a path of the storefront; the provider sends the browser back to it with `order` and `payment`. */
export const paymentStart = z.object({
  code: orderCode,
  method: paymentMethod,
  returnUrl: z.string().check(z.regex(storefrontPath), z.maxLength(500)),
})
/** Where the browser goes next: the provider's hosted page, or straight back where nothing is to be paid. */
export const paymentStarted = z.object({ payment, redirectUrl: z.string() })

export const paymentPath = z.object({ id: paymentId })
/** Every confirmation answers with the order as it stands; one still being settled has payment.status PROCESSING. */
export const paymentConfirmed = z.object({ order })
