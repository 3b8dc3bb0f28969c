import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Ctx } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { filesBelow } from '#api/platform/storage/disk-storage.ts'
import type { VideoJobStatus } from '#contract/enumerations.ts'
import { type CustomerId, customerId, type VideoId } from '#contract/ids.ts'
import { isTransient, retiredRetentionMilliseconds, sourceRetentionMilliseconds } from './video-job-states.ts'
import { jobsInStates, jobsOfSources } from './video-jobs.queries.ts'
import { encodingSpace, freeSpace, reservationFile } from './video-sources.ts'
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

/** Milliseconds. An upload idle for longer loses its reservation and must fit again to continue. */
const reservationMilliseconds = 3_600_000

interface Transfer {
  /** Bytes received so far, the total, and when the last bytes arrived (milliseconds). */
  received: number
  of: number
  at: number
}
const outstanding = ({ received, of, at }: Transfer) =>
  Date.now() - at > reservationMilliseconds ? 0 : Math.max(0, of - received) + encodingSpace(of)

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
const sizeOf = (path: string) => stat(path).catch(() => null)

/**
 * Bytes reserved for uploads that no job has taken yet. An upload of unknown size reserves the
 * bytes received.
 */
const reservedByUploads = async (folder: string, but: string | undefined): Promise<number> => {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json') && name !== `${but}.json`)
  const transfers = names.map(async (name): Promise<Transfer | null> => {
    const [metadata, record, file] = await Promise.all([
      readFile(join(folder, name), 'utf8').catch(() => ''),
      sizeOf(join(folder, name)),
      sizeOf(join(folder, name.slice(0, -'.json'.length))),
    ])
    if (!record || !file) return null
    const [, size] = /"size":(\d+)/.exec(metadata) ?? []
    return { received: file.size, of: Number(size ?? file.size), at: Math.max(record.mtimeMs, file.mtimeMs) }
  })
  return sum((await Promise.all(transfers)).map((transfer) => (transfer ? outstanding(transfer) : 0)))
}

/** Bytes reserved for files that are being copied to the sources. */
const reservedByCopies = async (folder: string, sources: readonly string[]): Promise<number> => {
  const transfers = sources.map(async (name): Promise<Transfer | null> => {
    const of = Number(await readFile(join(folder, name, reservationFile), 'utf8').catch(() => 0))
    if (!of) return null
    const files = (await namesIn(join(folder, name))).filter((file) => file !== reservationFile)
    const [copy] = await Promise.all(files.slice(0, 1).map((file) => sizeOf(join(folder, name, file))))
    const reservation = await sizeOf(join(folder, name, reservationFile))
    return { received: copy?.size ?? 0, of, at: Math.max(copy?.mtimeMs ?? 0, reservation?.mtimeMs ?? 0) }
  })
  return sum((await Promise.all(transfers)).map((transfer) => (transfer ? outstanding(transfer) : 0)))
}

const bytesBelow = async (folder: string) => {
  const paths = await filesBelow(folder).catch(() => [])
  return sum((await Promise.all(paths.map(sizeOf))).map((file) => file?.size ?? 0))
}

/** Bytes that queued jobs need, plus what running jobs have not written yet. */
const reservedByJobs = async (
  { pool, dataFolder }: DiskSpaceDeps,
  owner: CustomerId,
  states: VideoJobStatus[],
  but?: string,
) => {
  const jobs = await withTenant(pool, owner, (db) => jobsInStates(db, owner, states))
  const remaining = jobs
    .filter(({ id }) => id !== but)
    .map(async ({ sourceBytes, status, videoId }) => {
      const written = status === 'RUNNING' ? await bytesBelow(join(dataFolder, 'work', videoId)) : 0
      return Math.max(0, encodingSpace(sourceBytes) - written)
    })
  return sum(await Promise.all(remaining))
}

/** Tenants with files on this machine: all of them share one disk. */
const ownersIn = async (folder: string): Promise<CustomerId[]> =>
  (await namesIn(folder)).flatMap((name) => {
    const owner = customerId.safeParse(name)
    return owner.success ? [owner.data] : []
  })

/**
 * Returns the bytes that can still be written below the data folder. Space reserved by uploads
 * (except `but.upload`), by copies, and by queued or running jobs of all tenants is excluded.
 */
export const freeDiskSpace = async (deps: DiskSpaceDeps, but: { upload?: string } = {}): Promise<number> => {
  const { dataFolder } = deps
  const [uploads, sources] = [join(dataFolder, 'uploads'), join(dataFolder, 'sources')]
  const free = await freeSpace(dataFolder)
  const reservations = [
    ...(await ownersIn(uploads)).map((owner) => reservedByUploads(join(uploads, owner), but.upload)),
    ...(await ownersIn(sources)).map(async (owner) => {
      const names = await namesIn(join(sources, owner))
      if (names.length === 0) return 0
      const jobs = await reservedByJobs(deps, owner, ['QUEUED', 'RUNNING'])
      return jobs + (await reservedByCopies(join(sources, owner), names))
    }),
  ]
  return Math.max(0, free - sum(await Promise.all(reservations)))
}

/**
 * Returns the bytes a job that starts now can write, without what other running jobs still need.
 */
export const hasSpaceForJob = async (deps: DiskSpaceDeps, job: string): Promise<number> => {
  const sources = join(deps.dataFolder, 'sources')
  const free = await freeSpace(deps.dataFolder)
  const running = (await ownersIn(sources)).map((owner) => reservedByJobs(deps, owner, ['RUNNING'], job))
  return Math.max(0, free - sum(await Promise.all(running)))
}

type StaleCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>
const before = ({ clock }: StaleCtx, milliseconds: number) => new Date(clock.now().getTime() - milliseconds)

/** A retired video whose files can be removed because nobody can be watching it. */
export interface StaleVideo {
  id: VideoId
  asset: string
  /** The same as `asset` for a former preview. */
  previewAsset: string | null
  /** The store shows a picture of the video, so its pictures must not be removed. */
  pictureUsed: boolean
}

const atOnce = 100
/** The size of a video whose stream is removed and whose pictures remain. */
const emptied = 0

/** Retired videos whose signed addresses have all expired and which still have files to remove. */
export const staleVideos = async (ctx: StaleCtx): Promise<StaleVideo[]> => {
  const { db, customer } = ctx
  const stale = await listStaleVideos(db, customer.id, before(ctx, retiredRetentionMilliseconds))
  if (stale.length === 0) return []
  const used = await videosWithPicturesInUse(db, customer.id)
  return stale
    .map((video) => ({ ...video, pictureUsed: used.has(video.id) }))
    .filter(({ bytes, pictureUsed }) => !(bytes === emptied && pictureUsed))
    .slice(0, atOnce)
}

/**
 * Removes the files of a video and then its row; while a picture is in use, only the stream is
 * removed. The row is locked meanwhile, so that no product starts to show the video. Nothing
 * changes if `remove` throws or the video is shown again.
 */
export const deleteVideo = async (ctx: StaleCtx, { id, pictureUsed }: StaleVideo, remove: () => Promise<void>) => {
  const { db, customer } = ctx
  if (!(await lockStaleVideo(db, customer.id, id, before(ctx, retiredRetentionMilliseconds)))) return
  await remove()
  if (pictureUsed) await updateVideo(db, customer.id, id, { bytes: emptied, previewAsset: null, storyboard: null })
  else await deleteVideoRow(db, customer.id, id)
}

/** Whether a job needs the sources below a key prefix, no longer needs them, or none is known. */
export const sourceUsage = async (ctx: StaleCtx, prefix: string): Promise<'WANTED' | 'DONE' | 'UNKNOWN'> => {
  const { db, customer } = ctx
  const jobs = await jobsOfSources(db, customer.id, prefix)
  const since = before(ctx, sourceRetentionMilliseconds).toISOString()
  if (jobs.length === 0) return 'UNKNOWN'
  const isNeeded = jobs.some(({ status, failure, endedAt, options }) => {
    if (endedAt === null || (status === 'READY' && options.keepSource)) return true
    if (status === 'READY' || (status === 'FAILED' && !isTransient(failure))) return false
    return endedAt > since
  })
  return isNeeded ? 'WANTED' : 'DONE'
}
