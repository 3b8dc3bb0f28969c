import type { Ctx, MemberCtx } from '#api/context.ts'
import { isVisible } from '#api/domain/catalog/visible-product.ts'
import { beginProvision, takeFreeProduct } from '#api/domain/entitlements/begin.ts'
import { type Failure, isFailure } from '#api/domain/failure.ts'
import { titleOf, translateParts, translationFor } from '#api/domain/translations.ts'
import { signMedia } from '#api/media/sign.ts'
import type { LessonId, PlayId, ProductId, SessionId } from '#contract/ids.ts'
import type { Playback } from '#contract/playback.ts'
import { licencesBelow } from './licences.ts'
import { openPlay } from './open-play.ts'
import { findPlayable, type Playable } from './playable.ts'
import { partOf, resumeAt } from './watch.ts'

export interface PlaybackStart {
  id: ProductId
  lessonId?: LessonId | undefined
  acceptsProvision?: boolean | undefined
  playId?: PlayId | undefined
  takeOver?: PlayId | undefined
  signOut?: SessionId | undefined
}

/**
 * Opens a stream. Its address belongs to this tenant, person, product and play and lasts for one sitting; the right behind it is asked
 * again with each file. What is open to everyone belongs to nobody, so that another screen, which has no session, plays it too. A member
 * plays as many at the same time as the tenant or their plan allows. The first play of something bought begins its provision, and a
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
  const lessonId = (lesson?.id ?? null) as LessonId | null
  const play = isCounted(ctx, playable)
    ? await openPlay(ctx as MemberCtx, {
        ...{ productId: input.id, part: partOf(lessonId), right, address: askedFrom },
        ...{ playId: input.playId, takeOver: input.takeOver, signOut: input.signOut },
      })
    : null
  if (isFailure(play)) return play
  const accessUntil = await begin(ctx, input, playable)
  const position = positions.find(({ part }) => part === partOf(lessonId))

  const expiresAt = sittingUntil(ctx.clock.now(), video.durationSeconds, accessUntil)
  const address = signMedia(mediaSecret, {
    customerId: ctx.customer.id,
    memberId: play && (ctx as MemberCtx).actor.memberId,
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
    next: next && { productId: input.id, lessonId: next.id as LessonId, ...titleOf(ctx, next) },
    accessUntil,
    playId: play?.id ?? null,
    watermark: play?.watermark ?? null,
    drm: video.drm && licencesBelow(address, video.drm),
  }
}

/** What anybody may watch is not counted: whoever is at a limit could sign out and go on. */
const isCounted = ({ actor, customer }: Ctx, { product, right }: Playable) => {
  const openToGuests =
    !customer.settings.operation.useLogin && isVisible(product, { held: false }, customer.settings.order)
  // Whoever has no right plays a free lesson.
  const asGuest = openToGuests && (!right.entitled || right.source === 'FREE')
  return actor.kind === 'USER' && !asGuest
}

/** A guest, or a member without a bought right, has nothing to begin. */
const begin = async (ctx: Ctx, input: PlaybackStart, { product, right, lesson }: Playable) => {
  if (ctx.actor.kind !== 'USER') return null
  if (right.entitled) await takeFreeProduct(ctx as MemberCtx, product, right)
  const subject = lesson?.id ?? input.id
  const accepted = input.acceptsProvision ?? false
  return beginProvision(ctx as MemberCtx, input.id, right, { kind: 'PLAY', subject, accepted })
}

const minute = 60_000

/** Long enough to watch with a break, never past the right's own end. */
const sittingUntil = (now: Date, durationSeconds: number, accessUntil: string | null) => {
  const sitting = Math.min(Math.max(30 * minute, durationSeconds * 1000 * 1.5 + 15 * minute), 240 * minute)
  const until = now.getTime() + sitting
  return new Date(accessUntil === null ? until : Math.min(until, Date.parse(accessUntil)))
}
