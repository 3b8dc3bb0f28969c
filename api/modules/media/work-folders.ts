import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Clock, Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type MediaKey, type MediaStorage, parseMediaKey } from '#api/platform/storage/storage.ts'
import { type CustomerId, customerId, type VideoId, videoId as videoIdSchema, videoJobId } from '#contract/ids.ts'
import type { VideoJobStep } from '#contract/media.ts'
import type { StaleVideo } from './disk-space.ts'
import { variantsOf } from './picture-variants.ts'
import { heartbeatSeconds, lostAfterSeconds } from './video-job-states.ts'
import { type Attempt, databaseNow, writeAttempt } from './video-jobs.queries.ts'
import type { VideoSources } from './video-sources.ts'

/**
 * The attempt and the process that own a folder. Written first, so that recovery recognises folders
 * of killed processes.
 */
const folderOwner = z.object({
  id: videoJobId,
  attempts: z.int(),
  videoId: videoIdSchema,
  customerId,
  host: z.string(),
  process: z.int(),
  /** Absent in folders of an earlier release. */
  openedAt: z.optional(z.int()),
})
type Owner = z.output<typeof folderOwner>

export interface WorkFolder {
  folder: string
  asset: string
  preview: string
  posters: string
  work: string
}

const root = (dataFolder: string) => join(dataFolder, 'work')
/**
 * A folder is named after the video id of its attempt, so two attempts at a job never share one.
 */
const ownerFile = 'owner.json'

/** Creates a folder for one attempt at a job. */
export const openWorkFolder = async (
  dataFolder: string,
  customerId: CustomerId,
  { id, attempts, videoId }: Attempt,
): Promise<WorkFolder> => {
  const folder = join(root(dataFolder), videoId)
  const made = {
    folder,
    asset: join(folder, 'asset'),
    preview: join(folder, 'preview'),
    posters: join(folder, 'posters'),
    work: join(folder, 'work'),
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const owner: Owner = {
    id,
    attempts,
    videoId,
    customerId,
    host: hostname(),
    process: process.pid,
    openedAt: Date.now(),
  }
  await writeFile(join(folder, ownerFile), JSON.stringify(owner))
  for (const part of [made.asset, made.preview, made.posters, made.work]) await mkdir(part)
  return made
}

/** Removes the work folder of a video, if it exists. */
export const removeWorkFolder = (dataFolder: string, { videoId }: { videoId: VideoId }) =>
  rm(join(root(dataFolder), videoId), { recursive: true, force: true })

const ownerOf = (dataFolder: string, videoId: VideoId): Promise<Owner | null> =>
  readFile(join(root(dataFolder), videoId, ownerFile), 'utf8').then(
    (text) => folderOwner.parse(JSON.parse(text)),
    () => null,
  )

/** Lists the work folders. `owner` is null if the process was killed before it wrote the owner. */
export const listWorkFolders = async (dataFolder: string): Promise<{ videoId: VideoId; owner: Owner | null }[]> => {
  const names = await readdir(root(dataFolder)).catch(() => [])
  const ids = names.flatMap((name) => videoIdSchema.safeParse(name).data ?? [])
  return Promise.all(ids.map(async (videoId) => ({ videoId, owner: await ownerOf(dataFolder, videoId) })))
}

/** Whether the process that owns a folder has ended. Processes of other machines count as alive. */
export const isOwnerDead = ({ host, process: id }: Owner): boolean => {
  if (host !== hostname()) return false
  // In a container, a new process can have the process id of the previous one.
  if (id === process.pid) return true
  try {
    process.kill(id, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** The job was cancelled, or another worker has claimed it. */
export class JobLost extends Error {
  override readonly name = 'JobLost'
}

export interface Heartbeat extends AsyncDisposable {
  /** Aborted with `JobLost` when the job no longer belongs to this attempt. */
  signal: AbortSignal
  /** Sets the progress shown to operators. The next heartbeat writes it. */
  report(progress: { step: VideoJobStep; percent: number; secondsLeft: number | null }): void
  /**
   * Writes a heartbeat immediately. Throws `JobLost` if the job no longer belongs to this attempt.
   */
  send(): Promise<void>
}

/** The dependencies of encoding. */
export interface EncodingDeps {
  pool: pg.Pool
  /** A direct connection: waits for jobs, and holds the locks of uploads and encoders. */
  jobsDatabaseUrl: string
  clock: Clock
  log: Logger
  /** Storage of streams, pictures and files that members upload. */
  storage: MediaStorage
  /** The local folder of unfinished uploads and work folders. */
  dataFolder: string
  /** Source files of operators, until their streams are complete. */
  sources: VideoSources
  /** Encoding settings; see `Config`. */
  video: { ffmpegPath: string | null; encoders: number; largestUpload: number }
}

/** Writes progress once a second and aborts the attempt when the job no longer belongs to it. */
export const createHeartbeat = (
  deps: EncodingDeps,
  customer: Customer,
  attempt: Attempt,
  stopping: AbortSignal,
): Heartbeat => {
  const jobLost = new AbortController()
  let progress: { step: VideoJobStep; percent: number; secondsLeft: number | null } = {
    step: 'PROBE',
    percent: 0,
    secondsLeft: null,
  }
  let lastHeartbeatAt = performance.now()
  const send = async () => {
    const { step, percent, secondsLeft } = progress
    const stillOwned = await withTenant(deps.pool, customer.id, (db) =>
      writeAttempt(db, customer.id, attempt, {
        step,
        percent,
        secondsLeft: secondsLeft === null ? null : Math.ceil(secondsLeft),
        seenAt: databaseNow,
      }),
    )
    lastHeartbeatAt = performance.now()
    if (!stillOwned) jobLost.abort(new JobLost('The job was cancelled or taken over'))
    jobLost.signal.throwIfAborted()
  }
  let pendingHeartbeat: Promise<void> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    pendingHeartbeat = send()
      .catch((error: unknown) => {
        if (error instanceof JobLost) return
        // A database outage is tolerated while no other worker can have claimed the job.
        deps.log.warn({ err: error, job: attempt.id }, 'The progress of a video job could not be saved')
        if (performance.now() - lastHeartbeatAt > lostAfterSeconds * 1000) jobLost.abort(new JobLost(String(error)))
      })
      .finally(() => {
        busy = false
      })
  }, heartbeatSeconds * 1000)
  return {
    signal: AbortSignal.any([jobLost.signal, stopping]),
    report: (next) => {
      progress = next
    },
    send,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await pendingHeartbeat
    },
  }
}

const key = (path: string): MediaKey => {
  const parsed = parseMediaKey(path)
  if (!parsed) throw new Error(`${path} is no media key`)
  return parsed
}

/** The storage keys of a video's stream, preview and poster candidates with their variants. */
export const assetsOf = (videoId: VideoId) => {
  const posters = key(`poster/${videoId}`)
  return {
    asset: key(`video/${videoId}`),
    preview: key(`video/${videoId}-preview`),
    posters,
    posterVariants: variantsOf(posters),
  }
}

/** Removes all stored files of a video, complete or not. */
export const removeAssets = async ({ storage }: Pick<EncodingDeps, 'storage'>, videoId: VideoId) => {
  for (const prefix of Object.values(assetsOf(videoId))) await storage.remove(prefix)
}

/** Milliseconds in which a preview must be cut and stored. */
export const previewTimeout = 10 * 60_000

/** Whether a request is cutting a preview in a folder, which then belongs to no job. */
export const isCuttingPreview = (owner: Owner) =>
  !isOwnerDead(owner) && Date.now() - (owner.openedAt ?? 0) <= previewTimeout

/** The key of another preview of a video: viewers may be playing the present one. */
export const newPreviewKey = (id: VideoId) => key(`video/${id}-${newId()}-preview`)

/** Whether a preview belongs to this video alone. Other stores may share an imported one. */
export const isOwnPreview = (id: VideoId, preview: string) => preview.startsWith(`video/${id}-`)

/** Removes the files of a retired video or of a former preview that belong to it alone. */
export const removeStaleFiles = async ({ storage }: Pick<EncodingDeps, 'storage'>, video: StaleVideo) => {
  const { id, previewAsset, pictureUsed } = video
  const { asset, preview, posters, posterVariants } = assetsOf(id)
  const own = video.asset === asset ? [asset, preview, ...(pictureUsed ? [] : [posters, posterVariants])] : []
  const isFormerPreview = video.asset === previewAsset
  const cut = previewAsset !== null && (isFormerPreview || isOwnPreview(id, previewAsset)) ? [key(previewAsset)] : []
  for (const prefix of new Set([...own, ...cut])) await storage.remove(prefix)
}
