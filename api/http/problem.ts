import { ORPCError } from '@orpc/server'
import type { Failure } from '#api/domain/failure.ts'
import { type Problem, type ProblemCode, problemStatus } from '#contract/problem.ts'

/** What a code says to a person who reads it raw; the storefront has its own words in its own languages. */
const messages: Record<ProblemCode, string> = {
  BAD_REQUEST: 'The request cannot be read.',
  IDEMPOTENCY_KEY_MISSING: 'This call needs an Idempotency-Key header.',
  UNAUTHORIZED: 'Sign in first.',
  LOGIN_FAILED: 'The e-mail or the password is not right.',
  SESSION_EXPIRED: 'The session has ended; sign in again.',
  FORBIDDEN: 'This is not allowed.',
  TENANT_MISMATCH: 'The token belongs to another customer.',
  NOT_ENTITLED: 'There is no right to this product.',
  COMMENTS_CLOSED: 'Comments are not open here.',
  PAYMENT_DISABLED: 'Nothing is sold one by one here.',
  SUBSCRIBE_DISABLED: 'There are no plans here.',
  INQUIRY_DISABLED: 'Inquiries are not open here.',
  JOIN_DISABLED: 'Joining is not open here.',
  CONTRACT_EXPIRED: 'The contract of this customer has ended.',
  SITE_DISABLED: 'This site is closed at the moment.',
  NOT_FOUND: 'There is nothing here.',
  METHOD_NOT_ALLOWED: 'This address does not know this method.',
  CONFLICT: 'Something else changed this at the same time.',
  CART_CHANGED: 'The cart has changed since it was read.',
  PRICE_CHANGED: 'The price has changed since it was shown.',
  ALREADY_OWNED: 'This product is owned already.',
  INCLUDED_IN_PLAN: 'This product is part of the plan already.',
  ORDER_NOT_PAYABLE: 'This order cannot be paid any more.',
  DEPOSIT_OPEN: 'Another order for the same product waits for its deposit.',
  CANCEL_NOT_POSSIBLE: 'This order cannot be cancelled now.',
  PLAN_NOT_ON_SALE: 'This plan is not on sale.',
  SUBSCRIBED_ALREADY: 'There is a subscription already.',
  QUOTE_EXPIRED: 'The quoted price has run out; ask for another.',
  CARD_NEEDED: 'A card is needed for this.',
  CARD_REFUSED: 'The card was refused.',
  WITHDRAWAL_BLOCKED: 'Money is still under way; settle it first.',
  STREAM_LIMIT: 'As many streams play as may at the same time; `takeOver` ends one of them.',
  DEVICE_LIMIT: 'As many devices play as may; `signOut` takes one of them off.',
  IDEMPOTENCY_IN_FLIGHT: 'The same call is still being answered.',
  GONE: 'This is not offered any more.',
  PAYLOAD_TOO_LARGE: 'The request is larger than this call takes.',
  UNSUPPORTED_MEDIA_TYPE: 'Send JSON.',
  VALIDATION_FAILED: 'Some fields are not right.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request.',
  RATE_LIMITED: 'Too many tries; wait a little.',
  SERVER_ERROR: 'A server error has occurred.',
  PROVIDER_UNAVAILABLE: 'The payment provider does not answer.',
  UNAVAILABLE: 'The service is not ready.',
  OVERLOADED: 'The service is very busy; try again in a moment.',
  TIMEOUT: 'The call took too long.',
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
