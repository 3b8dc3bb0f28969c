import { and, asc, eq, lt, notExists, sql } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { videosWithPicturesInUse } from '#api/db/queries/used-posters.ts'
import { jobsOfSources } from '#api/db/queries/video-jobs.ts'
import { lessons, products, videos } from '#api/db/schema/catalog.ts'
import { isPassing, retiredKeptMilliseconds, sourcesKeptMilliseconds } from './states.ts'

type StaleCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>
const before = ({ clock }: StaleCtx, milliseconds: number) =>
  new Date(clock.now().getTime() - milliseconds).toISOString()

/** What is to be taken away of a video that nobody can be watching any more. */
export interface StaleVideo {
  id: string
  /** Its files are its own: what came with a catalogue may be shown by others as well. */
  ownFiles: boolean
  /** The store shows a picture of it: its pictures stay until it does not. */
  pictureUsed: boolean
}

const atOnce = 100
/** The size of a video whose stream has been taken away, and of which only pictures are left. */
const emptied = 0

const isStale = (ctx: StaleCtx) => {
  const { db, customer } = ctx
  const shownBy = (table: typeof products | typeof lessons) =>
    db
      .select({ one: sql`1` })
      .from(table)
      .where(and(eq(table.customerId, customer.id), eq(table.videoId, videos.id)))
  return and(
    eq(videos.customerId, customer.id),
    lt(videos.retiredAt, before(ctx, retiredKeptMilliseconds)),
    notExists(shownBy(products)),
    notExists(shownBy(lessons)),
  )
}

/** Videos that were exchanged or taken away so long ago that no address of theirs is alive, and of which something is left to remove. */
export const staleVideos = async (ctx: StaleCtx): Promise<StaleVideo[]> => {
  const { db, customer } = ctx
  const stale = await db
    .select({ id: videos.id, asset: videos.asset, bytes: videos.bytes })
    .from(videos)
    .where(isStale(ctx))
    .orderBy(asc(videos.retiredAt))
  if (stale.length === 0) return []
  const used = await videosWithPicturesInUse(db, customer.id)
  return stale
    .map(({ id, asset, bytes }) => ({ id, bytes, ownFiles: asset === `video/${id}`, pictureUsed: used.has(id) }))
    .filter(({ bytes, pictureUsed }) => !(bytes === emptied && pictureUsed))
    .slice(0, atOnce)
}

/**
 * Has the files of a video taken away and forgets it; while a picture of it is used, only the stream goes. Its row is held meanwhile,
 * so that nothing begins to show it, and it stays as it was where `remove` fails. One that is shown again by now is left alone.
 */
export const forgetVideo = async (ctx: StaleCtx, { id, pictureUsed }: StaleVideo, remove: () => Promise<void>) => {
  const { db, customer } = ctx
  const [held] = await db
    .select({ id: videos.id })
    .from(videos)
    .where(and(eq(videos.id, id), isStale(ctx)))
    .for('update')
  if (!held) return
  await remove()
  const row = and(eq(videos.customerId, customer.id), eq(videos.id, id))
  if (pictureUsed) await db.update(videos).set({ bytes: emptied, previewAsset: null, storyboard: null }).where(row)
  else await db.delete(videos).where(row)
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
