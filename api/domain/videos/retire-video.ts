import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { lessons, products, videos } from '#api/db/schema/catalog.ts'
import { keepCaptionCues } from '#api/domain/catalog/keep-caption-cues.ts'

/**
 * Puts a video aside that nothing shows any more: exchanged, it plays on for those who watch it until its files are removed (`from`
 * names the product or lesson it was of); taken away (`from` null), it is closed at once.
 */
export const retireVideo = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  id: string,
  from: string | null,
) => {
  const used = await Promise.all([
    db.$count(products, and(eq(products.customerId, customer.id), eq(products.videoId, id))),
    db.$count(lessons, and(eq(lessons.customerId, customer.id), eq(lessons.videoId, id))),
  ])
  if (used.some((count) => count > 0)) return
  await db
    .update(videos)
    .set({ retiredAt: clock.now().toISOString(), retiredFrom: from })
    .where(and(eq(videos.customerId, customer.id), eq(videos.id, id)))
  await keepCaptionCues(db, customer.id, id, [])
}
