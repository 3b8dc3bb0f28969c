import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { StartupError } from '#api/startup-error.ts'
import { filesBelow, filesToPut } from './files-below.ts'
import { type MediaKey, parseMediaKey } from './key.ts'
import { type MediaStorage, removable, type StoredSource } from './storage.ts'

/** Large reads: a 2.5 MB segment in 64 kB pieces costs twice the CPU. */
const chunk = 256 * 1024

/** Files on their way in, beside the keys and under a name that is no key. */
const partsFolder = '.parts'
const abandonedAfterMilliseconds = 86_400_000

/** A local folder. Keys are safe by their type (see `parseMediaKey`), so joining them cannot leave it. */
export const createDiskStorage = (folder: string): MediaStorage => {
  /** Brings a file in under a passing name, safe on the disk, and gives it its own name at once. */
  const bringIn = async (key: MediaKey, write: (part: string) => Promise<unknown>) => {
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
  }

  const storage: MediaStorage = {
    check: async () => {
      try {
        await mkdir(folder, { recursive: true })
        await access(folder, constants.W_OK)
      } catch (error) {
        throw new StartupError(`Media cannot be written to ${folder}: ${(error as Error).message}.`)
      }
    },
    open: async (key) => {
      const path = join(folder, key)
      const found = await stat(path).catch(() => null)
      if (!found?.isFile()) return null
      return {
        bytes: found.size,
        modifiedAt: found.mtime,
        etag: `"${[found.size, Math.floor(found.mtimeMs), found.ino].map((part) => part.toString(36)).join('-')}"`,
        read: (range) =>
          new Promise((resolve) => {
            const stream = createReadStream(path, { highWaterMark: chunk, ...range })
            stream.once('open', () => resolve(stream)).once('error', () => resolve(null))
          }),
      }
    },
    put: async (key, source, { signal } = {}) => {
      await removeAbandoned(join(folder, partsFolder))
      await bringIn(key, (part) => writePart(part, source, signal))
    },
    putFolder: async (prefix, from, { signal } = {}) => {
      await removeAbandoned(join(folder, partsFolder))
      for (const { path, key } of await filesToPut(prefix, from)) {
        signal?.throwIfAborted()
        await bringIn(key, (part) => linkOrCopy(path, part))
      }
    },
    remove: (keyOrPrefix) => rm(join(folder, removable(keyOrPrefix)), { recursive: true, force: true }),
    handOver: async (key) => key,
    list: async function* (prefix) {
      for (const path of await filesBelow(join(folder, prefix ?? '')).catch(none)) {
        const key = parseMediaKey(relative(folder, path).replaceAll(sep, '/'))
        const found = key && (await stat(path).catch(() => null))
        if (key && found) yield { key, bytes: found.size, modifiedAt: found.mtime }
      }
    },
  }
  return storage
}

const writePart = (part: string, source: StoredSource, signal: AbortSignal | undefined) => {
  const plain = source instanceof Uint8Array || source instanceof Readable
  return writeFile(part, plain ? source : createReadStream(source.path, { highWaterMark: chunk }), { signal })
}

const none = (): string[] => []

const linkOrCopy = (path: string, part: string) => link(path, part).catch(() => copyFile(path, part))

/** What a process that was killed left half-written. */
const removeAbandoned = async (parts: string) => {
  for (const name of await readdir(parts).catch(() => [])) {
    const found = await stat(join(parts, name)).catch(() => null)
    if (found && Date.now() - found.mtimeMs > abandonedAfterMilliseconds) await rm(join(parts, name), { force: true })
  }
}
