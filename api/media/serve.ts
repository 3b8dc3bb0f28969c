import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { contentTypeOf } from './content-type.ts'
import { type FoundMedia, findMedia, type MediaArea, type RightDeps } from './find.ts'
import { type ByteRange, rangeStillHolds, wantedRange } from './ranges.ts'
import { type MediaStorage, StorageAway, type StoredFile } from './storage.ts'
import type { Variants } from './variants.ts'

export interface MediaDeps extends RightDeps {
  storage: MediaStorage
  variants: Variants
  /** Whether a variant may be made for this request: each visitor may have only so many made. */
  mayMakeVariant: (request: IncomingMessage) => boolean
  /** The internal location of the proxy this request came through, where that one sends the bytes itself. */
  accelFor: (request: IncomingMessage) => string | null
}

/**
 * Serves everything below `/media/`, `/p/` and `/m/` straight from node:http: a stream is the one thing here worth the short way.
 * `/media-right` before such an address asks for the right alone, for proxies that hold the bytes. Answers true when the address was
 * one of these, whatever came of it.
 */
export const createMediaHandler =
  (deps: MediaDeps) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const address = /^(\/media-right)?\/(media|p|m)\/(.*)$/.exec(path)
    if (!address) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, { allow: 'GET, HEAD' })
      return true
    }
    const found = await findMedia(deps, request, address[2] as MediaArea, address[3] ?? '')
    // Proxies take any other refusal of a question for a fault.
    if (typeof found === 'number') refuse(response, address[1] ? 403 : found)
    else await answer(deps, request, response, found, Boolean(address[1]))
    return true
  }

const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'cache-control': 'no-store', 'content-length': '0', ...headers }).end()
}

const tellRight = (response: ServerResponse, { key, contentType, cacheControl, disposition }: FoundMedia) => {
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
  asked: FoundMedia,
  rightOnly: boolean,
) => {
  try {
    const found = await preparedOf(deps, request, asked)
    if (!found) return refuse(response, rightOnly ? 403 : 404)
    if (rightOnly) return tellRight(response, found)
    const accel = deps.accelFor(request)
    const handedOver = accel && (await deps.storage.handOver(found.key))
    if (handedOver) {
      response.writeHead(200, { ...headersOf(found), 'x-accel-redirect': accel + handedOver }).end()
      return
    }
    // A file that is exchanged between the look at it and the first byte is looked at once more.
    for (let looks = 1; looks <= 2; looks++) {
      const file = await deps.storage.open(found.key)
      if (!file) return refuse(response, 404)
      if (await send(request, response, found, file)) return
    }
    refuse(response, 503, { 'retry-after': '1' })
  } catch (error) {
    if (!(error instanceof StorageAway) || response.headersSent) throw error
    refuse(response, 503, { 'retry-after': String(error.retryAfterSeconds) })
  }
}

/** A variant that is not made yet is answered with the picture itself, for a minute. */
const preparedOf = async (
  { variants, mayMakeVariant }: MediaDeps,
  request: IncomingMessage,
  found: FoundMedia,
): Promise<FoundMedia | null> => {
  const state = found.variant ? await variants.prepare(found.variant, () => mayMakeVariant(request)) : 'READY'
  if (state === 'MISSING') return null
  if (state === 'READY' || !found.variant) return found
  const key = found.variant.source
  return { ...found, key, contentType: contentTypeOf(key), cacheControl: 'public, max-age=60' }
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
  // Nothing stored here is ever a document of the store's own origin.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Pictures for sharing are shown by the pages of other sites.
  'cross-origin-resource-policy': variant?.width === null ? 'cross-origin' : 'same-origin',
  ...(disposition ? { 'content-disposition': disposition } : {}),
})

const isKnown = (ifNoneMatch: string | undefined, etag: string) =>
  ifNoneMatch === '*' || (ifNoneMatch ?? '').split(/,\s*/).some((tag) => tag.replace(/^W\//, '') === etag)

/** False where the file's bytes could not be had any more; nothing has been answered then. */
const send = async (request: IncomingMessage, response: ServerResponse, found: FoundMedia, file: StoredFile) => {
  const headers: Record<string, string | number> = {
    ...headersOf(found),
    'accept-ranges': 'bytes',
    etag: file.etag,
    'last-modified': file.modifiedAt.toUTCString(),
  }
  if (isKnown(request.headers['if-none-match'], file.etag)) {
    response.writeHead(304, headers).end()
    return true
  }
  const holds = rangeStillHolds(request.headers['if-range']?.toString(), file.etag, file.modifiedAt)
  const wanted = holds ? wantedRange(request.headers.range, file.bytes) : 'whole'
  if (wanted === 'unsatisfiable') {
    refuse(response, 416, { 'content-range': `bytes */${file.bytes}` })
    return true
  }
  const range: ByteRange | undefined = wanted === 'whole' ? undefined : wanted
  const bodiless = request.method === 'HEAD' || file.bytes === 0
  const body = bodiless ? null : await file.read(range)
  if (!bodiless && !body) return false

  headers['content-length'] = range ? range.end - range.start + 1 : file.bytes
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${file.bytes}`
  response.writeHead(range ? 206 : 200, headers)
  if (!body) response.end()
  // A reader that goes away in the middle is how players seek: nothing to report. One that had gone before is no end of a pipe, so
  // that the file is closed here.
  else await pipeline(body, response).catch(() => body.destroy())
  return true
}
