import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { AttachmentId, CustomerId, LessonId, ProductId, VideoId } from '#contract/ids.ts'
import { attachments, lessons, products, videos } from './catalog.schema.ts'
import { isFreeOfCharge, isReady } from './products.queries.ts'

/** A product's columns with values derived from its options and its content. */
export const productColumns = {
  ...getTableColumns(products),
  freeOfCharge: sql<boolean>`${sql.raw(isFreeOfCharge('products'))}`,
  ready: sql<boolean>`${sql.raw(isReady('products'))}`,
}
export type ProductRow = typeof products.$inferSelect & { freeOfCharge: boolean; ready: boolean }
export type VideoRow = typeof videos.$inferSelect
export type LessonRow = typeof lessons.$inferSelect

/** Returns a product in any state. The caller decides what a state means. */
export const findProduct = async (db: TenantDb, customerId: CustomerId, id: ProductId): Promise<ProductRow | null> => {
  const [product] = await db
    .select(productColumns)
    .from(products)
    .where(and(eq(products.customerId, customerId), eq(products.id, id)))
  return product ?? null
}

/** Returns a video, or null. */
export const findVideo = async (db: TenantDb, customerId: CustomerId, id: VideoId): Promise<VideoRow | null> => {
  const [video] = await db
    .select()
    .from(videos)
    .where(and(eq(videos.customerId, customerId), eq(videos.id, id)))
  return video ?? null
}

/** Returns a product's lessons in order, each with its video. */
export const lessonsOf = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db
    .select({ lesson: lessons, video: videos })
    .from(lessons)
    .innerJoin(videos, and(eq(videos.customerId, lessons.customerId), eq(videos.id, lessons.videoId)))
    .where(and(eq(lessons.customerId, customerId), eq(lessons.productId, productId)))
    .orderBy(asc(lessons.sort))
export type LessonVideo = Awaited<ReturnType<typeof lessonsOf>>[number]

/** Returns a lesson of a product, or null. */
export const findLesson = async (db: TenantDb, customerId: CustomerId, productId: ProductId, id: LessonId) => {
  const [found] = await db
    .select()
    .from(lessons)
    .where(and(eq(lessons.customerId, customerId), eq(lessons.productId, productId), eq(lessons.id, id)))
  return found ?? null
}

/** Returns the attachments of a product in their order. */
export const attachmentsOf = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db
    .select()
    .from(attachments)
    .where(and(eq(attachments.customerId, customerId), eq(attachments.productId, productId)))
    .orderBy(asc(attachments.sort), asc(attachments.id))

/** Returns an attachment of a product, or null. */
export const findAttachment = async (db: TenantDb, customerId: CustomerId, productId: ProductId, id: AttachmentId) => {
  const [found] = await db
    .select()
    .from(attachments)
    .where(and(eq(attachments.customerId, customerId), eq(attachments.productId, productId), eq(attachments.id, id)))
  return found ?? null
}
