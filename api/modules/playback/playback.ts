import {
  findAttachment,
  findProduct,
  findVideo,
  type LessonRow,
  lessonsOf,
  manifestOf,
  type ProductRow,
  type VideoRow,
} from '#api/modules/catalog/playables.queries.ts'
import { lastRightEnd } from '#api/modules/entitlements/entitlements.queries.ts'
import { beginFulfillment, claimFreeProduct, type Right, rightOf } from '#api/modules/entitlements/entitlements.ts'
import { isVisible, visibilityOf, visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, type Failure, failure, isFailure, isMemberCtx, viewerOf } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { textFor, titleOf, translateParts, translationFor } from '#api/platform/i18n/translations.ts'
import { licenceUrls, signMedia } from '#api/platform/storage/media-urls.ts'
import { withEndingOf } from '#api/platform/storage/storage.ts'
import {
  type AttachmentId,
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

const captionsAt = (address: string, { captions }: VideoRow) =>
  captions.map(({ language, label, file = language }) => ({ language, label, url: `${address}/captions/${file}.vtt` }))

/** A video that the actor may play now: a product's own video or one of its lessons. */
export interface Playable {
  product: ProductRow
  video: VideoRow
  lesson: LessonRow | null
  /** The next lesson, if the actor may play it too. */
  next: LessonRow | null
  right: Right
  positions: PositionRow[]
}

/**
 * Finds the video to play and checks the right to it. Without a lesson it is the product's own
 * video, else the last watched lesson, or the next one if that is finished.
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
  if (!isVisible(product, right, visibilityOf(ctx))) return failure('NOT_FOUND')

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

/** Returns the failure for a missing right with the reason the viewer can act on. */
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
 * Opens a stream. Its address is bound to the tenant, member, product and play, and expires after
 * one viewing; each file request checks the right again. Free streams are bound to no member, so
 * that devices without a session can play them. A member can play as many streams at the same time
 * as the tenant or their plan allows. The first play of a purchase starts its fulfillment and the
 * days of a rental. Staff who see the store as a member open what the member may watch, and nothing
 * is written.
 */
export const startPlayback = async (
  ctx: Ctx,
  input: PlaybackStart,
  { mediaSecret, address: clientAddress }: { mediaSecret: string; address: string },
): Promise<Playback | Failure> => {
  const playable = await findPlayable(ctx, input.id, input.lessonId)
  if (isFailure(playable)) return playable
  const { product, video, lesson, next, positions, right } = playable
  const lessonId = lesson && lessonIdSchema.parse(lesson.id)
  const isBound = isMemberCtx(ctx) && isCounted(ctx, playable)
  const isViewing = isMemberCtx(ctx) && ctx.actor.viewing
  const play =
    isBound && !isViewing
      ? await openPlay(ctx, {
          productId: input.id,
          part: partOf(lessonId),
          right,
          address: clientAddress,
          playId: input.playId,
          takeOver: input.takeOver,
          signOut: input.signOut,
        })
      : null
  if (isFailure(play)) return play
  const accessUntil = isViewing ? right.expiresAt : await beginFirstPlay(ctx, input, playable)
  const position = positions.find(({ part }) => part === partOf(lessonId))

  const expiresAt = viewingEndsAt(ctx.clock.now(), video.durationSeconds, accessUntil)
  const address = signMedia(mediaSecret, {
    customerId: ctx.customer.id,
    memberId: isBound ? ctx.actor.memberId : null,
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
    manifestUrl: `${address}/${manifestOf(video)}`,
    expiresAt: expiresAt.toISOString(),
    durationSeconds: video.durationSeconds,
    poster: product.poster,
    captions: captionsAt(address, video),
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
    drm: video.drm && licenceUrls(address, video.drm),
  }
}

/**
 * Whether a play counts towards the stream limit. Public videos do not, because a member could sign
 * out to evade the limit.
 */
const isCounted = (ctx: Ctx, { product, right }: Playable) => {
  const openToGuests =
    !ctx.customer.settings.operation.useLogin && isVisible(product, { owned: false }, visibilityOf(ctx))
  // Without a right to the product, the lesson plays because it is free.
  const asGuest = openToGuests && (!right.entitled || right.source === 'FREE')
  return !asGuest
}

/** Starts fulfillment and rental on the first play. Does nothing without a purchased right. */
const beginFirstPlay = async (ctx: Ctx, input: PlaybackStart, { product, right, lesson }: Playable) => {
  if (!isMemberCtx(ctx)) return null
  if (right.entitled) await claimFreeProduct(ctx, product, right)
  const subject = lesson?.id ?? input.id
  const accepted = input.acceptsFulfillment ?? false
  return beginFulfillment(ctx, input.id, right, { kind: 'PLAY', subject, accepted })
}

const minute = 60_000
/** Breaks while watching: half of the film's duration and a quarter of an hour. */
const viewingFactor = 1.5
const breakMilliseconds = 15 * minute
const shortestViewing = 30 * minute
const longestViewing = 240 * minute

/** Returns when an address expires. Never after the end of the right. */
const viewingEndsAt = (now: Date, durationSeconds: number, accessUntil: string | null) => {
  const milliseconds = durationSeconds * 1000 * viewingFactor + breakMilliseconds
  const viewing = Math.min(Math.max(shortestViewing, milliseconds), longestViewing)
  const until = now.getTime() + viewing
  return new Date(accessUntil === null ? until : Math.min(until, Date.parse(accessUntil)))
}

/**
 * Opens the public preview of a product. It is a separate stream, so that its address opens no part
 * of the film.
 */
export const getPreview = async (
  ctx: Ctx,
  { id, previewId }: { id: ProductId; previewId: VideoId },
): Promise<Preview | Failure> => {
  const { db, customer } = ctx
  const product = await findProduct(db, customer.id, id)
  if (!product || !(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  // The product's own id selects the preview of its own video.
  const videoId = String(previewId) === id ? product.videoId : previewId
  const belongs =
    product.videoId === videoId || (await lessonsOf(db, customer.id, id)).some(({ video }) => video.id === videoId)
  const video = videoId && belongs ? await findVideo(db, customer.id, videoId) : null
  if (!video?.previewAsset || video.previewSeconds === null) return failure('NOT_FOUND')
  const address = `/p/${video.previewAsset}`
  return {
    ...titleOf(ctx, product),
    manifestUrl: `${address}/${manifestOf(video)}`,
    durationSeconds: Math.min(video.previewSeconds, video.durationSeconds),
    poster: product.poster,
    captions: captionsAt(address, video),
  }
}

const downloadMinutes = 10

/**
 * Opens one attachment of a product for some minutes. The request confirms that the terms were
 * accepted. The first download of a purchase starts its fulfillment, which is recorded as evidence.
 */
export const openAttachment = async (
  ctx: Ctx,
  { id, attachmentId }: { id: ProductId; attachmentId: AttachmentId },
  mediaSecret: string,
): Promise<{ url: string; name: string; expiresAt: string } | Failure> => {
  const { db, customer, actor } = ctx
  const product = await findProduct(db, customer.id, id)
  if (!product) return failure('NOT_FOUND')
  const right = await rightOf(ctx, { id, access: product.access })
  if (!isVisible(product, right, visibilityOf(ctx))) return failure('NOT_FOUND')
  const attachment = await findAttachment(db, customer.id, id, attachmentId)
  if (!attachment) return failure('NOT_FOUND')
  if (!right.entitled) return failure('NOT_ENTITLED')
  if (isMemberCtx(ctx)) {
    await claimFreeProduct(ctx, product, right)
    const use = { kind: 'DOWNLOAD', subject: attachmentId, accepted: true } as const
    await beginFulfillment(ctx, id, right, use)
  }
  const expiresAt = new Date(ctx.clock.now().getTime() + downloadMinutes * 60_000)
  const url = signMedia(mediaSecret, {
    customerId: customer.id,
    memberId: actor.kind === 'USER' ? actor.memberId : null,
    productId: id,
    lessonId: null,
    playId: newId<PlayId>(),
    asset: `attachment/${attachmentId}`,
    expiresAt: expiresAt.getTime() / 1000,
  })
  const { text: name, language } = textFor(ctx, attachment.name, attachment.translations, 'name')
  const address = language === customer.settings.base.locale ? url : `${url}?language=${language}`
  return { url: address, name: withEndingOf(attachment.name, name), expiresAt: expiresAt.toISOString() }
}
