import { secretFor } from '#api/platform/crypto.ts'
import { type CallContext, transactionsOf } from '#api/platform/http/procedures.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { headers } from '#contract/index.ts'
import { createGuestToken } from './sessions.ts'
import type { SignInEnv } from './sign-in.ts'

/** What a sign-in needs of a call. */
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

/** Hands the browser the token by which its device is known from now on. */
export const answerDeviceToken = (call: CallContext, token: string) => {
  call.answerHeaders.set(headers.deviceToken, token)
}

/** A guest who is about to leave the first trace gets an id; the answer carries its token, to be shown from then on. */
export const withGuest = (call: CallContext): CallContext => {
  if (call.actor.kind === 'USER' || call.actor.guestId !== null) return call
  const { guestId, token } = createGuestToken(call.deps.secret, call.customer.id)
  call.answerHeaders.set(headers.guestToken, token)
  return { ...call, actor: { kind: 'GUEST', guestId } }
}
