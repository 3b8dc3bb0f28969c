import type { VideoDrm } from '#api/modules/catalog/catalog.schema.ts'
import { findTarget } from '#api/modules/media/videos.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Clock, type Ctx, failure, isFailure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import type { MediaGrant } from '#api/platform/storage/media-urls.ts'
import { isDomain } from '#contract/rules.ts'
import { findVideoOf, type MediaRequestRow, recordLeak, setVideoDrm } from './media-rights.queries.ts'
import { endPlay } from './plays.queries.ts'

/** What browsers call the systems that decrypt. */
export const keySystems = ['com.widevine.alpha', 'com.microsoft.playready', 'com.apple.fps', 'org.w3.clearkey'] as const

export interface DrmOptions {
  product: string
  /** A lesson by its place, from 1; null for the product's own video. */
  lesson: number | null
  keySystem: string
  /** Null takes the key system away. */
  licenseUrl: string | null
  certificateUrl: string | null
}

/** Says where an encrypted video's licences are, for one key system. */
export const setDrm = async (ctx: Ctx, by: AuditActor, input: DrmOptions) => {
  const { db, customer } = ctx
  const { keySystem, licenseUrl, certificateUrl } = input
  if (!keySystems.some((known) => known === keySystem))
    return refused('keySystem', `There is no key system called ${keySystem}. There are: ${keySystems.join(', ')}.`)
  for (const url of [licenseUrl, certificateUrl])
    if (url !== null && !isReachable(url))
      return refused('licenseUrl', `${url} is no https address, such as https://licences.example.com/widevine?key=….`)
  const target = await findTarget(ctx, { product: input.product, lesson: input.lesson ?? undefined })
  if (isFailure(target)) return target
  const video = await findVideoOf(db, customer.id, target)
  if (!video) return refused('product', `${input.product} has no such video.`)

  const { [keySystem]: _, ...others } = video.drm ?? {}
  const drm: VideoDrm = licenseUrl
    ? { ...others, [keySystem]: { licenseUrl, ...(certificateUrl ? { certificateUrl } : {}) } }
    : others
  const systems = Object.keys(drm)
  await setVideoDrm(db, customer.id, video.id, systems.length > 0 ? drm : null)
  // The addresses may carry a secret, and stay out of what is read by many.
  await audit(ctx, { actor: by, action: 'drm.set', subject: `video:${video.id}`, detail: { systems } })
  return { systems, asset: video.asset }
}

const refused = (field: string, sentence: string) => failure('VALIDATION_FAILED', { errors: { [field]: [sentence] } })

/** Licences are fetched over https; http is for a server on this machine. */
const isReachable = (text: string) => {
  if (isDomain(text)) return /^https:/i.test(text)
  const url = URL.parse(text)
  return url?.protocol === 'http:' && /^(?:127\.0\.0\.1|localhost)$/.test(url.hostname)
}

/** From so many networks strangers may ask until the play is closed: one may be a mistake, several are a link passed on. */
const toleratedAddresses = 2

export interface Leak {
  /** Strangers' addresses so far, those of one IPv6 network as one. Zero where the ask came from where the play was begun: a browser just signed out, or the household. */
  addresses: number
  closed: boolean
}

/**
 * Writes down that somebody else asked for what was opened for a member: whose it was and from where it was asked. The first time it is
 * told to the audit; from too many places it closes the play.
 */
export const recordLeakOnce = async (
  { db, clock }: { db: TenantDb; clock: Clock },
  { customerId, memberId, productId, playId, asset }: MediaGrant,
  { play }: MediaRequestRow,
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
