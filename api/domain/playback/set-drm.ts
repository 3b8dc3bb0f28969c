import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { findVideo } from '#api/db/queries/playables.ts'
import { lessons, products, type VideoDrm, videos } from '#api/db/schema/catalog.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { failure, isFailure } from '#api/domain/failure.ts'
import { findTarget } from '#api/domain/videos/find-target.ts'
import type { VideoId } from '#contract/ids.ts'
import { isDomain } from '#contract/rules.ts'

/** What browsers call the systems that decrypt. */
export const keySystems = ['com.widevine.alpha', 'com.microsoft.playready', 'com.apple.fps', 'org.w3.clearkey'] as const

export interface DrmWish {
  product: string
  /** A lesson by its place, from 1; null for the product's own video. */
  lesson: number | null
  keySystem: string
  /** Null takes the key system away. */
  licenseUrl: string | null
  certificateUrl: string | null
}

/** Says where an encrypted video's licences are, for one key system. */
export const setDrm = async (ctx: Ctx, by: AuditActor, wish: DrmWish) => {
  const { db, customer } = ctx
  const { keySystem, licenseUrl, certificateUrl } = wish
  if (!keySystems.some((known) => known === keySystem))
    return refused('keySystem', `There is no key system called ${keySystem}. There are: ${keySystems.join(', ')}.`)
  for (const url of [licenseUrl, certificateUrl])
    if (url !== null && !isReachable(url))
      return refused('licenseUrl', `${url} is no https address, such as https://licences.example.com/widevine?key=….`)
  const target = await findTarget(ctx, { product: wish.product, lesson: wish.lesson ?? undefined })
  if (isFailure(target)) return target
  const table = target.lessonId === null ? products : lessons
  const [found] = await db
    .select({ videoId: table.videoId })
    .from(table)
    .where(and(eq(table.customerId, customer.id), eq(table.id, target.lessonId ?? target.productId)))
  const video = found?.videoId ? await findVideo(db, customer.id, found.videoId as VideoId) : null
  if (!video) return refused('product', `${wish.product} has no such video.`)

  const { [keySystem]: _, ...others } = video.drm ?? {}
  const drm: VideoDrm = licenseUrl
    ? { ...others, [keySystem]: { licenseUrl, ...(certificateUrl ? { certificateUrl } : {}) } }
    : others
  const kept = Object.keys(drm).length > 0 ? drm : null
  await db
    .update(videos)
    .set({ drm: kept })
    .where(and(eq(videos.customerId, customer.id), eq(videos.id, video.id)))
  const systems = Object.keys(drm)
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
