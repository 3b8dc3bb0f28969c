import type pg from 'pg'
import type { Clock } from '#api/context.ts'
import type { TenantDb } from '#api/db/client.ts'
import { findInquiryFile } from '#api/db/queries/inquiries.ts'
import { isRetiredVideo, type MediaAsk, readMediaAsk } from '#api/db/queries/media-asks.ts'
import { findAttachment } from '#api/db/queries/playables.ts'
import { signOfPlay } from '#api/db/queries/plays.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import { hashSessionToken } from '#api/domain/accounts/session-token.ts'
import { isVisible } from '#api/domain/catalog/visible-product.ts'
import { rightFrom } from '#api/domain/entitlements/rights.ts'
import type { MediaRight } from '#api/media/find.ts'
import { parseMediaKey } from '#api/media/key.ts'
import type { MediaGrant } from '#api/media/sign.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { AttachmentId } from '#contract/ids.ts'

export interface MediaAsking {
  pool: pg.Pool
  clock: Clock
  /** The token the request carries, where it is this tenant's; null for everyone else. */
  token: string | null
  /** The request carries a preview link's token: it sees the store before it is opened. */
  preview: boolean
  /** What stands beside the stream (captions, thumbnails) is shown while it is paused as well, when its play is over. */
  beside: boolean
}

/** `foreign`: what was found of the asking person and the play, where it was made for somebody else. */
export interface MediaDecision {
  right: MediaRight
  foreign: MediaAsk | null
}

const closed: MediaDecision = { right: 'CLOSED', foreign: null }

/** A file asked for is a sign of life as well; written down no more often than this. */
const signEvery = 30_000

/**
 * What a well-signed address leads to at this moment. It opens for the person it was made for alone, in the session it was made in, and
 * for as long as their right and their play live: a refund, an expired rental, a sign-out, another device's taking over or the store's
 * own closing ends it with the next segment. A guest's address opens what is free.
 */
export const mediaRight = async (
  { pool, clock, token, preview, beside }: MediaAsking,
  grant: MediaGrant,
): Promise<MediaDecision> => {
  const { customerId, productId, lessonId, playId, memberId } = grant
  const now = clock.now()
  const tokenHash = token && hashSessionToken(token)
  const { ask, held } = await readMediaAsk(pool, customerId, { tokenHash, memberId, productId, lessonId, playId }, now)
  if (!ask) return closed
  if (memberId !== null && ask.memberId !== memberId) return { right: 'CLOSED', foreign: ask }
  if (!ask.storeOpen || !(ask.opened || preview)) return closed
  // What few files need is read, or written, by itself.
  const within = <Answer>(work: (db: TenantDb) => Promise<Answer>) => withTenant(pool, customerId, work)
  if (productId === null) return { ...closed, right: await within((db) => inquiryFile(db, grant)) }
  const { product, lesson, play, sessionId } = ask
  if (!product || (lessonId !== null && !lesson)) return closed
  const attachmentId = /^attachment\/(.+)$/.exec(grant.asset)?.[1]
  if (playId !== null && !attachmentId && !opens(play, sessionId, beside)) return closed

  const actor =
    memberId !== null && sessionId !== null
      ? ({ kind: 'USER', memberId, sessionId, guestId: null } as const)
      : ({ kind: 'GUEST', guestId: null } as const)
  const right = rightFrom(
    { actor, held, useFree: ask.useFree },
    { id: productId, access: product.access as ProductAccess },
    now,
  )
  if (!isVisible(product, right, ask)) return closed
  if (!right.entitled && !lesson?.free) return closed
  if (attachmentId) {
    const attachment = await within((db) => findAttachment(db, customerId, productId, attachmentId as AttachmentId))
    const key = attachment && right.entitled ? parseMediaKey(attachment.asset) : null
    if (!attachment || !key) return closed
    return { ...closed, right: { key, name: attachment.name, contentType: attachment.contentType } }
  }
  // A video that was taken away from the product is closed with it; one that was exchanged plays on for who watches it.
  const exchanged = () => within((db) => isRetiredVideo(db, customerId, lessonId ?? productId, grant.asset))
  if (ask.videoAsset !== grant.asset && !(await exchanged())) return closed
  if (play && playId && now.getTime() - Date.parse(play.seenAt) > signEvery)
    await within((db) => signOfPlay(db, customerId, playId, now))
  return { ...closed, right: 'STREAM' }
}

/** Whether a play lets its own session go on. */
const opens = (play: MediaAsk['play'], sessionId: MediaAsk['sessionId'], beside: boolean) =>
  play !== null && play.sessionId === sessionId && (play.endedBy === null || (beside && play.endedBy !== 'CLOSED'))

/** A file a member sent with an inquiry: its sender's alone. */
const inquiryFile = async (db: TenantDb, { asset, customerId, memberId }: MediaGrant): Promise<MediaRight> => {
  const [kind, id = ''] = asset.split('/')
  const file = kind === 'inquiry' && memberId !== null ? await findInquiryFile(db, customerId, id) : null
  const key = file?.memberId === memberId ? parseMediaKey(file?.asset ?? '') : null
  return file && key ? { key, name: file.name, contentType: file.contentType } : 'CLOSED'
}
