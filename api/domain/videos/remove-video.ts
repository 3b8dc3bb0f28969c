import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { lessons, products } from '#api/db/schema/catalog.ts'
import { refreshProducts } from '#api/domain/catalog/refresh-products.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { Target } from './find-target.ts'
import { retireVideo } from './retire-video.ts'
import { subjectOf } from './subject.ts'
import { supersede } from './supersede.ts'

/** Takes the video off a product or lesson, at once and for everyone; its files go a few hours later. */
export const removeVideo = async (
  ctx: Ctx,
  by: AuditActor,
  { productId, productCode, lessonId }: Target,
): Promise<{ removed: string } | Failure> => {
  const { db, customer } = ctx
  const table = lessonId === null ? products : lessons
  const row = and(eq(table.customerId, customer.id), eq(table.id, lessonId ?? productId))
  const [found] = await db.select({ videoId: table.videoId }).from(table).where(row).for('update')
  await supersede(ctx, productId, lessonId)
  if (!found?.videoId) return failure('NOT_FOUND', { errors: { product: [`${productCode} has no video to remove.`] } })
  await db.update(table).set({ videoId: null }).where(row)
  await retireVideo(ctx, found.videoId, null)
  await refreshProducts(db, customer.id, [productId])
  const subject = subjectOf(productCode, lessonId)
  await audit(ctx, { actor: by, action: 'video.removed', subject, detail: { video: found.videoId } })
  return { removed: found.videoId }
}
