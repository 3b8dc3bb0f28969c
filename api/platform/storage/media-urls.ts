import { createHmac, timingSafeEqual } from 'node:crypto'
import type * as z from 'zod/mini'
import { packUuids, unpackUuids } from '#api/platform/crypto.ts'
import {
  type CustomerId,
  customerId,
  type LessonId,
  lessonId,
  type MemberId,
  memberId,
  type PlayId,
  type ProductId,
  playId,
  productId,
  type StaffSessionId,
  staffSessionId,
} from '#contract/ids.ts'

/**
 * The member and the asset of a signed URL. Where `memberId` is null, the URL opens only what is
 * free for everyone.
 */
interface MediaBinding {
  customerId: CustomerId
  memberId: MemberId | null
  /** Null for a file of a member that belongs to no product. */
  productId: ProductId | null
  lessonId: LessonId | null
  /**
   * The play that the URL belongs to, and that it ends with. For a single file, the one download.
   * Null for a public stream.
   */
  playId: PlayId | null
  /** The session of the console that alone may open the URL. Others have none. */
  staffSessionId?: StaffSessionId | undefined
}

export interface MediaGrant extends MediaBinding {
  /** `video/{id}`, `attachment/{id}` or `inquiry/{id}`. The URL opens all files below it. */
  asset: string
  /** Unix seconds. */
  expiresAt: number
}

const nil = '00000000-0000-0000-0000-000000000000'
const encodeGrant = (secret: string, expiry: string, binding: string, asset: string) =>
  createHmac('sha256', secret).update(`media\n${expiry}\n${binding}\n${asset}`).digest('base64url').slice(0, 32)

/**
 * Returns the URL prefix of one asset: `/m/{expiry}.{binding}.{hmac}/{asset}`. Relative URLs in a
 * playlist inherit it, so playlists are stored once and never rewritten.
 */
export const signMedia = (secret: string, grant: MediaGrant): string => {
  const expiry = Math.floor(grant.expiresAt).toString(36)
  const { customerId, memberId, productId, lessonId, playId, staffSessionId } = grant
  const ids = [customerId, memberId ?? nil, productId ?? nil, lessonId ?? nil, playId ?? nil]
  const binding = packUuids(staffSessionId ? [...ids, staffSessionId] : ids)
  return `/m/${expiry}.${binding}.${encodeGrant(secret, expiry, binding, grant.asset)}/${grant.asset}`
}

/** The folder of licences below a stream's signed address. No stored file has this name. */
export const licenceFolder = 'licence'

/**
 * Returns the licence addresses for a player. They are below the stream's signed address, so that
 * each licence request checks the right, and the licence server's address is not exposed.
 */
export const licenceUrls = (address: string, drm: Readonly<Record<string, { certificateUrl?: string }>>) =>
  Object.fromEntries(
    Object.entries(drm).map(([keySystem, { certificateUrl }]) => {
      const licenceUrl = `${address}/${licenceFolder}/${keySystem}`
      return [keySystem, { licenceUrl, certificateUrl: certificateUrl ? `${licenceUrl}/certificate` : null }]
    }),
  )

/**
 * Verifies the signed segment of a URL. Returns null if it is malformed, forged, expired or for
 * another asset.
 *
 * @param now Unix seconds
 */
export const openMedia = (secret: string, token: string, asset: string, now: number): MediaGrant | null => {
  const [expiry, binding, signature, ...more] = token.split('.')
  if (!expiry || !binding || !signature || more.length > 0) return null
  const due = Buffer.from(encodeGrant(secret, expiry, binding, asset))
  const offered = Buffer.from(signature)
  if (offered.length !== due.length || !timingSafeEqual(offered, due)) return null
  const expiresAt = Number.parseInt(expiry, 36)
  if (!Number.isFinite(expiresAt) || expiresAt <= now) return null
  const [customer, member, product, lesson, play, staffSession] = unpackUuids(binding)
  const ofWhom = customerId.safeParse(customer)
  if (!ofWhom.success) return null
  return {
    customerId: ofWhom.data,
    memberId: idOrNull(memberId, member),
    productId: idOrNull(productId, product),
    lessonId: idOrNull(lessonId, lesson),
    playId: idOrNull(playId, play),
    ...(staffSession !== undefined && { staffSessionId: staffSessionId.parse(staffSession) }),
    asset,
    expiresAt,
  }
}

const idOrNull = <Id>(schema: z.ZodMiniType<Id>, id: string | undefined): Id | null =>
  id === nil ? null : schema.parse(id)
