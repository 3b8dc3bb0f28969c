import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { MediaKey } from './key.ts'
import type { ByteRange } from './ranges.ts'

export interface StoredFile {
  bytes: number
  modifiedAt: Date
  /** Strong: it changes with the file. */
  etag: string
  read(range?: ByteRange): Readable
}

/** Where media lie. A key is a path below the storage's root, whatever the storage is. */
export interface MediaStorage {
  open(key: MediaKey): Promise<StoredFile | null>
}

/** Large reads: a 2.5 MB segment in 64 kB pieces costs twice the CPU. */
const chunk = 256 * 1024

/**
 * Local folders, asked in order: what the installation wrote itself, then what came with it. Keys are safe by their type (see
 * `parseMediaKey`), so joining them cannot leave the folder.
 */
export const createDiskStorage = (folders: readonly string[]): MediaStorage => ({
  open: async (key) => {
    for (const folder of folders) {
      const path = join(folder, key)
      const found = await stat(path).catch(() => null)
      if (!found?.isFile()) continue
      return {
        bytes: found.size,
        modifiedAt: found.mtime,
        etag: `"${found.size.toString(36)}-${Math.floor(found.mtimeMs).toString(36)}"`,
        read: (range) => createReadStream(path, { highWaterMark: chunk, ...range }),
      }
    }
    return null
  },
})
