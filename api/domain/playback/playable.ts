import type { Ctx } from '#api/context.ts'
import { viewerOf } from '#api/context.ts'
import { lastRightEnd } from '#api/db/queries/ended-rights.ts'
import {
  findProduct,
  findVideo,
  type LessonRow,
  lessonsOf,
  type ProductRow,
  type VideoRow,
} from '#api/db/queries/playables.ts'
import { type PositionRow, positionsIn } from '#api/db/queries/positions.ts'
import { isVisible } from '#api/domain/catalog/visible-product.ts'
import { type Right, rightOf } from '#api/domain/entitlements/rights.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { LessonId, MemberId, ProductId, VideoId } from '#contract/ids.ts'
import type { RightMissing } from '#contract/playback-refusals.ts'

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
  const right = await rightOf(ctx, { id: productId, access: product.access as ProductAccess })
  if (!isVisible(product, right, customer.settings.order)) return failure('NOT_FOUND')

  const viewer = viewerOf(ctx.actor)
  const positions = viewer ? await positionsIn(db, customer.id, viewer, productId) : []
  if (!lessonId && product.videoId) {
    const video = await findVideo(db, customer.id, product.videoId as VideoId)
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
