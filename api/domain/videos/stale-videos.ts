import { and, eq, like, lt, notExists, sql } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { jobsOfSources } from '#api/db/queries/video-jobs.ts'
import { lessons, products, videos } from '#api/db/schema/catalog.ts'
import { isPassing, retiredKeptMilliseconds, sourcesKeptMilliseconds } from './states.ts'

type StaleCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>
const before = ({ clock }: StaleCtx, milliseconds: number) =>
  new Date(clock.now().getTime() - milliseconds).toISOString()

export interface StaleVideo {
  id: string
  /** Its files are its own: what came with a catalogue may be shown by others as well. */
  ownFiles: boolean
  /** A picture of it is a product's poster now. */
  posterUsed: boolean
}

/** Videos that were exchanged or taken away so long ago that no address of theirs is alive. */
export const staleVideos = async (ctx: StaleCtx): Promise<StaleVideo[]> => {
  const { db, customer } = ctx
  const rows = await db
    .select({ id: videos.id, asset: videos.asset })
    .from(videos)
    .where(and(eq(videos.customerId, customer.id), lt(videos.retiredAt, before(ctx, retiredKeptMilliseconds))))
    .limit(100)
  return Promise.all(
    rows.map(async ({ id, asset }) => {
      const shown = and(
        eq(products.customerId, customer.id),
        like(sql`${products.poster}->>'url'`, `/media/poster/${id}/%`),
      )
      return { id, ownFiles: asset === `video/${id}`, posterUsed: (await db.$count(products, shown)) > 0 }
    }),
  )
}

/** Forgets a video whose files are gone. One that is shown again meanwhile stays. */
export const forgetVideo = async ({ db, customer }: StaleCtx, id: string) => {
  const shownBy = (table: typeof products | typeof lessons) =>
    db
      .select({ one: sql`1` })
      .from(table)
      .where(and(eq(table.customerId, customer.id), eq(table.videoId, id)))
  await db
    .delete(videos)
    .where(
      and(
        eq(videos.customerId, customer.id),
        eq(videos.id, id),
        notExists(shownBy(products)),
        notExists(shownBy(lessons)),
      ),
    )
}

/** Whether the sources whose keys begin so are wanted by a job, by none any more, or belong to none that is known. */
export const useOfSources = async (ctx: StaleCtx, prefix: string): Promise<'WANTED' | 'DONE' | 'UNKNOWN'> => {
  const { db, customer } = ctx
  const jobs = await jobsOfSources(db, customer.id, prefix)
  const since = before(ctx, sourcesKeptMilliseconds)
  if (jobs.length === 0) return 'UNKNOWN'
  const wanted = jobs.some(({ status, failure, endedAt, wish }) => {
    if (endedAt === null || (status === 'READY' && wish.keepSource)) return true
    if (status === 'READY' || (status === 'FAILED' && !isPassing(failure))) return false
    return endedAt > since
  })
  return wanted ? 'WANTED' : 'DONE'
}
