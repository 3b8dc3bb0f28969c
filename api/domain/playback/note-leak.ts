import type { Clock } from '#api/context.ts'
import type { TenantDb } from '#api/db/client.ts'
import type { MediaAsk } from '#api/db/queries/media-asks.ts'
import { recordLeak } from '#api/db/queries/play-leaks.ts'
import { endPlay } from '#api/db/queries/plays.ts'
import { audit } from '#api/domain/desk/audit.ts'
import type { MediaGrant } from '#api/media/sign.ts'
import { networkOf } from '#api/network.ts'

/** From so many networks strangers may ask until the play is closed: one may be a mistake, several are a link passed on. */
const strangersAllowed = 2

export interface Leak {
  /** Strangers' addresses so far, those of one IPv6 network as one. Zero where the ask came from where the play was begun: a browser just signed out, or the household. */
  addresses: number
  closed: boolean
}

/**
 * Writes down that somebody else asked for what was opened for a member: whose it was and from where it was asked. The first time it is
 * told to the audit; from too many places it closes the play.
 */
export const noteLeak = async (
  { db, clock }: { db: TenantDb; clock: Clock },
  { customerId, memberId, productId, playId, asset }: MediaGrant,
  { play }: MediaAsk,
  address: string,
): Promise<Leak> => {
  // A device changes its address within its IPv6 network as it likes.
  const atHome = play !== null && networkOf(address) === networkOf(play.address)
  if (memberId === null || playId === null || atHome) return { addresses: 0, closed: false }
  const now = clock.now()
  const ctx = { db, clock, customer: { id: customerId } }
  const noted = await recordLeak(db, customerId, { playId, address, memberId, productId, asset }, now)
  const detail = { play: playId, product: productId, asset, address }
  const addresses = new Set(noted.addresses.map(networkOf)).size
  if (noted.fresh && noted.addresses.length === 1)
    await audit(ctx, { actor: 'rule', action: 'play.leaked', subject: `member:${memberId}`, detail })
  const closed =
    addresses > strangersAllowed && play !== null && (await endPlay(db, customerId, memberId, playId, 'CLOSED', now))
  if (closed)
    await audit(ctx, {
      ...{ actor: 'rule', action: 'play.closed', subject: `member:${memberId}` },
      detail: { ...detail, addresses },
    })
  return { addresses, closed }
}
