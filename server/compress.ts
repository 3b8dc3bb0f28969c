import { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'

const worthwhile = /^(?:text\/|application\/(?:json|manifest\+json))/
/** A fast level, because each page is compressed once and read once. */
const level = 3

const gzipWhole = promisify(gzip)

/**
 * Compresses a text or JSON response with gzip where the client accepts it. A response with its
 * length is compressed at once, which costs half; others are compressed as they are streamed.
 */
export const compress = async (request: Request, response: Response): Promise<Response> => {
  const { body, headers, status, statusText } = response
  if (!body || request.method === 'HEAD' || headers.has('content-encoding')) return response
  if (!worthwhile.test(headers.get('content-type') ?? '')) return response
  if (Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) < 1024) return response
  const newHeaders = new Headers(headers)
  newHeaders.append('vary', 'accept-encoding')
  if (!/\bgzip\b(?!;q=0(?:[,\s]|$))/.test(request.headers.get('accept-encoding') ?? ''))
    return new Response(body, { status, statusText, headers: newHeaders })
  newHeaders.set('content-encoding', 'gzip')
  newHeaders.delete('content-length')
  const init = { status, statusText, headers: newHeaders }
  if (headers.has('content-length')) return new Response(await gzipWhole(await response.arrayBuffer(), { level }), init)
  const stream = Duplex.toWeb(createGzip({ level, flush: constants.Z_SYNC_FLUSH }))
  return new Response(
    body.pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>),
    init,
  )
}
