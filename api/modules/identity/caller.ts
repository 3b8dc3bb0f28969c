import { secretFor } from '#api/platform/crypto.ts'
import { type CallContext, transactionsOf } from '#api/platform/http/procedures.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { headers } from '#contract/index.ts'
import { createGuestToken } from './sessions.ts'
import type { SignInEnv } from './sign-in.ts'

/** The dependencies of sign-in, taken from the request. */
export const signInEnv = (call: CallContext): SignInEnv => ({
  customer: call.customer,
  address: call.address,
  device: call.device,
  deviceToken: call.headers.get(headers.deviceToken),
  language: callerLocale(call),
  limits: call.deps.limits,
  clock: call.deps.clock,
  deviceSecret: secretFor(call.deps.secret, 'known devices'),
  inTransaction: transactionsOf(call),
})

/** Sets the cookie with the device token. */
export const answerDeviceToken = (call: CallContext, token: string) => {
  call.answerHeaders.set(headers.deviceToken, token)
}

/**
 * Gives a guest an id before the first write. The response carries its token for later requests.
 */
export const withGuest = (call: CallContext): CallContext => {
  if (call.actor.kind === 'USER' || call.actor.guestId !== null) return call
  const { guestId, token } = createGuestToken(call.deps.secret, call.customer.id)
  call.answerHeaders.set(headers.guestToken, token)
  return { ...call, actor: { kind: 'GUEST', guestId } }
}
