import type { IncomingMessage } from 'node:http'
import { findLiveSession } from '#api/db/queries/sessions.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { customerOfToken, hashSessionToken } from '#api/domain/accounts/session-token.ts'
import { mediaRight } from '#api/domain/playback/media-right.ts'
import { createMediaHandler } from '#api/media/serve.ts'
import { createDiskStorage } from '#api/media/storage.ts'
import { secretFor } from '#api/secrets.ts'
import { bearerOf } from './actor.ts'

/** The storefront's cookie that carries a member's token. */
const tokenCookie = 'token'

/** The token a request shows: an application's header, or the browser's cookie. Its letters need no encoding. */
const shownToken = ({ headers }: IncomingMessage) => {
  const pair = (headers.cookie ?? '').split(/;\s*/).find((part) => part.startsWith(`${tokenCookie}=`))
  return bearerOf(headers.authorization) ?? pair?.slice(tokenCookie.length + 1) ?? null
}

/** Serves media from local folders, the first that has a file first. For node:http: see `createMediaHandler`. */
export const openMediaHandler = (deps: Deps, folders: readonly string[]) =>
  createMediaHandler({
    storage: createDiskStorage(folders),
    secret: secretFor(deps.secret, 'media'),
    now: deps.clock.now,
    bearerOf: shownToken,
    rightNow: (grant, bearer) =>
      withTenant(deps.pool, grant.customerId, async (db) => {
        const own = bearer && customerOfToken(bearer) === grant.customerId ? bearer : null
        const session = own
          ? await findLiveSession(db, grant.customerId, hashSessionToken(own), deps.clock.now())
          : null
        const member = session && { memberId: session.memberId, sessionId: session.id }
        return mediaRight({ db, clock: deps.clock, member }, grant)
      }),
  })
