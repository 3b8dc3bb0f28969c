import { createGuestToken } from '#api/domain/accounts/guest-token.ts'
import { headers } from '#contract/index.ts'
import type { CallContext } from './call-context.ts'

/** A guest who is about to leave the first trace gets an id; the answer carries its token, to be shown from then on. */
export const withGuest = (call: CallContext): CallContext => {
  if (call.actor.kind === 'USER' || call.actor.guestId !== null) return call
  const { guestId, token } = createGuestToken(call.deps.secret, call.customer.id)
  call.answerHeaders.set(headers.guestToken, token)
  return { ...call, actor: { kind: 'GUEST', guestId } }
}
