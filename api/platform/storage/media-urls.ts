import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CustomerId, LessonId, MemberId, PlayId, ProductId } from '#contract/ids.ts'

/** To whom and to what a media address belongs. One of nobody's (`memberId` null) opens what is free for everyone alone. */
export interface MediaBinding {
  customerId: CustomerId
  memberId: MemberId | null
  /** Null for what belongs to a member and to no product. */
  productId: ProductId | null
  lessonId: LessonId | null
  /** The play it was opened for, which ends with it; of a single file the one opening. Null for nobody's stream. */
  playId: PlayId | null
}

export interface MediaGrant extends MediaBinding {
  /** `video/{id}`, `attachment/{id}` or `inquiry/{id}`: everything below it is opened. */
  asset: string
  /** Unix seconds. */
  expiresAt: number
}

const nil = '00000000-0000-0000-0000-000000000000'
const pack = (ids: readonly (string | null)[]) =>
  Buffer.from(ids.map((id) => (id ?? nil).replaceAll('-', '')).join(''), 'hex').toString('base64url')
const unpack = (packed: string): string[] =>
  (Buffer.from(packed, 'base64url').toString('hex').match(/.{32}/g) ?? []).map((hex) =>
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )

const encodeGrant = (secret: string, expiry: string, binding: string, asset: string) =>
  createHmac('sha256', secret).update(`media\n${expiry}\n${binding}\n${asset}`).digest('base64url').slice(0, 32)

/**
 * The address prefix of one asset: `/m/{expiry}.{binding}.{hmac}/{asset}`. Relative addresses inside a playlist inherit it, so
 * playlists are stored once and never rewritten.
 */
export const signMedia = (secret: string, grant: MediaGrant): string => {
  const expiry = Math.floor(grant.expiresAt).toString(36)
  const binding = pack([grant.customerId, grant.memberId, grant.productId, grant.lessonId, grant.playId])
  return `/m/${expiry}.${binding}.${encodeGrant(secret, expiry, binding, grant.asset)}/${grant.asset}`
}

/** Reads the signed segment of an address. Null when it is malformed, forged, for another asset, or past its time (Unix seconds). */
export const openMedia = (secret: string, token: string, asset: string, now: number): MediaGrant | null => {
  const [expiry, binding, given, ...more] = token.split('.')
  if (!expiry || !binding || !given || more.length > 0) return null
  const due = Buffer.from(encodeGrant(secret, expiry, binding, asset))
  const offered = Buffer.from(given)
  if (offered.length !== due.length || !timingSafeEqual(offered, due)) return null
  const expiresAt = Number.parseInt(expiry, 36)
  if (!Number.isFinite(expiresAt) || expiresAt <= now) return null
  const [customerId, memberId, productId, lessonId, playId] = unpack(binding)
  if (!customerId || !memberId || !productId || !lessonId || !playId) return null
  return {
    customerId: customerId as CustomerId,
    memberId: memberId === nil ? null : (memberId as MemberId),
    productId: productId === nil ? null : (productId as ProductId),
    lessonId: lessonId === nil ? null : (lessonId as LessonId),
    playId: playId === nil ? null : (playId as PlayId),
    asset,
    expiresAt,
  }
}
