import { ORPCError } from '@orpc/server'
import type { Failure } from '#api/domain/failure.ts'
import { type Problem, type ProblemCode, problemStatus } from '#contract/problem.ts'

/** What a code says to a person who reads it raw; the storefront has its own words in its own languages. */
const messages: Record<ProblemCode, string> = {
  BAD_REQUEST: 'The request could not be read.',
  IDEMPOTENCY_KEY_MISSING: 'An Idempotency-Key header is required.',
  UNAUTHORIZED: 'Sign in to continue.',
  LOGIN_FAILED: 'Incorrect email or password.',
  SESSION_EXPIRED: 'The session has expired. Sign in again.',
  FORBIDDEN: 'You do not have permission to do this.',
  TENANT_MISMATCH: 'The token belongs to another customer.',
  NOT_ENTITLED: 'You do not have access to this product.',
  COMMENTS_CLOSED: 'Comments are closed.',
  PAYMENT_DISABLED: 'This store does not sell individual products.',
  SUBSCRIBE_DISABLED: 'This store does not offer plans.',
  INQUIRY_DISABLED: 'This store does not accept inquiries.',
  JOIN_DISABLED: 'This store does not accept new members.',
  CONTRACT_EXPIRED: 'The contract of this customer has ended.',
  SITE_DISABLED: 'This store is temporarily closed.',
  STORE_NOT_OPEN: 'This store is not open yet.',
  NOT_FOUND: 'Not found.',
  METHOD_NOT_ALLOWED: 'This method is not allowed here.',
  CONFLICT: 'This was changed by another request.',
  CART_CHANGED: 'The cart has changed since it was read.',
  PRICE_CHANGED: 'The price has changed since it was shown.',
  ALREADY_OWNED: 'You already own this product.',
  INCLUDED_IN_PLAN: 'This product is already included in your plan.',
  NOT_READY: 'This product has nothing to watch or download yet, so it cannot be bought.',
  ORDER_NOT_PAYABLE: 'This order can no longer be paid.',
  DEPOSIT_OPEN: 'Another order for this product is awaiting a bank transfer.',
  CANCEL_NOT_POSSIBLE: 'This order cannot be canceled now.',
  PLAN_NOT_ON_SALE: 'This plan is not available.',
  SUBSCRIBED_ALREADY: 'You already have a subscription.',
  QUOTE_EXPIRED: 'The quote has expired. Request a new one.',
  CARD_NEEDED: 'A card is required.',
  BUYER_DETAILS_MISSING: 'The payment provider needs the buyer’s name and phone number. Add them to the profile.',
  CARD_REFUSED: 'The card was declined.',
  WITHDRAWAL_BLOCKED: 'A payment or refund is still in progress.',
  STREAM_LIMIT: 'The limit of simultaneous streams is reached. `takeOver` ends one of them.',
  DEVICE_LIMIT: 'The device limit is reached. `signOut` removes one of them.',
  IDEMPOTENCY_IN_FLIGHT: 'The same request is still being processed.',
  GONE: 'This is no longer available.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'Send JSON.',
  VALIDATION_FAILED: 'Some fields are not valid.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request.',
  RATE_LIMITED: 'Too many attempts. Wait a moment and try again.',
  SERVER_ERROR: 'A server error has occurred.',
  PROVIDER_UNAVAILABLE: 'The payment provider is not responding.',
  UNAVAILABLE: 'The service is not ready.',
  OVERLOADED: 'The service is very busy. Try again in a moment.',
  TIMEOUT: 'The request timed out.',
}

type Detail = Omit<Failure, 'failure'>

/** What stands in the way is a better answer than that something does. */
const messageOf = (code: ProblemCode, { errors }: Detail) =>
  (code === 'CONFLICT' && Object.values(errors ?? {})[0]?.[0]) || messages[code]

/** A failure on its way to the wire. */
export class CallError extends ORPCError<ProblemCode, Detail> {
  constructor(code: ProblemCode, { errors, data, retryAfterSeconds }: Detail = {}) {
    const detail: Detail = {
      ...(errors && { errors }),
      ...(data !== undefined && { data }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    }
    super(code, { status: problemStatus[code], message: messageOf(code, detail), data: detail })
  }
}

/** The error payload itself. */
export const problemBody = (code: ProblemCode, requestId: string, { errors = {}, data }: Detail): Problem => ({
  code,
  message: messageOf(code, { errors }),
  errors,
  requestId,
  ...(data !== undefined && { data }),
})

/** The error payload as a response of its own, for what fails before a call is reached. */
export const problemResponse = (
  code: ProblemCode,
  requestId: string,
  detail: Detail = {},
  headers: Record<string, string> = {},
) =>
  Response.json(problemBody(code, requestId, detail), {
    status: problemStatus[code],
    headers: {
      'cache-control': 'no-store',
      ...(problemStatus[code] === 401 && { 'www-authenticate': 'Bearer' }),
      ...(detail.retryAfterSeconds !== undefined && { 'retry-after': String(detail.retryAfterSeconds) }),
      ...headers,
    },
  })
