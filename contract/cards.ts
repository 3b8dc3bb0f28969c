import * as z from 'zod/mini'
import { cardId } from './ids.ts'
import { returnUrl } from './orders.ts'

/** A card as the member sees it. Only the payment provider has its number. */
export const card = z.object({
  id: cardId,
  issuer: z.string(),
  lastFour: z.string(),
  /** Null where the provider does not return it. */
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
