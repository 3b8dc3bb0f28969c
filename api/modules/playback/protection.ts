import type { VideoDrm } from '#api/modules/catalog/catalog.schema.ts'
import { changeVideoDrm, findTarget } from '#api/modules/media/videos.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Clock, type Ctx, invalidField, isFailure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import type { MediaGrant } from '#api/platform/storage/media-urls.ts'
import { isDomain } from '#contract/web-addresses.ts'
import { findVideoOf, type MediaRequestRow, membersByWatermark, readLeaks, recordLeak } from './media-rights.queries.ts'
import { endPlay } from './plays.queries.ts'

/** The key systems as browsers name them. */
export const keySystems = ['com.widevine.alpha', 'com.microsoft.playready', 'com.apple.fps', 'org.w3.clearkey'] as const

export interface DrmOptions {
  product: string
  /** The number of the lesson, from 1; null for the product's own video. */
  lesson: number | null
  keySystem: string
  /** Null removes the key system. */
  licenseUrl: string | null
  certificateUrl: string | null
}

/** Sets the licence address of an encrypted video for one key system. */
export const setDrm = async (ctx: Ctx, by: AuditActor, input: DrmOptions) => {
  const { db, customer } = ctx
  const { keySystem, licenseUrl, certificateUrl } = input
  if (!keySystems.some((system) => system === keySystem))
    return invalidField('keySystem', `There is no key system called ${keySystem}. There are: ${keySystems.join(', ')}.`)
  for (const url of [licenseUrl, certificateUrl])
    if (url !== null && !isAllowedLicenseUrl(url))
      return invalidField(
        'licenseUrl',
        `${url} is no https address, such as https://licences.example.com/widevine?key=….`,
      )
  const target = await findTarget(ctx, { product: input.product, lesson: input.lesson ?? undefined })
  if (isFailure(target)) return target
  const video = await findVideoOf(db, customer.id, target)
  if (!video) return invalidField('product', `${input.product} has no such video.`)

  const { [keySystem]: _, ...others } = video.drm ?? {}
  const drm: VideoDrm = licenseUrl
    ? { ...others, [keySystem]: { licenseUrl, ...(certificateUrl ? { certificateUrl } : {}) } }
    : others
  const systems = Object.keys(drm)
  await changeVideoDrm(ctx, video.id, systems.length > 0 ? drm : null)
  // Licence addresses may contain a secret, so the audit log does not include them.
  await audit(ctx, { actor: by, action: 'drm.set', subject: `video:${video.id}`, detail: { systems } })
  return { systems, asset: video.asset }
}

/** Licences require https, except from a server on this machine. */
const isAllowedLicenseUrl = (text: string) => {
  if (isDomain(text)) return /^https:/i.test(text)
  const url = URL.parse(text)
  return url?.protocol === 'http:' && /^(?:127\.0\.0\.1|localhost)$/.test(url.hostname)
}

/**
 * How many networks may send foreign requests before the play closes: one may be a mistake, several
 * indicate a shared link.
 */
const toleratedAddresses = 2

export interface Leak {
  /**
   * The number of foreign addresses so far; addresses of one IPv6 network count as one. Zero if the
   * request came from the network of the play, such as the same household.
   */
  addresses: number
  closed: boolean
}

/**
 * Records a request for a member's stream or file by somebody else. The first one is written to the
 * audit log; too many networks close the play.
 */
export const recordLeakOnce = async (
  { db, clock }: { db: TenantDb; clock: Clock },
  { customerId, memberId, productId, playId, asset }: MediaGrant,
  { play }: MediaRequestRow,
  address: string,
): Promise<Leak> => {
  // A device can change its address within its IPv6 network.
  const isSameNetwork = play !== null && networkOf(address) === networkOf(play.address)
  if (memberId === null || playId === null || isSameNetwork) return { addresses: 0, closed: false }
  const now = clock.now()
  const ctx = { db, clock, customer: { id: customerId } }
  const recorded = await recordLeak(db, customerId, { playId, address, memberId, productId, asset }, now)
  const detail = { play: playId, product: productId, asset, address }
  const addresses = new Set(recorded.addresses.map(networkOf)).size
  if (recorded.fresh && recorded.addresses.length === 1)
    await audit(ctx, { actor: 'rule', action: 'play.leaked', subject: `member:${memberId}`, detail })
  const closed =
    addresses > toleratedAddresses && play !== null && (await endPlay(db, customerId, memberId, playId, 'CLOSED', now))
  if (closed)
    await audit(ctx, {
      actor: 'rule',
      action: 'play.closed',
      subject: `member:${memberId}`,
      detail: { ...detail, addresses },
    })
  return { addresses, closed }
}

/**
 * Lists plays and files that others requested, latest first. `watermark` limits them to one member.
 */
export const listLeaks = ({ db, customer }: Ctx, watermark: string | null, limit: number) =>
  readLeaks(db, customer.id, watermark, limit)

/** Returns the members whose streams show a watermark: the last eight characters of their id. */
export const findByWatermark = ({ db, customer }: Ctx, watermark: string) =>
  membersByWatermark(db, customer.id, watermark)
