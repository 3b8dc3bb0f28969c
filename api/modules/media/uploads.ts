import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileStore } from '@tus/file-store'
import { ERRORS, type Locker } from '@tus/server'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { createLockConnection } from '#api/platform/db/connections.ts'
import { type CustomerId, type UploadId, videoJobId } from '#contract/ids.ts'
import { formatSize, spaceNeeded } from './video-sources.ts'
import { requestUploadRelease, tryLockUpload, unlockUpload, uploadsChannel } from './videos.queries.ts'

/** Milliseconds. An incomplete upload expires after this time. */
export const uploadLivesMilliseconds = 48 * 3_600_000

/** The upload folder of one tenant. Uploads are always stored on this machine. */
export const uploadFolder = (dataFolder: string, customerId: CustomerId) => join(dataFolder, 'uploads', customerId)

/** The result of a finished upload, retained for a client that missed the response. */
const finishedUpload = z.object({ bytes: z.number(), job: videoJobId })
export type FinishedUpload = z.output<typeof finishedUpload>

const resultFile = (folder: string, id: UploadId) => join(folder, `${id}.done`)

/** Returns the stored result of a finished upload; null if it is not finished or not known. */
export const readFinished = (folder: string, id: UploadId): Promise<FinishedUpload | null> =>
  readFile(resultFile(folder, id), 'utf8').then(
    (text) => finishedUpload.parse(JSON.parse(text)),
    () => null,
  )

/** Returns a completely received upload; null for any other. */
export const readWhole = async (
  folder: string,
  id: UploadId,
): Promise<{ path: string; name: string; bytes: number } | null> => {
  const path = join(folder, id)
  try {
    const record = uploadRecord.parse(JSON.parse(await readFile(`${path}.json`, 'utf8')))
    const { size: bytes } = await stat(path)
    return record.size === bytes ? { path, name: nameOf(record.metadata ?? {}), bytes } : null
  } catch {
    return null
  }
}

/** The metadata that the upload server stores beside the file. */
const uploadRecord = z.object({
  size: z.optional(z.number()),
  metadata: z.optional(z.record(z.string(), z.nullable(z.string()))),
})

/** Returns the original file name without folders and invisible characters. */
export const nameOf = ({ filename }: Record<string, string | null | undefined>) =>
  (filename ?? '').split(/[\\/]/).at(-1)?.replaceAll(/\p{C}/gu, '').trim().slice(0, 200) || 'video'

/**
 * Records the result of an upload and removes its files, because its bytes are now a source. The
 * folder may be absent: uploads belong to this machine and may be deleted, the job to the
 * installation.
 */
export const finishUpload = async (folder: string, id: UploadId, finished: FinishedUpload) => {
  await mkdir(folder, { recursive: true })
  // Written atomically: other processes may read it at the same time.
  const part = `${resultFile(folder, id)}.${randomUUID()}`
  await writeFile(part, JSON.stringify(finished))
  await rename(part, resultFile(folder, id))
  await removeUpload(folder, id)
}

/** Removes the files of an upload that is no longer needed. */
export const removeUpload = async (folder: string, id: UploadId) => {
  for (const name of [id, `${id}.json`]) await rm(join(folder, name), { force: true })
}

/** Removes files that were not modified for the lifetime of an upload. */
export const expireUploads = async (dataFolder: string, customerId: CustomerId) => {
  const folder = uploadFolder(dataFolder, customerId)
  for (const name of await readdir(folder).catch(() => [])) {
    const file = await stat(join(folder, name)).catch(() => null)
    if (file?.isFile() && Date.now() - file.mtimeMs > uploadLivesMilliseconds)
      await rm(join(folder, name), { force: true })
  }
}

/**
 * Milliseconds that a request waits for the previous one to release the lock, and how often it
 * retries.
 */
const releaseTimeout = 30_000
const retryInterval = 100

const lockedError = { status_code: 423, body: 'Another request is writing to this upload. Try again later.' }
const locksUnavailable = { status_code: 503, body: 'Uploads cannot be locked now. Try again later.' }

interface Holder {
  /**
   * Asks the current writer to stop: a new request of the same client means its connection broke.
   */
  requestRelease: () => Promise<void> | void
}

/**
 * Allows one request at a time to write to an upload, across all processes that share the database.
 * Returns the locks of one tenant's uploads. Between processes the locks are advisory locks of one
 * connection that is open while uploads run, so a killed process leaves none. If the connection
 * breaks, its uploads are asked to stop and the clients resume.
 */
export const createUploadLocks = ({
  jobsDatabaseUrl,
  log,
}: {
  jobsDatabaseUrl: string
  log: Logger
}): ((customerId: CustomerId) => Locker) => {
  const holders = new Map<string, Holder>()
  let users = 0
  const connection = createLockConnection({
    url: jobsDatabaseUrl,
    name: 'marquee-uploads',
    onLost: (error) => {
      log.warn({ err: error }, 'The locks of uploads were lost')
      for (const { requestRelease } of holders.values()) void requestRelease()
    },
    listen: { channel: uploadsChannel, onNotification: (key) => void holders.get(key)?.requestRelease() },
  })
  const leave = () => {
    users--
    if (users === 0) void connection.close().catch(() => undefined)
  }

  const lock = async (key: string, signal: AbortSignal, requestRelease: Holder['requestRelease']) => {
    for (const until = performance.now() + releaseTimeout; performance.now() < until; await sleep(retryInterval)) {
      if (signal.aborted) throw ERRORS.ABORTED
      const other = holders.get(key)
      if (other) {
        await other.requestRelease()
        continue
      }
      // A request that arrives now sees the lock as held and has no writer to notify yet.
      const holder: Holder = { requestRelease: () => undefined }
      holders.set(key, holder)
      try {
        if (await tryLockUpload(connection, key)) {
          holder.requestRelease = requestRelease
          return
        }
        await requestUploadRelease(connection, key)
      } catch (error) {
        holders.delete(key)
        log.warn({ err: error }, 'An upload could not be locked')
        throw locksUnavailable
      }
      holders.delete(key)
    }
    throw lockedError
  }
  const unlock = async (key: string) => {
    holders.delete(key)
    if (connection.isOpen()) await unlockUpload(connection, key).catch(() => undefined)
    leave()
  }

  return (customerId) => ({
    newLock: (id) => {
      const key = `${customerId}/${id}`
      return {
        lock: async (signal, requestRelease) => {
          users++
          try {
            await lock(key, signal, requestRelease)
          } catch (error) {
            leave()
            throw error
          }
        },
        unlock: () => unlock(key),
      }
    },
  })
}

type Upload = Parameters<FileStore['create']>[0]

interface UploadSpace {
  dataFolder: string
  /** Returns the free bytes that are not reserved, except for one upload. */
  freeSpace: (but: { upload: string }) => Promise<number>
}

/**
 * The uploads of one tenant as files. An upload that does not fit beside the reserved space is
 * refused before its first byte. It is recorded before the check, so that two simultaneous uploads
 * see each other.
 */
export class UploadStore extends FileStore {
  readonly #space: UploadSpace

  constructor(space: UploadSpace, customerId: CustomerId) {
    super({
      directory: uploadFolder(space.dataFolder, customerId),
      expirationPeriodInMilliseconds: uploadLivesMilliseconds,
    })
    this.#space = space
  }

  override async create(upload: Upload): Promise<Upload> {
    const created = await super.create(upload)
    try {
      await this.#checkSpace(upload.id, upload.size ?? 0, 0)
    } catch (error) {
      await this.remove(upload.id)
      throw error
    }
    return created
  }

  override async declareUploadLength(id: string, bytes: number) {
    const { offset } = await this.getUpload(id)
    await this.#checkSpace(id, bytes, offset)
    await super.declareUploadLength(id, bytes)
  }

  async #checkSpace(id: string, bytes: number, received: number) {
    const [available, needed] = [
      await this.#space.freeSpace({ upload: id }),
      spaceNeeded(bytes, { toCopy: true }) - received,
    ]
    if (available >= needed) return
    throw {
      status_code: 503,
      body: `Not enough disk space: this file needs about ${formatSize(needed)}, and ${formatSize(available)} are available.`,
    }
  }
}
