import type { VideoDrm } from '#api/modules/catalog/catalog.schema.ts'
import {
  findProduct,
  findVideo,
  type LessonRow,
  lessonsOf,
  type ProductRow,
  type VideoRow,
} from '#api/modules/catalog/playables.queries.ts'
import { lastRightEnd } from '#api/modules/entitlements/entitlements.queries.ts'
import { beginFulfillment, type Right, rightOf, takeFreeProduct } from '#api/modules/entitlements/entitlements.ts'
import { isVisible, visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, type Failure, failure, isFailure, isMemberCtx, viewerOf } from '#api/platform/context.ts'
import { titleOf, translateParts, translationFor } from '#api/platform/i18n/translations.ts'
import { signMedia } from '#api/platform/storage/media-urls.ts'
import {
  type LessonId,
  lessonId as lessonIdSchema,
  type MemberId,
  type PlayId,
  type ProductId,
  type SessionId,
  type VideoId,
} from '#contract/ids.ts'
import type { Playback, Preview } from '#contract/playback.ts'
import type { RightMissing } from '#contract/playback-refusals.ts'
import { openPlay } from './plays.ts'
import { type PositionRow, positionsIn } from './positions.queries.ts'
import { partOf, resumeAt } from './watched-ranges.ts'

/** The folder of a stream's licences, below its signed address. No stored file is named like it. */
export const licenceFolder = 'licence'

/**
 * Where a player gets licences: below the stream's own signed address, so that the right is asked for them as for everything else, and
 * the licence server's address stays with the store.
 */
export const licencesBelow = (address: string, drm: VideoDrm): Playback['drm'] =>
  Object.fromEntries(
    Object.entries(drm).map(([keySystem, { certificateUrl }]) => {
      const licenceUrl = `${address}/${licenceFolder}/${keySystem}`
      return [keySystem, { licenceUrl, certificateUrl: certificateUrl ? `${licenceUrl}/certificate` : null }]
    }),
  )

/** Something the actor may play now: a product's own video, or one of its lessons. */
export interface Playable {
  product: ProductRow
  video: VideoRow
  lesson: LessonRow | null
  /** The lesson after it, when there is one that may be played too. */
  next: LessonRow | null
  right: Right
  positions: PositionRow[]
}

/**
 * What to play of a product, and whether the actor may. Without a lesson: the product's own video, else the lesson watched last, or
 * the one after it when that one is finished.
 */
export const findPlayable = async (
  ctx: Ctx,
  productId: ProductId,
  lessonId: LessonId | undefined,
): Promise<Playable | Failure> => {
  const { db, customer } = ctx
  const product = await findProduct(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND')
  const right = await rightOf(ctx, { id: productId, access: product.access })
  if (!isVisible(product, right, customer.settings.order)) return failure('NOT_FOUND')

  const viewer = viewerOf(ctx.actor)
  const positions = viewer ? await positionsIn(db, customer.id, viewer, productId) : []
  if (!lessonId && product.videoId) {
    const video = await findVideo(db, customer.id, product.videoId)
    if (!video) return failure('NOT_FOUND')
    if (!right.entitled) return rightMissing(ctx, productId, right)
    return { product, video, lesson: null, next: null, right, positions }
  }

  const lessons = await lessonsOf(db, customer.id, productId)
  const index = lessonId ? lessons.findIndex(({ lesson }) => lesson.id === lessonId) : nextUp(lessons, positions)
  const chosen = lessons[index]
  if (!chosen) return failure('NOT_FOUND')
  if (!right.entitled && !chosen.lesson.free) return rightMissing(ctx, productId, right)
  const after = lessons[index + 1]?.lesson
  const next = after && (right.entitled || after.free) ? after : null
  return { product, ...chosen, next, right, positions }
}

/** Why it does not play, as far as the person can do something about it. */
const rightMissing = async ({ actor, db, customer, clock }: Ctx, id: ProductId, { suspended }: Right) => {
  const reasonOf = async (memberId: MemberId): Promise<RightMissing['reason']> =>
    suspended ? 'SUSPENDED' : ((await lastRightEnd(db, customer.id, memberId, id, clock.now())) ?? 'NONE')
  const reason = actor.kind === 'USER' ? await reasonOf(actor.memberId) : 'SIGN_IN'
  return failure('NOT_ENTITLED', { data: { reason } satisfies RightMissing })
}

const nextUp = (lessons: readonly { lesson: LessonRow }[], positions: readonly PositionRow[]) => {
  const latest = [...positions].sort((a, b) => b.at.localeCompare(a.at))[0]
  const last = lessons.findIndex(({ lesson }) => lesson.id === latest?.part)
  if (latest && last >= 0) return latest.finished ? Math.min(last + 1, lessons.length - 1) : last
  return 0
}

export interface PlaybackStart {
  id: ProductId
  lessonId?: LessonId | undefined
  acceptsFulfillment?: boolean | undefined
  playId?: PlayId | undefined
  takeOver?: PlayId | undefined
  signOut?: SessionId | undefined
}

/**
 * Opens a stream. Its address belongs to this tenant, person, product and play and lasts for one viewing; the right behind it is asked
 * again with each file. What is open to everyone belongs to nobody, so that another screen, which has no session, plays it too. A member
 * plays as many at the same time as the tenant or their plan allows. The first play of something bought begins its fulfillment, and a
 * rental's days.
 */
export const startPlayback = async (
  ctx: Ctx,
  input: PlaybackStart,
  { mediaSecret, address: askedFrom }: { mediaSecret: string; address: string },
): Promise<Playback | Failure> => {
  const playable = await findPlayable(ctx, input.id, input.lessonId)
  if (isFailure(playable)) return playable
  const { product, video, lesson, next, positions, right } = playable
  const lessonId = lesson && lessonIdSchema.parse(lesson.id)
  const play =
    isMemberCtx(ctx) && isCounted(ctx, playable)
      ? await openPlay(ctx, {
          productId: input.id,
          part: partOf(lessonId),
          right,
          address: askedFrom,
          playId: input.playId,
          takeOver: input.takeOver,
          signOut: input.signOut,
        })
      : null
  if (isFailure(play)) return play
  const accessUntil = await begin(ctx, input, playable)
  const position = positions.find(({ part }) => part === partOf(lessonId))

  const expiresAt = viewingEndsAt(ctx.clock.now(), video.durationSeconds, accessUntil)
  const address = signMedia(mediaSecret, {
    customerId: ctx.customer.id,
    memberId: play && isMemberCtx(ctx) ? ctx.actor.memberId : null,
    productId: input.id,
    lessonId,
    playId: play?.id ?? null,
    asset: video.asset,
    expiresAt: expiresAt.getTime() / 1000,
  })
  return {
    productId: input.id,
    lessonId,
    ...titleOf(ctx, lesson ?? product),
    manifestUrl: `${address}/master.m3u8`,
    expiresAt: expiresAt.toISOString(),
    durationSeconds: video.durationSeconds,
    poster: product.poster,
    captions: video.captions.map(({ language, label }) => ({
      language,
      label,
      url: `${address}/captions/${language}.vtt`,
    })),
    audio: video.audio,
    storyboardUrl: video.storyboard && `${address}/${video.storyboard}`,
    chapters: translateParts(
      ctx,
      video.chapters,
      'title',
      translationFor(ctx, (lesson ?? product).translations),
      'chapters',
    ),
    resumeSeconds: resumeAt(position),
    positionAt: position ? new Date(position.at).toISOString() : null,
    next: next && { productId: input.id, lessonId: lessonIdSchema.parse(next.id), ...titleOf(ctx, next) },
    accessUntil,
    playId: play?.id ?? null,
    watermark: play?.watermark ?? null,
    drm: video.drm && licencesBelow(address, video.drm),
  }
}

/** Whether a member's play counts. What anybody may watch does not: whoever is at a limit could sign out and go on. */
const isCounted = ({ customer }: Ctx, { product, right }: Playable) => {
  const openToGuests =
    !customer.settings.operation.useLogin && isVisible(product, { held: false }, customer.settings.order)
  // Whoever has no right plays a free lesson.
  const asGuest = openToGuests && (!right.entitled || right.source === 'FREE')
  return !asGuest
}

/** A guest, or a member without a bought right, has nothing to begin. */
const begin = async (ctx: Ctx, input: PlaybackStart, { product, right, lesson }: Playable) => {
  if (!isMemberCtx(ctx)) return null
  if (right.entitled) await takeFreeProduct(ctx, product, right)
  const subject = lesson?.id ?? input.id
  const accepted = input.acceptsFulfillment ?? false
  return beginFulfillment(ctx, input.id, right, { kind: 'PLAY', subject, accepted })
}

const minute = 60_000

/** Long enough to watch with a break, never past the right's own end. */
const viewingEndsAt = (now: Date, durationSeconds: number, accessUntil: string | null) => {
  const viewing = Math.min(Math.max(30 * minute, durationSeconds * 1000 * 1.5 + 15 * minute), 240 * minute)
  const until = now.getTime() + viewing
  return new Date(accessUntil === null ? until : Math.min(until, Date.parse(accessUntil)))
}

/** A product's public preview: a stream of its own, so that its address opens nothing of the film. */
export const getPreview = async (
  ctx: Ctx,
  { id, previewId }: { id: ProductId; previewId: VideoId },
): Promise<Preview | Failure> => {
  const { db, customer } = ctx
  const product = await findProduct(db, customer.id, id)
  if (!product || !(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  // By the product's own id it is the preview of its own video.
  const videoId = String(previewId) === id ? product.videoId : previewId
  const belongs =
    product.videoId === videoId || (await lessonsOf(db, customer.id, id)).some(({ video }) => video.id === videoId)
  const video = videoId && belongs ? await findVideo(db, customer.id, videoId) : null
  if (!video?.previewAsset || video.previewSeconds === null) return failure('NOT_FOUND')
  const address = `/p/${video.previewAsset}`
  return {
    ...titleOf(ctx, product),
    manifestUrl: `${address}/master.m3u8`,
    durationSeconds: Math.min(video.previewSeconds, video.durationSeconds),
    poster: product.poster,
    captions: video.captions.map(({ language, label }) => ({
      language,
      label,
      url: `${address}/captions/${language}.vtt`,
    })),
  }
}
