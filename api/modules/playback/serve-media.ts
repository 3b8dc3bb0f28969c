import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type FoundVariant, isVariantKey, readVariantKey, type Variants } from '#api/modules/media/picture-variants.ts'
import { type MediaGrant, openMedia } from '#api/platform/storage/media-urls.ts'
import {
  assetOf,
  attachmentDisposition,
  type ByteRange,
  contentTypeOf,
  isPlaylist,
  isPreviewKey,
  isPublicKey,
  type MediaKey,
  type MediaStorage,
  matchesIfRange,
  parseMediaKey,
  parseRange,
  StorageUnavailable,
  type StoredFile,
} from '#api/platform/storage/storage.ts'
import { pathOf } from '#contract/request-url.ts'

/** What a signed address opens now: a stream's file, a named download, or nothing. */
export type MediaRight = 'CLOSED' | 'STREAM' | { key: MediaKey; name: string; contentType: string }

interface RightDeps {
  secret: string
  now: () => Date
  /** Checks the right behind a validly signed address: session, play, entitlement, rental time. */
  rightNow: (grant: MediaGrant, request: IncomingMessage) => Promise<MediaRight>
}

/** The file at an address and how to respond with it. */
export interface FoundMedia {
  key: MediaKey
  contentType: string
  cacheControl: string
  disposition?: string
  /** The file is made from a stored picture on first request. */
  variant?: FoundVariant
}

/** `/media/` has public pictures, `/p/` previews, `/m/` files that require a right. */
const areas = ['media', 'p', 'm'] as const
type MediaArea = (typeof areas)[number]

/** Returns the file at an address below one of the areas, or the HTTP status that refuses it. */
const findMedia = async (
  deps: RightDeps,
  request: IncomingMessage,
  area: MediaArea,
  rest: string,
): Promise<FoundMedia | 403 | 404> => {
  if (area === 'm') return findSigned(deps, request, rest)
  const key = parseMediaKey(rest)
  if (area === 'media' && key && isVariantKey(key)) {
    const variant = readVariantKey(key)
    return variant ? { key, contentType: contentTypeOf(key), cacheControl: cachedBy('public', key), variant } : 404
  }
  if (!key || !(area === 'media' ? isPublicKey(key) : isPreviewKey(key))) return 404
  return { key, contentType: contentTypeOf(key), cacheControl: cachedBy('public', key) }
}

const findSigned = async (deps: RightDeps, request: IncomingMessage, rest: string): Promise<FoundMedia | 403 | 404> => {
  const slash = rest.indexOf('/')
  const key = slash > 0 ? parseMediaKey(rest.slice(slash + 1)) : null
  if (!key) return 404
  const asset: string | null = /^(?:attachment|inquiry)\//.test(key) ? key : assetOf(key)
  if (!asset) return 404
  const now = Math.floor(deps.now().getTime() / 1000)
  const grant = openMedia(deps.secret, rest.slice(0, slash), asset, now)
  if (!grant) return 403
  const right = await deps.rightNow(grant, request)
  if (right === 'CLOSED') return 403
  if (right === 'STREAM') return { key, contentType: contentTypeOf(key), cacheControl: cachedBy('private', key) }
  return {
    key: right.key,
    contentType: right.contentType,
    cacheControl: 'private, no-store',
    disposition: attachmentDisposition(right.name),
  }
}

/**
 * A file never changes under its key. Playlists are revalidated, so that their files can be
 * withdrawn.
 */
const cachedBy = (visibility: 'public' | 'private', key: MediaKey) =>
  `${visibility}, ${isPlaylist(key) ? 'max-age=60' : 'max-age=31536000, immutable'}`

export interface MediaDeps extends RightDeps {
  storage: MediaStorage
  variants: Variants
  /** Whether a variant may be made for this request; the number per visitor is limited. */
  mayMakeVariant: (request: IncomingMessage) => boolean
  /** The internal location of the proxy if it sends the bytes itself; otherwise null. */
  accelFor: (request: IncomingMessage) => string | null
}

/**
 * Serves `/media/`, `/p/` and `/m/` directly from node:http, which is faster for streams.
 * `/media-right` before such an address only checks the right, for proxies that store the files.
 *
 * @returns true if the address is one of these, whatever the response was.
 */
export const createMediaHandler =
  (deps: MediaDeps) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = pathOf(request.url)
    const address = /^(\/media-right)?\/(media|p|m)\/(.*)$/.exec(path)
    const area = areas.find((name) => name === address?.[2])
    if (!address || !area) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, { allow: 'GET, HEAD' })
      return true
    }
    const media = await findMedia(deps, request, area, address[3] ?? '')
    // Proxies treat any other status of an authorization request as an error.
    if (typeof media === 'number') refuse(response, address[1] ? 403 : media)
    else await answer(deps, request, response, media, Boolean(address[1]))
    return true
  }

const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'cache-control': 'no-store', 'content-length': '0', ...headers }).end()
}

const explainRight = (response: ServerResponse, { key, contentType, cacheControl, disposition }: FoundMedia) => {
  response.writeHead(204, {
    'cache-control': 'no-store',
    'x-media-key': key,
    'x-media-type': contentType,
    'x-media-cache-control': cacheControl,
    ...(disposition ? { 'x-media-disposition': disposition } : {}),
  })
  response.end()
}

const answer = async (
  deps: MediaDeps,
  request: IncomingMessage,
  response: ServerResponse,
  requested: FoundMedia,
  rightOnly: boolean,
) => {
  try {
    const prepared = await preparedOf(deps, request, requested)
    if (!prepared) return refuse(response, rightOnly ? 403 : 404)
    if (rightOnly) return explainRight(response, prepared)
    const accel = deps.accelFor(request)
    const accelPath = accel && (await deps.storage.accelPathOf(prepared.key))
    if (accelPath) {
      response.writeHead(200, { ...headersOf(prepared), 'x-accel-redirect': accel + accelPath }).end()
      return
    }
    // If the file is replaced between the lookup and the first byte, the lookup runs once more.
    for (let lookup = 1; lookup <= 2; lookup++) {
      const file = await deps.storage.open(prepared.key)
      if (!file) return refuse(response, 404)
      if (await send(request, response, prepared, file)) return
    }
    refuse(response, 503, { 'retry-after': '1' })
  } catch (error) {
    if (!(error instanceof StorageUnavailable) || response.headersSent) throw error
    refuse(response, 503, { 'retry-after': String(error.retryAfterSeconds) })
  }
}

/** If the variant is not made yet, responds with the original, cached for a minute. */
const preparedOf = async (
  { variants, mayMakeVariant }: MediaDeps,
  request: IncomingMessage,
  requested: FoundMedia,
): Promise<FoundMedia | null> => {
  const state = requested.variant ? await variants.prepare(requested.variant, () => mayMakeVariant(request)) : 'READY'
  if (state === 'MISSING') return null
  if (state === 'READY' || !requested.variant) return requested
  const key = requested.variant.source
  return { ...requested, key, contentType: contentTypeOf(key), cacheControl: 'public, max-age=60' }
}

const headersOf = ({
  contentType,
  cacheControl,
  disposition,
  variant,
}: FoundMedia): Record<string, string | number> => ({
  'cache-control': cacheControl,
  'content-type': contentType,
  'x-content-type-options': 'nosniff',
  // Stored files must never run as documents of the store's origin.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Pages of other sites show the pictures for sharing.
  'cross-origin-resource-policy': variant?.width === null ? 'cross-origin' : 'same-origin',
  ...(disposition ? { 'content-disposition': disposition } : {}),
})

const isKnown = (ifNoneMatch: string | undefined, etag: string) =>
  ifNoneMatch === '*' || (ifNoneMatch ?? '').split(/,\s*/).some((tag) => tag.replace(/^W\//, '') === etag)

/** Sends a file. Returns false, without a response, if the file can no longer be read. */
const send = async (request: IncomingMessage, response: ServerResponse, media: FoundMedia, file: StoredFile) => {
  const headers: Record<string, string | number> = {
    ...headersOf(media),
    'accept-ranges': 'bytes',
    etag: file.etag,
    'last-modified': file.modifiedAt.toUTCString(),
  }
  if (isKnown(request.headers['if-none-match'], file.etag)) {
    response.writeHead(304, headers).end()
    return true
  }
  const holds = matchesIfRange(request.headers['if-range']?.toString(), file.etag, file.modifiedAt)
  const byteRange = holds ? parseRange(request.headers.range, file.bytes) : 'whole'
  if (byteRange === 'unsatisfiable') {
    refuse(response, 416, { 'content-range': `bytes */${file.bytes}` })
    return true
  }
  const range: ByteRange | undefined = byteRange === 'whole' ? undefined : byteRange
  const hasNoBody = request.method === 'HEAD' || file.bytes === 0
  const body = hasNoBody ? null : await file.read(range)
  if (!hasNoBody && !body) return false

  headers['content-length'] = range ? range.end - range.start + 1 : file.bytes
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${file.bytes}`
  response.writeHead(range ? 206 : 200, headers)
  if (!body) response.end()
  // Players seek by closing the connection, so this is not an error. If the reader left earlier,
  // pipeline does not close the file, so it is destroyed here.
  else await pipeline(body, response).catch(() => body.destroy())
  return true
}
