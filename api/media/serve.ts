import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { attachmentDisposition } from './content-disposition.ts'
import { contentTypeOf, isPlaylist } from './content-type.ts'
import { assetOf, isPreviewKey, isPublicKey, type MediaKey, parseMediaKey } from './key.ts'
import { rangeStillHolds, wantedRange } from './ranges.ts'
import { type MediaGrant, openMedia } from './sign.ts'
import type { MediaStorage, StoredFile } from './storage.ts'

/** What a signed address leads to now: a stream's file, a named download, or nothing any more. */
export type MediaRight = 'CLOSED' | 'STREAM' | { key: MediaKey; name: string; contentType: string }

export interface MediaDeps {
  storage: MediaStorage
  secret: string
  now: () => Date
  /** Asks for the live right behind a well-signed address: session, entitlement, rental time. */
  rightNow: (grant: MediaGrant, bearer: string | null) => Promise<MediaRight>
  /** The bearer token a request carries, from its header or the storefront's cookie. */
  bearerOf: (request: IncomingMessage) => string | null
}

const immutable = 'public, max-age=31536000, immutable'

interface Answer {
  file: StoredFile
  contentType: string
  cacheControl: string
  disposition?: string
}

/**
 * Serves everything below `/media/` (public pictures), `/p/` (previews) and `/m/` (what a right opens), straight from node:http:
 * a stream is the one thing here worth the short way. Answers true when the address was one of these, whatever came of it.
 */
export const createMediaHandler =
  (deps: MediaDeps) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const area = /^\/(media|p|m)\/(.*)$/.exec(path)
    if (!area) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, { allow: 'GET, HEAD' })
      return true
    }
    const answer = await find(deps, request, area[1] as 'media' | 'p' | 'm', area[2] ?? '')
    if (typeof answer === 'number') refuse(response, answer)
    else await send(request, response, answer)
    return true
  }

const find = async (deps: MediaDeps, request: IncomingMessage, area: 'media' | 'p' | 'm', rest: string) => {
  if (area === 'm') return findSigned(deps, request, rest)
  const key = parseMediaKey(rest)
  if (!key || !(area === 'media' ? isPublicKey(key) : isPreviewKey(key))) return 404
  const file = await deps.storage.open(key)
  if (!file) return 404
  return { file, contentType: contentTypeOf(key), cacheControl: isPlaylist(key) ? 'public, max-age=60' : immutable }
}

const findSigned = async (deps: MediaDeps, request: IncomingMessage, rest: string): Promise<Answer | number> => {
  const slash = rest.indexOf('/')
  const key = slash > 0 ? parseMediaKey(rest.slice(slash + 1)) : null
  if (!key) return 404
  const asset = key.startsWith('attachment/') ? (key as string) : assetOf(key)
  if (!asset) return 404
  const now = Math.floor(deps.now().getTime() / 1000)
  const grant = openMedia(deps.secret, rest.slice(0, slash), asset, now)
  if (!grant) return 403
  const right = await deps.rightNow(grant, deps.bearerOf(request))
  if (right === 'CLOSED') return 403
  const file = await deps.storage.open(right === 'STREAM' ? key : right.key)
  if (!file) return 404
  if (right === 'STREAM') {
    const cacheControl = isPlaylist(key) ? 'private, max-age=60' : 'private, max-age=31536000, immutable'
    return { file, contentType: contentTypeOf(key), cacheControl }
  }
  return {
    file,
    contentType: right.contentType,
    cacheControl: 'private, no-store',
    disposition: attachmentDisposition(right.name),
  }
}

const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'cache-control': 'no-store', 'content-length': '0', ...headers }).end()
}

const send = async (request: IncomingMessage, response: ServerResponse, answer: Answer) => {
  const { file } = answer
  const headers: Record<string, string | number> = {
    'accept-ranges': 'bytes',
    'cache-control': answer.cacheControl,
    'content-type': answer.contentType,
    etag: file.etag,
    'last-modified': file.modifiedAt.toUTCString(),
    'x-content-type-options': 'nosniff',
    // Nothing stored here is ever a document of the store's own origin.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    ...(answer.disposition ? { 'content-disposition': answer.disposition } : {}),
  }
  const known = request.headers['if-none-match']
  if (known !== undefined && (known === '*' || known.split(/,\s*/).includes(file.etag))) {
    response.writeHead(304, headers).end()
    return
  }
  const holds = rangeStillHolds(request.headers['if-range']?.toString(), file.etag, file.modifiedAt)
  const wanted = holds ? wantedRange(request.headers.range, file.bytes) : 'whole'
  if (wanted === 'unsatisfiable') return refuse(response, 416, { 'content-range': `bytes */${file.bytes}` })

  const range = wanted === 'whole' ? undefined : wanted
  headers['content-length'] = range ? range.end - range.start + 1 : file.bytes
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${file.bytes}`
  response.writeHead(range ? 206 : 200, headers)
  if (request.method === 'HEAD' || file.bytes === 0) {
    response.end()
    return
  }
  // A reader that goes away in the middle is how players seek: nothing to report.
  await pipeline(file.read(range), response).catch(() => undefined)
}
