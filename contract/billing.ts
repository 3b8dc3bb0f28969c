import * as z from 'zod/mini'
import { locale, paymentMethod } from './enumerations.ts'
import { cardId, orderCode, orderItemId, paymentId } from './ids.ts'
import { money } from './money.ts'
import { order, payment } from './orders.ts'
import { storefrontPath } from './rules.ts'
import { requiredText, trimmed } from './text.ts'

/** A path of the storefront to which the provider redirects the browser. */
export const returnUrl = z.string().check(z.regex(storefrontPath), z.maxLength(500))

/**
 * `returnUrl` is a path of the storefront. The provider redirects to it with `order` and `payment`.
 */
export const paymentStart = z.object({
  code: orderCode,
  method: paymentMethod,
  returnUrl,
})
/**
 * The next URL for the browser: the provider's hosted page, or `returnUrl` where nothing has to be
 * paid.
 */
export const paymentStarted = z.object({ payment, redirectUrl: z.string() })

export const paymentPath = z.object({ id: paymentId })
/** The current order. `payment.status` is PROCESSING while the provider has not decided. */
export const paymentConfirmed = z.object({ order })

/** The account for refunds of bank payments. */
export const refundAccount = z.object({
  bank: z.string().check(trimmed, z.minLength(1), z.maxLength(60)),
  number: z.string().check(z.regex(/^[\d -]{6,40}$/)),
  holder: z.string().check(trimmed, z.minLength(1), z.maxLength(80)),
})
export type RefundAccount = z.output<typeof refundAccount>

/** Without `itemIds`, refunds everything refundable. `refundAccount` is for bank payments. */
export const cancelRequest = z.object({
  code: orderCode,
  reason: requiredText(500),
  itemIds: z.optional(z.array(orderItemId).check(z.minLength(1), z.maxLength(100))),
  refundAccount: z.optional(refundAccount),
  /** The amount shown to the member. A different amount answers 409 PRICE_CHANGED. */
  expectedAmount: z.optional(money),
})

/** The account for waiting bank refunds of this order. */
export const refundAccountInput = z.object({ code: orderCode, refundAccount })

/** A receipt, as it is shown and printed. */
export const receipt = z.object({
  number: z.string(),
  order,
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

/** `lang` is the receipt's language, negotiated by Accept-Language by default. */
export const receiptFilePath = z.object({ code: orderCode, lang: z.optional(locale) })
export const receiptFile = z.file()

/** A card as the member sees it. Only the payment provider has its number. */
export const card = z.object({
  id: cardId,
  issuer: z.string(),
  lastFour: z.string(),
  /** Null if the provider does not return it. */
  expiryMonth: z.nullable(z.int()),
  expiryYear: z.nullable(z.int()),
  isDefault: z.boolean(),
  /** PAST: expired. SOON: expires this month or next. */
  expiry: z.enum(['GOOD', 'SOON', 'PAST']),
  /** It pays for an active subscription, so it can be replaced but not removed. */
  paysSubscription: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type Card = z.output<typeof card>

/**
 * `returnUrl` is a path of the storefront; the provider sends the browser back to it with `card`.
 */
export const cardRegister = z.object({ returnUrl, replaces: z.optional(cardId) })
export const cardRegistering = z.object({ id: cardId, redirectUrl: z.string() })
export const cardPath = z.object({ id: cardId })
/** FAILED: the page was left, or the card was refused; `failure` is the provider's code. */
export const cardConfirmed = z.object({
  status: z.enum(['ACTIVE', 'WAITING', 'FAILED']),
  failure: z.nullable(z.string()),
  card: z.nullable(card),
})
export type CardConfirmed = z.output<typeof cardConfirmed>
