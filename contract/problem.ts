import * as z from 'zod/mini'

/**
 * The error payload of every failed request. `code` is for programs. `errors` maps a field's path
 * (`card.number`, `items.0.optionId`) to sentences that describe a valid value.
 */
export const problem = z.object({
  code: z.string(),
  /** In the preferred language of `Accept-Language` that the API has, in English without one. */
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
  requestId: z.string(),
  /** The current state where it helps, such as the cart with CART_CHANGED. */
  data: z.optional(z.unknown()),
})
export type Problem = z.output<typeof problem>

/** All error codes with their HTTP status, for transport and domain. */
export const problemStatus = {
  BAD_REQUEST: 400,
  IDEMPOTENCY_KEY_MISSING: 400,
  VERSION_MISSING: 400,
  UNAUTHORIZED: 401,
  LOGIN_FAILED: 401,
  SESSION_EXPIRED: 401,
  FORBIDDEN: 403,
  /** Staff look at the store as a member, whose account they cannot change. */
  READ_ONLY: 403,
  /** The session must first be confirmed with the second factor. */
  SECOND_FACTOR_REQUIRED: 403,
  TENANT_MISMATCH: 403,
  /** Staff have blocked the member. Said only to who knows the password. */
  MEMBER_BLOCKED: 403,
  NOT_ENTITLED: 403,
  COMMENTS_CLOSED: 403,
  PAYMENT_DISABLED: 403,
  SUBSCRIBE_DISABLED: 403,
  INQUIRY_DISABLED: 403,
  JOIN_DISABLED: 403,
  CONTRACT_EXPIRED: 403,
  SITE_DISABLED: 403,
  /** The store is not open yet. Only operators and holders of a preview link have access. */
  STORE_NOT_OPEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  /** The store would be left without an owner. */
  LAST_OWNER: 409,
  CART_CHANGED: 409,
  PRICE_CHANGED: 409,
  ALREADY_OWNED: 409,
  INCLUDED_IN_PLAN: 409,
  /** The product has no stream or file yet. */
  NOT_READY: 409,
  ORDER_NOT_PAYABLE: 409,
  /** Another order for the same product waits for its deposit. `data.code` is that order's. */
  DEPOSIT_OPEN: 409,
  CANCEL_NOT_POSSIBLE: 409,
  /**
   * The payment provider needs more details of the buyer. `errors` names the missing fields of the
   * profile.
   */
  BUYER_DETAILS_MISSING: 409,
  PLAN_NOT_ON_SALE: 409,
  SUBSCRIBED_ALREADY: 409,
  QUOTE_EXPIRED: 409,
  CARD_NEEDED: 409,
  CARD_REFUSED: 409,
  WITHDRAWAL_BLOCKED: 409,
  /** The member's streams are at the limit. `data` lists them (contract/playback-refusals.ts). */
  STREAM_LIMIT: 409,
  /** The member's devices are at the limit. `data` lists them. */
  DEVICE_LIMIT: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  /** The rule refunds less than was requested. */
  REFUND_AGAINST_RULE: 409,
  GONE: 410,
  /** The object has changed since it was read. `data` has its version and the latest changes. */
  VERSION_CONFLICT: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
  PROVIDER_UNAVAILABLE: 502,
  UNAVAILABLE: 503,
  /** The service is overloaded. The request had no effect, so it may be repeated. */
  OVERLOADED: 503,
  TIMEOUT: 504,
} as const
export type ProblemCode = keyof typeof problemStatus
