import type { Readable } from 'node:stream'
import type { MediaKey } from './key.ts'
import type { ByteRange } from './ranges.ts'

export interface StoredFile {
  bytes: number
  modifiedAt: Date
  /** Strong: it changes with the file. */
  etag: string
  /** Null where the file has gone or changed since it was opened. */
  read(range?: ByteRange): Promise<Readable | null>
}

export interface StoredEntry {
  key: MediaKey
  bytes: number
  modifiedAt: Date
}

/** What is to be stored: bytes at hand, a stream (read once), or a file on this machine, which stays as it is. */
export type StoredSource = Uint8Array | Readable | { path: string }

/** The storage does not answer, or answers with a fault of its own: what was asked may work in a while. */
export class StorageAway extends Error {
  override name = 'StorageAway'
  readonly retryAfterSeconds = 5
  constructor(cause: unknown) {
    super(`The storage of media does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * Where media lie: `createDiskStorage`, `createS3Storage`. A key is a path below the storage's root, whatever the storage is. Any of
 * these may throw `StorageAway`.
 */
export interface MediaStorage {
  /** Before the first request: throws a sentence for the operator where the storage cannot be used as it is configured. */
  check(): Promise<void>
  /** Null where there is no such file. */
  open(key: MediaKey): Promise<StoredFile | null>
  /** The whole file is there afterwards, or what was there before. Its type is told by its key (`contentTypeOf`). */
  put(key: MediaKey, source: StoredSource, options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Stores everything below a folder under `{prefix}/…`, playlists last, so that a stream is never found before its segments. The
   * folder stays; nothing may write to its files afterwards. A failure in the middle leaves a part of it: remove the prefix.
   */
  putFolder(prefix: MediaKey, folder: string, options?: { signal?: AbortSignal }): Promise<void>
  /** Takes away a file, or everything below a prefix of two names or more. What is not there any more is no error. */
  remove(keyOrPrefix: MediaKey): Promise<void>
  /** Every file below a prefix, or of all. */
  list(prefix?: MediaKey): AsyncIterable<StoredEntry>
  /**
   * The path, with its query, under which a proxy in front finds the file's bytes below its internal location (MEDIA_ACCEL). Null
   * where it cannot have them.
   */
  handOver(key: MediaKey): Promise<string | null>
}

/** A storage whose missing files are looked for in one that is only read, such as what comes with the source. */
export const withBundled = (own: MediaStorage, bundled: Pick<MediaStorage, 'open'>): MediaStorage => ({
  ...own,
  open: async (key) => (await own.open(key)) ?? bundled.open(key),
  handOver: async (key) => ((await own.open(key)) ? own.handOver(key) : null),
})

/** Keeps `remove` from a whole kind of media: `video` is not a prefix anyone means. */
export const removable = (keyOrPrefix: MediaKey) => {
  if (!keyOrPrefix.includes('/')) throw new Error(`${keyOrPrefix} names all media of a kind; name one of them.`)
  return keyOrPrefix
}
