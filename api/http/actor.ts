import type { Actor, Customer } from '#api/context.ts'
import { findLiveSession, touchSession } from '#api/db/queries/sessions.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { readGuestToken } from '#api/domain/accounts/guest-token.ts'
import { customerOfToken, hashSessionToken } from '#api/domain/accounts/session-token.ts'
import type { Access } from '#contract/calls/call.ts'
import { headers as headerNames } from '#contract/index.ts'
import { CallError } from './problem.ts'

const touchEveryMilliseconds = 5 * 60 * 1000

/** The token of an Authorization header. */
export const bearerOf = (authorization: string | null | undefined) =>
  /^Bearer ([^\s]{1,200})$/.exec(authorization ?? '')?.[1]

/**
 * Who asks. A token of another tenant is refused wherever it is shown; a public call then needs no more, so that what is the same
 * for everyone costs no look-up of a session.
 */
export const resolveActor = async (
  deps: Deps,
  customer: Customer,
  headers: Headers,
  access: Access,
  address: string,
): Promise<Actor> => {
  const guestToken = headers.get(headerNames.guestToken)
  const guestId = guestToken ? readGuestToken(deps.secret, customer.id, guestToken) : null
  const guest: Actor = { kind: 'GUEST', guestId }

  const token = bearerOf(headers.get('authorization'))
  if (!token) return guest
  const owner = customerOfToken(token)
  if (owner && owner !== customer.id) throw new CallError('TENANT_MISMATCH')
  const needed = access !== 'public' || customer.settings.operation.useLogin
  if (!needed) return guest

  const now = deps.clock.now()
  const session = owner
    ? await withTenant(deps.pool, customer.id, async (db) => {
        const live = await findLiveSession(db, customer.id, hashSessionToken(token), now)
        if (live && now.getTime() - Date.parse(live.lastSeenAt) > touchEveryMilliseconds)
          await touchSession(db, customer.id, live.id, now, address)
        return live
      })
    : null
  if (!session) throw new CallError('SESSION_EXPIRED')
  return { kind: 'USER', memberId: session.memberId, sessionId: session.id, guestId }
}
