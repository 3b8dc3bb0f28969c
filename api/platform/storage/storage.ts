import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { create } from 'content-disposition'

export interface StoredFile {
  bytes: number
  modifiedAt: Date
  /** A strong ETag, which changes with the file. */
  etag: string
  /** Returns null if the file was deleted or changed since it was opened. */
  read(range?: ByteRange): Promise<Readable | null>
}

export interface StoredEntry {
  key: MediaKey
  bytes: number
  modifiedAt: Date
}

/**
 * Content to store: bytes, a stream (read once), or the path of a local file, which is not changed.
 * One that nobody changes afterwards may become the stored file without a copy (`isFinal`).
 */
export type MediaContent = Uint8Array | Readable | { path: string; isFinal?: boolean }

/** The storage does not answer or reports an internal error. A retry may succeed. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  readonly retryAfterSeconds = 5
  constructor(cause: unknown) {
    super(`The media storage does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * A media storage: `createDiskStorage` or `createS3Storage`. A key is a path below the root of the
 * storage. All methods may throw `StorageUnavailable`.
 */
export interface MediaStorage {
  /**
   * Checks the configuration at start. Throws a sentence for the operator where the storage cannot
   * be used.
   */
  check(): Promise<void>
  /** Returns null if the file does not exist. */
  open(key: MediaKey): Promise<StoredFile | null>
  /** Stores a file atomically. Its content type follows from its key (`contentTypeOf`). */
  put(key: MediaKey, source: MediaContent, options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Stores all files below a folder under `{prefix}/…`. Playlists are stored last, so that a stream
   * is never visible before its segments. The folder is kept, and its files must not change
   * afterwards. A failure leaves a part of the files: remove the prefix.
   */
  putFolder(prefix: MediaKey, folder: string, options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Deletes a file, or all files below a prefix of at least two segments. Ignores missing files.
   */
  remove(keyOrPrefix: MediaKey): Promise<void>
  /** Lists all files below a prefix, or all files. */
  list(prefix?: MediaKey): AsyncIterable<StoredEntry>
  /**
   * Returns the path and query of the file below the proxy's internal location (MEDIA_ACCEL).
   * Returns null if the proxy cannot read it.
   */
  accelPathOf(key: MediaKey): Promise<string | null>
}

/**
 * Falls back to a read-only storage for missing files, such as the media bundled with the source.
 */
export const withBundled = (own: MediaStorage, bundled: Pick<MediaStorage, 'open'>): MediaStorage => ({
  ...own,
  open: async (key) => (await own.open(key)) ?? bundled.open(key),
  accelPathOf: async (key) => ((await own.open(key)) ? own.accelPathOf(key) : null),
})

/** Prevents `remove` from deleting all media of a kind: a prefix such as `video` is refused. */
export const removable = (keyOrPrefix: MediaKey) => {
  if (!keyOrPrefix.includes('/'))
    throw new Error(`${keyOrPrefix} would select all media of a kind. Specify one of them.`)
  return keyOrPrefix
}

const segment = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*$/

/** A storage key, a path below the storage root: `video/0199…/master.m3u8`. */
export type MediaKey = string & { readonly __brand: 'MediaKey' }

/**
 * Parses a key from the raw path of a URL. Rejects percent-encoding and empty, hidden or `..`
 * segments, so that no key leads outside of the storage root. Returns null for an invalid path.
 */
export const parseMediaKey = (path: string): MediaKey | null => {
  if (path.length === 0 || path.length > 300) return null
  return path.split('/').every((part) => segment.test(part)) ? mediaKey(path) : null
}

/**
 * Returns a key for a path that the store has composed.
 *
 * @throws Error for an invalid path
 */
export const mediaKey = (path: string): MediaKey => {
  if (!path.split('/').every((part) => segment.test(part))) throw new Error(`${path} is not a key of the media storage`)
  // Each part was checked above.
  return path as MediaKey
}

/**
 * Returns the folder that a signature covers: the first two segments, `video/0199…`. Returns null
 * if the key names no file inside one.
 */
export const assetOf = (key: MediaKey): string | null => {
  const [kind, id, ...rest] = key.split('/')
  return kind && id && rest.length > 0 ? `${kind}/${id}` : null
}

/**
 * Folders that anyone may read: pictures and brand art. They never contain streams or files of
 * products.
 */
const publicFolders = new Set(['art', 'brand', 'poster', 'posters', 'banners', 'public'])

/** Whether anyone may read the file of a key. */
export const isPublicKey = (key: MediaKey) => publicFolders.has(key.slice(0, key.indexOf('/')))

/**
 * A preview is an asset of its own, so that its public URL never opens the segments of the film.
 */
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

/** Returns the content type by extension; `application/octet-stream` for an unknown one. */
export const contentTypeOf = (key: string) => types[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

/** Whether a key names an HLS playlist. */
export const isPlaylist = (key: string) => key.endsWith('.m3u8')

/** Content types of downloads, by file extension. Browsers never display these inside a page. */
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

/** Returns the content type of a download by its extension, without the dot. */
export const downloadTypeOf = (ending: string) => downloads[ending] ?? contentTypeOf(`.${ending}`)

/** Returns the part of a key that is derived from the content: 32 hexadecimal digits. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32)

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu

/** The maximum length of a file name in UTF-16 units. The extension is kept. */
const maxNameLength = 180
const ending = /\.[A-Za-z0-9]{1,10}$/

/**
 * Returns a safe file name for a download: no path, no control or bidirectional characters, limited
 * length.
 */
export const safeFileName = (name: string) => {
  const clean = trimmed(name.normalize('NFC').replace(unsafe, '_'))
  const [extension = ''] = ending.exec(clean) ?? []
  // The cut may split a surrogate pair.
  const short =
    clean.length > maxNameLength
      ? clean.slice(0, maxNameLength - extension.length).replace(/[\ud800-\udbff]$/, '') + extension
      : clean
  return trimmed(short.toWellFormed()) || 'file'
}

/** Returns a translated file name that ends as the stored one does, so that the file opens. */
export const withEndingOf = (stored: string, translated: string) => {
  const [extension = ''] = ending.exec(stored) ?? []
  return translated.toLowerCase().endsWith(extension.toLowerCase()) ? translated : translated + extension
}

/** The first bytes of files that browsers and readers open, as Latin-1. */
const signatures: Record<string, string> = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff',
  'image/gif': 'GIF8',
  'image/webp': 'RIFF',
  'application/pdf': '%PDF-',
  'application/zip': 'PK',
}

/**
 * Returns the content type of an uploaded file: the declared one, or `application/octet-stream` if
 * its bytes are those of another type.
 */
export const uploadedTypeOf = (declared: string, bytes: Uint8Array): string => {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return declared !== '' && start.startsWith(signatures[declared] ?? '') ? declared : 'application/octet-stream'
}

/** The end of a file's name that says what it is; longer ends are no file types. */
const fileType = /\.([A-Za-z0-9]{1,8})$/

/** A file on this machine that nobody changes any more, with the hash of its content. */
interface LocalFile {
  path: string
  name: string
  bytes: number
  hash: string
}

/**
 * Stores an uploaded file for downloads: in `public` for everyone, in `file` for those who have
 * bought it.
 *
 * @returns the key, and the name and content type of the download
 */
export const storeDownload = async (
  { id }: { id: string },
  storage: MediaStorage,
  folder: 'public' | 'file',
  file: File | LocalFile,
) => {
  const type = fileType.exec(file.name)?.[1]?.toLowerCase() ?? 'bin'
  const store = async (hash: string, content: MediaContent, bytes: number) => {
    const key = mediaKey(`${folder}/${id}/${hash}.${type}`)
    await storage.put(key, content)
    return { key, name: safeFileName(file.name), contentType: downloadTypeOf(type), bytes }
  }
  if ('path' in file) return store(file.hash, { path: file.path, isFinal: true }, file.bytes)
  const bytes = Buffer.from(await file.arrayBuffer())
  return store(contentHash(bytes), bytes, bytes.byteLength)
}

const trimmed = (name: string) => name.replace(/^[.\s]+|[.\s]+$/g, '')

/**
 * Returns a `Content-Disposition` with an ASCII name for old clients and the full name (한글.pdf) in
 * UTF-8.
 */
export const attachmentDisposition = (name: string) => {
  const safe = safeFileName(name)
  return create(safe, { fallback: safe.replace(/[^\x20-\x7e]|%/g, '_') })
}

export type ByteRange = { start: number; end: number }

/**
 * Returns the requested part of a file: `whole`, one range (both ends inclusive), or
 * `unsatisfiable` (416). A request for several ranges and an invalid header are answered with the
 * whole file, as RFC 9110 allows.
 */
export const parseRange = (header: string | undefined, bytes: number): 'whole' | 'unsatisfiable' | ByteRange => {
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

/** Whether the range may be served: the file still matches the client's copy (`If-Range`). */
export const matchesIfRange = (ifRange: string | undefined, etag: string, modifiedAt: Date) => {
  if (ifRange === undefined) return true
  if (ifRange.startsWith('"')) return ifRange === etag
  const since = Date.parse(ifRange)
  return Number.isFinite(since) && Math.floor(modifiedAt.getTime() / 1000) * 1000 === since
}
