import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileStore } from '@tus/file-store'
import { ERRORS, type Locker } from '@tus/server'
import type pg from 'pg'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { createLockConnection } from '#api/platform/db/connections.ts'
import { videoJobId } from '#contract/ids.ts'
import { requestUploadRelease, tryLockUpload, unlockUpload, uploadsChannel } from './locks.queries.ts'
import { formatSize, spaceNeeded } from './video-sources.ts'

/** An upload that is not whole after so long is given up. */
export const uploadLivesMilliseconds = 48 * 3_600_000

/** Uploads of one tenant, in a folder no other tenant's name leads to. They lie on this machine whatever the storage is. */
export const uploadFolder = (dataFolder: string, customerId: string) => join(dataFolder, 'uploads', customerId)

/** What came of an upload that is finished and taken up: kept for a client that missed the answer. */
const finishedUpload = z.object({ bytes: z.number(), job: videoJobId })
export type FinishedUpload = z.output<typeof finishedUpload>

const note = (folder: string, id: string) => join(folder, `${id}.done`)

export const readFinished = (folder: string, id: string): Promise<FinishedUpload | null> =>
  readFile(note(folder, id), 'utf8').then(
    (text) => finishedUpload.parse(JSON.parse(text)),
    () => null,
  )

/** An upload whose last byte is here; null for any other. */
export const readWhole = async (
  folder: string,
  id: string,
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

/** What the upload server stores beside the file. */
const uploadRecord = z.object({
  size: z.optional(z.number()),
  metadata: z.optional(z.record(z.string(), z.nullable(z.string()))),
})

/** What a file was called where it came from: without the folders of that place, and without what no screen shows. */
export const nameOf = ({ filename }: Record<string, string | null | undefined>) =>
  (filename ?? '').split(/[\\/]/).at(-1)?.replaceAll(/\p{C}/gu, '').trim().slice(0, 200) || 'video'

/**
 * Writes down what came of an upload, and takes it away: its bytes are a source now. The folder may be gone by then: uploads are
 * this machine's own and may be cleared away, while the job is the installation's.
 */
export const finishUpload = async (folder: string, id: string, finished: FinishedUpload) => {
  await mkdir(folder, { recursive: true })
  // Whole or not at all: others may be reading it at this moment.
  const part = `${note(folder, id)}.${randomUUID()}`
  await writeFile(part, JSON.stringify(finished))
  await rename(part, note(folder, id))
  for (const name of [id, `${id}.json`]) await rm(join(folder, name), { force: true })
}

/** Removes files that nobody has touched for longer than an upload lives. */
export const expireUploads = async (dataFolder: string, customerId: string) => {
  const folder = uploadFolder(dataFolder, customerId)
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found?.isFile() && Date.now() - found.mtimeMs > uploadLivesMilliseconds)
      await rm(join(folder, name), { force: true })
  }
}

/** How long a request waits for the one before it to let go, and how often it looks. */
const patience = 30_000
const lookEvery = 100

const taken = { status_code: 423, body: 'Another request is writing to this upload: try again in a while.' }
const away = { status_code: 503, body: 'Uploads cannot be locked now: try again in a while.' }

interface Holder {
  /** Asks whoever writes to end: another request of the same client has come, so its line must have broken. */
  requestRelease: () => Promise<void> | void
}

/**
 * Lets one request at a time write to an upload, whichever of the processes on the data it reaches; answers the locks of one tenant's
 * uploads. Within the process they know of each other. Between processes the database keeps them, on one connection that is there
 * while uploads are under way: a process that is gone leaves none behind. Should the connection break, the uploads that hung on it
 * are asked to end, and their clients go on where they were.
 */
export const createUploadLocks = ({ pool, log }: { pool: pg.Pool; log: Logger }): ((customerId: string) => Locker) => {
  const held = new Map<string, Holder>()
  let users = 0
  const connection = createLockConnection({
    pool,
    name: 'marquee-uploads',
    onLost: (error) => {
      log.warn({ err: error }, 'The locks of uploads were lost')
      for (const { requestRelease } of held.values()) void requestRelease()
    },
    listen: { channel: uploadsChannel, onHeard: (key) => void held.get(key)?.requestRelease() },
  })
  const leave = () => {
    users--
    if (users === 0) void connection.close().catch(() => undefined)
  }

  const lock = async (key: string, signal: AbortSignal, requestRelease: Holder['requestRelease']) => {
    for (const until = Date.now() + patience; Date.now() < until; await sleep(lookEvery)) {
      if (signal.aborted) throw ERRORS.ABORTED
      const other = held.get(key)
      if (other) {
        await other.requestRelease()
        continue
      }
      // Whoever comes meanwhile finds it taken, but has nobody to ask to end before it is.
      const own: Holder = { requestRelease: () => undefined }
      held.set(key, own)
      try {
        if (await tryLockUpload(connection, key)) {
          own.requestRelease = requestRelease
          return
        }
        await requestUploadRelease(connection, key)
      } catch (error) {
        held.delete(key)
        log.warn({ err: error }, 'An upload could not be locked')
        throw away
      }
      held.delete(key)
    }
    throw taken
  }
  const unlock = async (key: string) => {
    held.delete(key)
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

interface Place {
  dataFolder: string
  /** Bytes that may be written there and were promised to nobody else, but for one upload. */
  roomLeft: (but: { upload: string }) => Promise<number>
}

/**
 * The uploads of one tenant, as files. One that does not fit on the disk beside what others were promised is refused before its first
 * byte. It is noted first and looked at then, so that of two that come at once each knows of the other.
 */
export class UploadStore extends FileStore {
  readonly #place: Place

  constructor(place: Place, customerId: string) {
    super({
      directory: uploadFolder(place.dataFolder, customerId),
      expirationPeriodInMilliseconds: uploadLivesMilliseconds,
    })
    this.#place = place
  }

  override async create(upload: Upload): Promise<Upload> {
    const created = await super.create(upload)
    try {
      await this.#checkRoom(upload.id, upload.size ?? 0, 0)
    } catch (error) {
      await this.remove(upload.id)
      throw error
    }
    return created
  }

  override async declareUploadLength(id: string, bytes: number) {
    const { offset } = await this.getUpload(id)
    await this.#checkRoom(id, bytes, offset)
    await super.declareUploadLength(id, bytes)
  }

  async #checkRoom(id: string, bytes: number, here: number) {
    const [left, needed] = [await this.#place.roomLeft({ upload: id }), spaceNeeded(bytes, { toCopy: true }) - here]
    if (left >= needed) return
    throw {
      status_code: 503,
      body: `The disk is too full: this file needs about ${formatSize(needed)}, and ${formatSize(left)} are left that other files do not need.`,
    }
  }
}
