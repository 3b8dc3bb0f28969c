import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  access,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { asError, type FaultLog, OperatorError } from '#api/platform/log/log.ts'
import { ignoredFaults, type StorageFaults } from './copy-media.ts'
import {
  isPlaylist,
  type MediaContent,
  type MediaKey,
  type MediaStorage,
  parseMediaKey,
  removable,
  StorageUnavailable,
} from './storage.ts'

/** Returns the paths of all files in a folder and its subfolders. */
export const filesBelow = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

interface FileToPut {
  path: string
  key: MediaKey
  /** A playlist. It is stored after the files that it names. */
  last: boolean
}

/**
 * Lists the files below a folder with their keys. Playlists come after other files, and the master
 * playlist comes last.
 */
export const filesToPut = async (prefix: MediaKey, folder: string): Promise<FileToPut[]> => {
  const files = (await filesBelow(folder)).map((path) => {
    const name = relative(folder, path).replaceAll(sep, '/')
    const key = parseMediaKey(`${prefix}/${name}`)
    if (!key)
      throw new Error(
        `${name} cannot be stored. File names may contain letters, digits, hyphens, underscores and dots.`,
      )
    return { path, key, last: isPlaylist(key) }
  })
  const rank = ({ key, last }: FileToPut) => (key.endsWith('/master.m3u8') ? 2 : Number(last))
  return files.sort((a, b) => rank(a) - rank(b))
}

/** Large reads, because a 2.5 MB segment in 64 kB pieces costs twice the CPU. */
const chunk = 256 * 1024

/** Temporary files. The name is no valid key. */
const partsFolder = '.parts'
const abandonedAfterMilliseconds = dayMilliseconds

/** Stores media in a local folder. A `MediaKey` cannot leave the folder (see `parseMediaKey`). */
export const createDiskStorage = (folder: string, faults: StorageFaults = ignoredFaults): MediaStorage => {
  const reading = <Answer>(work: () => Promise<Answer>) => withFaultLog(work, faults.reading)
  const writing = <Answer>(work: () => Promise<Answer>) => withFaultLog(work, faults.writing)

  /** Writes and syncs a temporary file, then renames it atomically. */
  const writeAtomically = (key: MediaKey, write: (part: string) => Promise<unknown>) =>
    writing(async () => {
      const part = join(folder, partsFolder, randomUUID())
      await mkdir(dirname(part), { recursive: true })
      try {
        await write(part)
        await using handle = await open(part)
        await handle.sync()
        await mkdir(dirname(join(folder, key)), { recursive: true })
        await rename(part, join(folder, key))
      } finally {
        await rm(part, { force: true })
      }
    })

  const storage: MediaStorage = {
    check: async () => {
      try {
        await mkdir(folder, { recursive: true })
        await access(folder, constants.W_OK)
      } catch (error) {
        throw new OperatorError(`Media cannot be written to ${folder}: ${asError(error).message}.`)
      }
      // A full disk still serves the files that it has. The fault log has it.
      await writing(() => writeProbe(join(folder, partsFolder))).catch(() => {})
    },
    open: async (key) => {
      const path = join(folder, key)
      const fileInfo = await reading(() => stat(path).catch(absent))
      if (!fileInfo?.isFile()) return null
      return {
        bytes: fileInfo.size,
        modifiedAt: fileInfo.mtime,
        etag: `"${[fileInfo.size, Math.floor(fileInfo.mtimeMs), fileInfo.ino].map((part) => part.toString(36)).join('-')}"`,
        read: (range) =>
          reading(() => {
            const stream = createReadStream(path, { highWaterMark: chunk, ...range })
            const opened = new Promise<Readable>((resolve, reject) => {
              stream.once('open', () => resolve(stream)).once('error', reject)
            })
            // A client that disconnects also causes a stream error, which is no fault of the disk.
            stream.once('open', () =>
              stream.on('error', (error) => diskFaultCodes.has(codeOf(error)) && faults.broken(error)),
            )
            return opened.catch(absent)
          }),
      }
    },
    put: async (key, source, { signal } = {}) => {
      await removeAbandoned(join(folder, partsFolder))
      await writeAtomically(key, (part) =>
        'isFinal' in source && source.isFinal ? linkPart(part, source.path) : writePart(part, source, signal),
      )
    },
    putFolder: async (prefix, from, { signal } = {}) => {
      await removeAbandoned(join(folder, partsFolder))
      for (const { path, key } of await filesToPut(prefix, from)) {
        signal?.throwIfAborted()
        await writeAtomically(key, (part) => linkOrCopy(path, part))
      }
    },
    remove: (keyOrPrefix) => writing(() => rm(join(folder, removable(keyOrPrefix)), { recursive: true, force: true })),
    accelPathOf: async (key) => key,
    list: async function* (prefix) {
      for (const path of (await reading(() => filesBelow(join(folder, prefix ?? '')).catch(absent))) ?? []) {
        const key = parseMediaKey(relative(folder, path).replaceAll(sep, '/'))
        const fileInfo = key && (await reading(() => stat(path).catch(absent)))
        if (key && fileInfo) yield { key, bytes: fileInfo.size, modifiedAt: fileInfo.mtime }
      }
    },
  }
  return storage
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])
/**
 * Error codes of temporary faults of the disk: full, failing, locked, unreachable, or too many open
 * files.
 */
const diskFaultCodes = new Set(
  'EACCES EBUSY EDQUOT EFBIG EIO ELOOP EMFILE ENFILE ENODEV ENOSPC EPERM EROFS ESTALE ETIMEDOUT ENOTCONN EHOSTDOWN'.split(
    ' ',
  ),
)

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Returns null for a missing file. Throws other errors. */
const absent = (error: unknown) => {
  if (missing.has(codeOf(error))) return null
  throw error
}

const withFaultLog = async <Answer>(work: () => Promise<Answer>, faults: FaultLog): Promise<Answer> => {
  try {
    const answer = await work()
    faults.onSuccess()
    return answer
  } catch (error) {
    if (!diskFaultCodes.has(codeOf(error))) throw error
    faults.onFailure(error)
    throw new StorageUnavailable(error)
  }
}

const writePart = (part: string, source: MediaContent, signal: AbortSignal | undefined) => {
  const plain = source instanceof Uint8Array || source instanceof Readable
  return writeFile(part, plain ? source : piecesOf(source.path), { signal })
}

/** Opens the file when it is read. A stream that fails before ends the process. */
async function* piecesOf(path: string) {
  yield* createReadStream(path, { highWaterMark: chunk })
}

const writeProbe = async (parts: string) => {
  const probe = join(parts, randomUUID())
  await mkdir(parts, { recursive: true })
  await writeFile(probe, 'probe').finally(() => rm(probe, { force: true }))
}

/** The file is stored now, however long ago it was written. */
const linkPart = async (part: string, path: string) => {
  await linkOrCopy(path, part)
  const now = new Date()
  await utimes(part, now, now)
}

const linkOrCopy = (path: string, part: string) => link(path, part).catch(() => copyFile(path, part))

/** Deletes temporary files of processes that were killed. */
const removeAbandoned = async (parts: string) => {
  for (const name of await readdir(parts).catch(() => [])) {
    const partInfo = await stat(join(parts, name)).catch(() => null)
    if (partInfo && Date.now() - partInfo.mtimeMs > abandonedAfterMilliseconds)
      await rm(join(parts, name), { force: true }).catch(() => undefined)
  }
}

/**
 * Returns the first 128 bits of the SHA-256 in hex, which identify a file independently of its
 * name.
 */
export const hashOf = async (stream: Readable): Promise<string> => {
  const hash = createHash('sha256')
  for await (const piece of stream) hash.update(piece)
  return hash.digest('hex').slice(0, 32)
}

/** Returns the content hash of a file on the disk. */
export const hashOfFile = (path: string) => hashOf(createReadStream(path))
