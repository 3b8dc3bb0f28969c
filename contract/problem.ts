import * as z from 'zod/mini'

/**
 * The error payload of every failed call: `code` is for programs and for the toast, `errors` maps a field's path
 * (`card.number`, `items.0.optionId`) to sentences that say what would be right.
 */
export const problem = z.object({
  code: z.string(),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
  requestId: z.string(),
  /** What there is instead, where that helps: the cart as it is now with CART_CHANGED. */
  data: z.optional(z.unknown()),
})
export type Problem = z.output<typeof problem>

/** Every code a call may answer with, and its status. Transport and domain share this one table. */
export const problemStatus = {
  BAD_REQUEST: 400,
  IDEMPOTENCY_KEY_MISSING: 400,
  UNAUTHORIZED: 401,
  LOGIN_FAILED: 401,
  SESSION_EXPIRED: 401,
  FORBIDDEN: 403,
  TENANT_MISMATCH: 403,
  NOT_ENTITLED: 403,
  COMMENTS_CLOSED: 403,
  PAYMENT_DISABLED: 403,
  SUBSCRIBE_DISABLED: 403,
  INQUIRY_DISABLED: 403,
  JOIN_DISABLED: 403,
  CONTRACT_EXPIRED: 403,
  SITE_DISABLED: 403,
  /** The store has not been opened yet: it answers operators and those who hold a preview link. */
  STORE_NOT_OPEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  CART_CHANGED: 409,
  PRICE_CHANGED: 409,
  ALREADY_OWNED: 409,
  INCLUDED_IN_PLAN: 409,
  /** There is nothing to watch or to download of the product yet. */
  NOT_READY: 409,
  ORDER_NOT_PAYABLE: 409,
  /** Another order for the same product waits for its deposit: `data.code` is that order's. */
  DEPOSIT_OPEN: 409,
  CANCEL_NOT_POSSIBLE: 409,
  /** The payment provider needs to know more of the buyer: `errors` names what the profile lacks. */
  BUYER_DETAILS_MISSING: 409,
  PLAN_NOT_ON_SALE: 409,
  SUBSCRIBED_ALREADY: 409,
  QUOTE_EXPIRED: 409,
  CARD_NEEDED: 409,
  CARD_REFUSED: 409,
  WITHDRAWAL_BLOCKED: 409,
  /** As many streams play as may at the same time: `data` says which (contract/playback-refusals.ts). */
  STREAM_LIMIT: 409,
  /** As many devices play as may: `data` says which. */
  DEVICE_LIMIT: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
  PROVIDER_UNAVAILABLE: 502,
  UNAVAILABLE: 503,
  /** Too much is under way: nothing of the call was begun, so it may be repeated. */
  OVERLOADED: 503,
  TIMEOUT: 504,
} as const
export type ProblemCode = keyof typeof problemStatus
