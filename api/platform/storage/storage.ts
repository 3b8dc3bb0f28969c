import type { Readable } from 'node:stream'
import { create } from 'content-disposition'

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
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  readonly retryAfterSeconds = 5
  constructor(cause: unknown) {
    super(`The storage of media does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * Where media lie: `createDiskStorage`, `createS3Storage`. A key is a path below the storage's root, whatever the storage is. Any of
 * these may throw `StorageUnavailable`.
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

const segment = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*$/

/** A storage key: folders and a file below a storage root, `video/0199…/master.m3u8`. */
export type MediaKey = string & { readonly __brand: 'MediaKey' }

/**
 * Reads a key from a URL's raw path. Only plain names pass: no percent-encoding, no empty, hidden or dotted-up segment, so that
 * nothing outside the storage root can be named. Null for anything else.
 */
export const parseMediaKey = (path: string): MediaKey | null => {
  if (path.length === 0 || path.length > 300) return null
  return path.split('/').every((part) => segment.test(part)) ? mediaKey(path) : null
}

/** A key that the store has put together itself. @throws Error for a path that is none. */
export const mediaKey = (path: string): MediaKey => {
  if (!path.split('/').every((part) => segment.test(part))) throw new Error(`${path} is not a key of the media storage`)
  return path as MediaKey
}

/** The folder a signature covers: the first two segments, `video/0199…`. Null where the key names no file inside one. */
export const assetOf = (key: MediaKey): string | null => {
  const [kind, id, ...rest] = key.split('/')
  return kind && id && rest.length > 0 ? `${kind}/${id}` : null
}

/** The folders anyone may read: pictures and brand art. Streams and files of products are never among them. */
const publicFolders = new Set(['art', 'brand', 'poster', 'posters', 'banners', 'public'])
export const isPublicKey = (key: MediaKey) => publicFolders.has(key.slice(0, key.indexOf('/')))

/** A preview is an asset of its own, so that its public address can never open the film's segments. */
export const isPreviewKey = (key: MediaKey) => /^video\/[^/]+-preview\//.test(key)

const types: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  ts: 'video/mp2t',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  json: 'application/json',
}

export const contentTypeOf = (key: string) => types[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

export const isPlaylist = (key: string) => key.endsWith('.m3u8')

/** What members download, by the ending of its name. Nothing of it is opened inside a page. */
const downloads: Record<string, string> = {
  pdf: 'application/pdf',
  zip: 'application/zip',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  epub: 'application/epub+zip',
  mp3: 'audio/mpeg',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

export const downloadTypeOf = (ending: string) => downloads[ending] ?? contentTypeOf(`.${ending}`)

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu

/** A name may have so many UTF-16 units; its ending is kept. */
const longest = 180
const ending = /\.[A-Za-z0-9]{1,10}$/

/** A file name a person may save under: no path, no control or direction-changing characters, not too long. */
export const safeFileName = (name: string) => {
  const clean = trimmed(name.normalize('NFC').replace(unsafe, '_'))
  const [kept = ''] = ending.exec(clean) ?? []
  // A cut may fall into the middle of a character.
  const short =
    clean.length > longest ? clean.slice(0, longest - kept.length).replace(/[\ud800-\udbff]$/, '') + kept : clean
  return trimmed(short.toWellFormed()) || 'file'
}

const trimmed = (name: string) => name.replace(/^[.\s]+|[.\s]+$/g, '')

/** A `Content-Disposition` with a plain ASCII name for old readers, and the true one (한글.pdf) in UTF-8. */
export const attachmentDisposition = (name: string) => {
  const safe = safeFileName(name)
  return create(safe, { fallback: safe.replace(/[^\x20-\x7e]|%/g, '_') })
}

export type ByteRange = { start: number; end: number }

/**
 * What of a file a request wants: `whole`, one range (both ends inside), or `unsatisfiable` (416). Several ranges in one request
 * are answered whole, as RFC 9110 allows; so is a header that makes no sense.
 */
export const wantedRange = (header: string | undefined, bytes: number): 'whole' | 'unsatisfiable' | ByteRange => {
  const match = header?.match(/^bytes=(\d{0,15})-(\d{0,15})$/)
  if (!match) return 'whole'
  const [, from, to] = match
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(from)
  if (start >= bytes) return 'unsatisfiable'
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  return end < start ? 'whole' : { start, end }
}

/** Whether a range may still be answered in part: the reader's copy (`If-Range`) is the file as it is. */
export const rangeStillHolds = (ifRange: string | undefined, etag: string, modifiedAt: Date) => {
  if (ifRange === undefined) return true
  if (ifRange.startsWith('"')) return ifRange === etag
  const since = Date.parse(ifRange)
  return Number.isFinite(since) && Math.floor(modifiedAt.getTime() / 1000) * 1000 === since
}
