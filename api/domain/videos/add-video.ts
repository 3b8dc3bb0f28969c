import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { findProduct } from '#api/db/queries/playables.ts'
import { announceVideoJobs } from '#api/db/queries/video-jobs.ts'
import { lessons } from '#api/db/schema/catalog.ts'
import { type VideoWish, videoJobs } from '#api/db/schema/videos.ts'
import { newId } from '#api/db/uuid.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { KeptSource } from '#api/media/sources.ts'
import type { LessonId, ProductId, VideoJobId } from '#contract/ids.ts'
import { subjectOf } from './subject.ts'
import { supersede } from './supersede.ts'
import { checkWish } from './wish.ts'

export interface NewVideo {
  productId: ProductId
  /** Null: the product's own video. */
  lessonId: LessonId | null
  source: KeptSource
  wish: VideoWish
}

/**
 * Queues a file to become the stream of a product or of one of its lessons. The stream there is now serves until the new one is
 * whole. A file that was given for the same before and is not done yet is not wanted any more.
 */
export const addVideo = async (
  ctx: Ctx,
  by: AuditActor,
  { productId, lessonId, source, wish }: NewVideo,
): Promise<{ id: VideoJobId } | Failure> => {
  const { db, customer, clock } = ctx
  const product = await findProduct(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND', { errors: { product: ['Product not found in this store.'] } })
  const ofLesson =
    lessonId === null
      ? null
      : and(eq(lessons.customerId, customer.id), eq(lessons.productId, productId), eq(lessons.id, lessonId))
  if (ofLesson && (await db.$count(lessons, ofLesson)) === 0)
    return failure('NOT_FOUND', { errors: { lesson: [`${product.code} doesn’t have this lesson.`] } })
  const errors = checkWish(wish)
  if (errors) return failure('VALIDATION_FAILED', { errors })

  await supersede(ctx, productId, lessonId)
  const id = newId<VideoJobId>()
  await db.insert(videoJobs).values({
    ...{ customerId: customer.id, id, productId, lessonId, videoId: newId(), wish, actor: by },
    ...{ sourceKey: source.key, sourceName: source.name, sourceBytes: source.bytes },
    createdAt: clock.now().toISOString(),
  })
  await audit(ctx, {
    ...{ actor: by, action: 'video.added', subject: subjectOf(product.code, lessonId) },
    detail: { job: id, file: source.name },
  })
  await announceVideoJobs(db, customer.id)
  return { id }
}
