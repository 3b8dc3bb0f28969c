import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Ctx } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { filesBelow } from '#api/platform/storage/disk-storage.ts'
import { type CustomerId, customerId, type VideoId } from '#contract/ids.ts'
import {
  isPassing,
  retiredRetentionMilliseconds,
  sourceRetentionMilliseconds,
  type VideoJobStatus,
} from './video-job-states.ts'
import { jobsInStates, jobsOfSources } from './video-jobs.queries.ts'
import { encodingSpaceFactor, freeSpace, reservationFile } from './video-sources.ts'
import {
  deleteVideoRow,
  listStaleVideos,
  lockStaleVideo,
  updateVideo,
  videosWithPicturesInUse,
} from './videos.queries.ts'

export interface DiskSpaceDeps {
  pool: pg.Pool
  dataFolder: string
}

/** Whoever has not got on for so long has to fit in again when they go on. */
const reservationMilliseconds = 3_600_000

interface Taking {
  /** Bytes that are here, of so many; the last of them came at a time (milliseconds). */
  here: number
  of: number
  at: number
}
const outstanding = ({ here, of, at }: Taking) =>
  Date.now() - at > reservationMilliseconds ? 0 : Math.max(0, of - here) + encodingSpaceFactor(of)

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
const sizeOf = (path: string) => stat(path).catch(() => null)

/** Uploads under way or whole, that are no job's yet. Of one whose size is not known yet, what is here counts. */
const reservedByUploads = async (folder: string, but: string | undefined): Promise<number> => {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json') && name !== `${but}.json`)
  const takings = names.map(async (name): Promise<Taking | null> => {
    const [told, record, file] = await Promise.all([
      readFile(join(folder, name), 'utf8').catch(() => ''),
      sizeOf(join(folder, name)),
      sizeOf(join(folder, name.slice(0, -'.json'.length))),
    ])
    if (!record || !file) return null
    const [, size] = /"size":(\d+)/.exec(told) ?? []
    return { here: file.size, of: Number(size ?? file.size), at: Math.max(record.mtimeMs, file.mtimeMs) }
  })
  return sum((await Promise.all(takings)).map((taking) => (taking ? outstanding(taking) : 0)))
}

/** Files that are being copied to the sources at this moment. */
const reservedByCopies = async (folder: string, sources: readonly string[]): Promise<number> => {
  const takings = sources.map(async (name): Promise<Taking | null> => {
    const of = Number(await readFile(join(folder, name, reservationFile), 'utf8').catch(() => 0))
    if (!of) return null
    const files = (await namesIn(join(folder, name))).filter((file) => file !== reservationFile)
    const [copy] = await Promise.all(files.slice(0, 1).map((file) => sizeOf(join(folder, name, file))))
    const promise = await sizeOf(join(folder, name, reservationFile))
    return { here: copy?.size ?? 0, of, at: Math.max(copy?.mtimeMs ?? 0, promise?.mtimeMs ?? 0) }
  })
  return sum((await Promise.all(takings)).map((taking) => (taking ? outstanding(taking) : 0)))
}

const bytesBelow = async (folder: string) => {
  const paths = await filesBelow(folder).catch(() => [])
  return sum((await Promise.all(paths.map(sizeOf))).map((file) => file?.size ?? 0))
}

/** Jobs that wait for their turn, and what those under way have not written yet. */
const reservedByJobs = async (
  { pool, dataFolder }: DiskSpaceDeps,
  owner: CustomerId,
  states: VideoJobStatus[],
  but?: string,
) => {
  const jobs = await withTenant(pool, owner, (db) => jobsInStates(db, owner, states))
  const left = jobs
    .filter(({ id }) => id !== but)
    .map(async ({ sourceBytes, status, videoId }) => {
      const written = status === 'RUNNING' ? await bytesBelow(join(dataFolder, 'work', videoId)) : 0
      return Math.max(0, encodingSpaceFactor(sourceBytes) - written)
    })
  return sum(await Promise.all(left))
}

/** Tenants whose files lie in a folder of this machine: the disk is one for all of them. */
const ownersIn = async (folder: string): Promise<CustomerId[]> =>
  (await namesIn(folder)).flatMap((name) => {
    const owner = customerId.safeParse(name)
    return owner.success ? [owner.data] : []
  })

/**
 * What may be written below the data folder and was not promised to others, in bytes: to uploads (but for one), copies under way, and
 * jobs that wait or run, of all tenants.
 */
export const freeDiskSpace = async (deps: DiskSpaceDeps, but: { upload?: string } = {}): Promise<number> => {
  const { dataFolder } = deps
  const [uploads, sources] = [join(dataFolder, 'uploads'), join(dataFolder, 'sources')]
  const free = await freeSpace(dataFolder)
  const promised = [
    ...(await ownersIn(uploads)).map((owner) => reservedByUploads(join(uploads, owner), but.upload)),
    ...(await ownersIn(sources)).map(async (owner) => {
      const names = await namesIn(join(sources, owner))
      if (names.length === 0) return 0
      const jobs = await reservedByJobs(deps, owner, ['QUEUED', 'RUNNING'])
      return jobs + (await reservedByCopies(join(sources, owner), names))
    }),
  ]
  return Math.max(0, free - sum(await Promise.all(promised)))
}

/** What a job that is begun now may write: what others that are under way have not written yet is theirs. */
export const hasSpaceForJob = async (deps: DiskSpaceDeps, job: string): Promise<number> => {
  const sources = join(deps.dataFolder, 'sources')
  const free = await freeSpace(deps.dataFolder)
  const running = (await ownersIn(sources)).map((owner) => reservedByJobs(deps, owner, ['RUNNING'], job))
  return Math.max(0, free - sum(await Promise.all(running)))
}

type StaleCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>
const before = ({ clock }: StaleCtx, milliseconds: number) => new Date(clock.now().getTime() - milliseconds)

/** What is to be taken away of a video that nobody can be watching any more. */
export interface StaleVideo {
  id: VideoId
  /** Its files are its own: what came with a catalogue may be shown by others as well. */
  ownFiles: boolean
  /** The store shows a picture of it: its pictures stay until it does not. */
  pictureUsed: boolean
}

const atOnce = 100
/** The size of a video whose stream has been taken away, and of which only pictures are left. */
const emptied = 0

/** Videos that were exchanged or taken away so long ago that no address of theirs is alive, and of which something is left to remove. */
export const staleVideos = async (ctx: StaleCtx): Promise<StaleVideo[]> => {
  const { db, customer } = ctx
  const stale = await listStaleVideos(db, customer.id, before(ctx, retiredRetentionMilliseconds))
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
export const deleteVideo = async (ctx: StaleCtx, { id, pictureUsed }: StaleVideo, remove: () => Promise<void>) => {
  const { db, customer } = ctx
  if (!(await lockStaleVideo(db, customer.id, id, before(ctx, retiredRetentionMilliseconds)))) return
  await remove()
  if (pictureUsed) await updateVideo(db, customer.id, id, { bytes: emptied, previewAsset: null, storyboard: null })
  else await deleteVideoRow(db, customer.id, id)
}

/** Whether the sources whose keys begin so are wanted by a job, by none any more, or belong to none that is known. */
export const sourceUsage = async (ctx: StaleCtx, prefix: string): Promise<'WANTED' | 'DONE' | 'UNKNOWN'> => {
  const { db, customer } = ctx
  const jobs = await jobsOfSources(db, customer.id, prefix)
  const since = before(ctx, sourceRetentionMilliseconds).toISOString()
  if (jobs.length === 0) return 'UNKNOWN'
  const wanted = jobs.some(({ status, failure, endedAt, options }) => {
    if (endedAt === null || (status === 'READY' && options.keepSource)) return true
    if (status === 'READY' || (status === 'FAILED' && !isPassing(failure))) return false
    return endedAt > since
  })
  return wanted ? 'WANTED' : 'DONE'
}
