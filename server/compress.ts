import { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import { FastResponse } from 'srvx/node'

export type Encoding = 'br' | 'gzip'

/** Levels of compression, by how often the result is sent: a higher one is smaller and slower. */
const levels = {
  once: { br: 1, gzip: 3 },
  cached: { br: 5, gzip: 6 },
  file: { br: 9, gzip: 9 },
} as const

/** Returns the best encoding that the header `accept-encoding` allows. */
export const acceptedEncoding = (header: string | null | undefined): Encoding | undefined =>
  (['br', 'gzip'] as const).find((encoding) =>
    new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:[,\\s]|$))`).test(header ?? ''),
  )

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }

const optionsOf = (encoding: Encoding, level: number, size?: number) =>
  encoding === 'gzip'
    ? { level }
    : {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: level,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          ...(size !== undefined && { [constants.BROTLI_PARAM_SIZE_HINT]: size }),
        },
      }

/**
 * A body of up to so many bytes is compressed in less time than handing it to another thread takes.
 */
const maxAtOnce = 250_000

/** Compresses a body that is sent once. */
const encodeOnce = async (body: Uint8Array, encoding: Encoding): Promise<Buffer<ArrayBuffer>> => {
  if (body.byteLength > maxAtOnce) return encode(body, encoding, 'once')
  const options = optionsOf(encoding, levels.once[encoding], body.byteLength)
  return encoding === 'br' ? brotliCompressSync(body, options) : gzipSync(body, options)
}

/** Compresses a whole body outside of the event loop. */
export const encode = (body: Uint8Array, encoding: Encoding, use: keyof typeof levels): Promise<Buffer<ArrayBuffer>> =>
  compressors[encoding](body, optionsOf(encoding, levels[use][encoding], body.byteLength))

const createCompressor = (encoding: Encoding) => {
  const options = optionsOf(encoding, levels.once[encoding])
  return encoding === 'br'
    ? createBrotliCompress({ ...options, flush: constants.BROTLI_OPERATION_FLUSH })
    : createGzip({ ...options, flush: constants.Z_SYNC_FLUSH })
}

/** Server-sent events are short, and sent one by one. */
const compressibleTypes = /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json))/

/**
 * Compresses a text or JSON response where the client accepts it. A response with its length is
 * compressed at once, which costs half; others are compressed as they are streamed.
 */
export const compress = async (request: Request, response: Response): Promise<Response> => {
  const { body, headers, status, statusText } = response
  if (!body || request.method === 'HEAD' || headers.has('content-encoding')) return response
  if (!compressibleTypes.test(headers.get('content-type') ?? '')) return response
  if (Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) < 1024) return response
  const newHeaders = new Headers(headers)
  if (!headers.has('vary')) newHeaders.set('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request.headers.get('accept-encoding'))
  if (!encoding) return new Response(body, { status, statusText, headers: newHeaders })
  newHeaders.set('content-encoding', encoding)
  newHeaders.delete('content-length')
  const init = { status, statusText, headers: newHeaders }
  // srvx writes the body of its own response to the socket without a stream.
  if (headers.has('content-length'))
    return new FastResponse(await encodeOnce(new Uint8Array(await response.arrayBuffer()), encoding), init)
  const stream = Duplex.toWeb(createCompressor(encoding))
  // Node's types of web streams are not those of `fetch`, which they implement.
  return new Response(
    body.pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>),
    init,
  )
}
