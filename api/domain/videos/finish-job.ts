import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { type Attempt, lockVideoJob, setVideoJob } from '#api/db/queries/video-jobs.ts'
import { lessons, products, videos } from '#api/db/schema/catalog.ts'
import { type CaptionCues, keepCaptionCues } from '#api/domain/catalog/keep-caption-cues.ts'
import { refreshProducts } from '#api/domain/catalog/refresh-products.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { retireVideo } from './retire-video.ts'
import { stateAfter } from './states.ts'

/** A stream that is whole and stored. */
export interface WholeStream extends Omit<typeof videos.$inferInsert, 'customerId' | 'id'> {
  cues: readonly CaptionCues[]
  /** The product's poster from now on; null leaves the one it has. */
  poster: Picture | null
  /** What was asked for and could not be done, although the stream is whole. */
  shortfall: { failure: string; reason: string } | null
}

/**
 * The switch: in this one transaction the product or lesson gets the new stream, its length and its captions, and the old stream is
 * put aside. Where the job is this attempt's no more, or what it is for is gone, nothing changes.
 */
export const finishJob = async (
  ctx: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  attempt: Attempt,
  { cues, poster, shortfall, ...stream }: WholeStream,
): Promise<'FINISHED' | 'NOT_OURS' | 'TARGET_GONE'> => {
  const { db, customer, clock } = ctx
  const job = await lockVideoJob(db, customer.id, attempt.id)
  const { videoId } = attempt
  if (job?.status !== 'RUNNING' || job.attempts !== attempt.attempts || job.videoId !== videoId) return 'NOT_OURS'
  const { productId, lessonId } = job
  const ofProduct = and(eq(products.customerId, customer.id), eq(products.id, productId))
  const [product] = await db
    .select({ videoId: products.videoId, poster: products.poster })
    .from(products)
    .where(ofProduct)
    .for('update')
  if (!product) return 'TARGET_GONE'

  const ofLesson = and(eq(lessons.customerId, customer.id), eq(lessons.id, lessonId ?? productId))
  const [lesson] =
    lessonId === null ? [] : await db.select({ videoId: lessons.videoId }).from(lessons).where(ofLesson).for('update')
  if (lessonId !== null && !lesson) return 'TARGET_GONE'
  const before = lesson ? lesson.videoId : product.videoId

  const createdAt = clock.now().toISOString()
  await db.insert(videos).values({ ...stream, customerId: customer.id, id: videoId, createdAt })
  if (lesson) await db.update(lessons).set({ videoId }).where(ofLesson)
  else await db.update(products).set({ videoId }).where(ofProduct)
  if (poster)
    await db
      .update(products)
      .set({ poster: { ...poster, alt: product.poster.alt } })
      .where(ofProduct)
  if (before) await retireVideo(ctx, before, lessonId ?? productId)
  await refreshProducts(db, customer.id, [productId as ProductId])
  await keepCaptionCues(db, customer.id, videoId, cues)
  await setVideoJob(db, customer.id, job.id, {
    ...{ status: stateAfter.FINISHED, step: null, percent: 100, secondsLeft: null },
    ...shortfall,
    endedAt: clock.now().toISOString(),
  })
  return 'FINISHED'
}
