import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { type Attempt, lockVideoJob } from '#api/db/queries/video-jobs.ts'
import { videos } from '#api/db/schema/catalog.ts'

/** Whether an attempt's stream is what people get. A switch under way, whose answer may have been lost, is waited for. */
export const isFinished = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  { id, videoId }: Omit<Attempt, 'attempts'>,
): Promise<boolean> => {
  await lockVideoJob(db, customer.id, id)
  return (await db.$count(videos, and(eq(videos.customerId, customer.id), eq(videos.id, videoId)))) > 0
}
