import { LRUCache } from 'lru-cache'
import type { MediaAsk } from '#api/db/queries/media-asks.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { noteLeak } from '#api/domain/playback/note-leak.ts'
import type { MediaGrant } from '#api/media/sign.ts'

const minute = 60_000
/** Strangers' addresses that are written down of one play within a minute; the log line says that there were more. */
const writtenPerMinute = 20

/** Tells the log and the store's desk about addresses that were passed on, at most once a play and minute in the log. */
export const createLeakWatch = ({ pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>) => {
  const asked = new LRUCache<string, Set<string>>({ max: 10_000 })
  return async (grant: MediaGrant, ask: MediaAsk, address: string) => {
    const key = `${Math.floor(clock.now().getTime() / minute)}.${grant.playId ?? grant.asset}`
    const strangers = asked.get(key) ?? new Set<string>()
    if (strangers.has(address) || strangers.size >= writtenPerMinute) return
    const first = strangers.size === 0
    asked.set(key, strangers.add(address))
    const leak = await withTenant(pool, grant.customerId, (db) => noteLeak({ db, clock }, grant, ask, address))
    if (!first && !leak.closed) return
    const { customerId, memberId, productId, playId, asset } = grant
    log.warn(
      {
        event: 'media.leak',
        ...{ customer: ask.customerCode, customerId, memberId, productId, playId, asset },
        ...{ address, playAddress: ask.play?.address ?? null, askedAs: ask.memberId, ...leak },
      },
      leak.addresses === 0
        ? 'A stream was asked for without its member’s session, from where it was begun'
        : 'An address made for one member was asked for by somebody else',
    )
  }
}
