import { LRUCache } from 'lru-cache'
import { eachOf, type StorageFaults } from './copy-media.ts'
import { filesToPut } from './disk-storage.ts'
import { createS3Client, type Head, type S3Place } from './s3-client.ts'
import { checkPlace, resumingBody, upload } from './s3-objects.ts'
import {
  contentTypeOf,
  type MediaKey,
  type MediaStorage,
  parseMediaKey,
  removable,
  type StoredEntry,
} from './storage.ts'

/**
 * How long metadata of objects is cached. A file that another process replaced is detected on read.
 */
const headMilliseconds = 60_000
/** How long a missing object is cached. Short, because another process may just have stored it. */
const missingMilliseconds = 2_000
const maxCachedHeads = 10_000

/** The concurrent requests of a call that moves many files. */
const concurrency = 6
/** The maximum number of names in one listing response. */
const page = 1_000

/** How long a proxy may use a presigned URL. Seconds. */
const presignedSeconds = 300

/**
 * Stores media in a bucket of an S3-compatible storage. Bytes are streamed through this process,
 * which caches metadata only.
 */
export const createS3Storage = (place: S3Place, faults: StorageFaults): MediaStorage => {
  const client = createS3Client(place, faults)
  const { s3, read } = client
  const nameOf = (key: string) => (place.prefix ? `${place.prefix}/${key}` : key)
  const heads = new LRUCache<string, { head: Head | null }>({ max: maxCachedHeads })

  const headOf = async (key: MediaKey): Promise<Head | null> => {
    const cached = heads.get(key)
    if (cached) return cached.head
    const head = await client.head(nameOf(key))
    heads.set(key, { head }, { ttl: head ? headMilliseconds : missingMilliseconds })
    return head
  }

  const bytesOf = async (key: MediaKey, head: Head, start: number, end: number) => {
    const response = await read(() => s3.getObjectRaw(nameOf(key), false, start, end + 1, { 'if-match': head.etag }))
    if (!response) heads.delete(key)
    return response?.body ?? null
  }

  const put: MediaStorage['put'] = async (key, source, { signal } = {}) => {
    try {
      await upload(client, { name: nameOf(key), contentType: contentTypeOf(key), source, signal })
    } finally {
      heads.delete(key)
    }
  }

  async function* list(prefix?: string): AsyncGenerator<StoredEntry> {
    const below = nameOf(prefix ? `${prefix}/` : '')
    for (let token: string | undefined; ; ) {
      const answer = await read(() => s3.listObjectsPaged('/', below, page, token))
      for (const { Key, Size, LastModified } of answer?.objects ?? []) {
        const key = parseMediaKey(Key.slice(nameOf('').length))
        if (key) yield { key, bytes: Number(Size), modifiedAt: new Date(LastModified) }
      }
      token = answer?.nextContinuationToken
      if (!token) return
    }
  }

  return {
    put,
    list,
    check: () => checkPlace(client, place, nameOf('')),
    open: async (key) => {
      const head = await headOf(key)
      return (
        head && {
          ...head,
          read: async ({ start, end } = { start: 0, end: head.bytes - 1 }) => {
            const source = (from: number) => bytesOf(key, head, from, end)
            const first = await source(start)
            return first && resumingBody(first, { start, end, source, broken: faults.broken })
          },
        }
      )
    },
    putFolder: async (prefix, folder, { signal } = {}) => {
      const files = await filesToPut(prefix, folder)
      const store = async ({ path, key }: (typeof files)[number]) => {
        signal?.throwIfAborted()
        await put(key, { path }, signal && { signal })
      }
      await eachOf(
        files.filter(({ last }) => !last),
        concurrency,
        store,
      )
      for (const file of files.filter(({ last }) => last)) await store(file)
    },
    remove: async (keyOrPrefix) => {
      const removed: string[] = [removable(keyOrPrefix)]
      for await (const { key } of list(keyOrPrefix)) removed.push(key)
      await eachOf(removed, concurrency, async (key) => {
        await read(() => s3.deleteObject(nameOf(key)))
        heads.delete(key)
      })
    },
    accelPathOf: async (key) => {
      const { pathname, search } = new URL(await s3.getPresignedUrl('GET', nameOf(key), presignedSeconds))
      return `${pathname.slice(1)}${search}`
    },
  }
}
