import { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'

const worthwhile = /^(?:text\/|application\/(?:json|manifest\+json))/
/** A quick level: a page is written once and read once. */
const level = 3

const gzipWhole = promisify(gzip)

/**
 * A page or an answer as fewer bytes, where the reader takes them so. What says its length is whole, and is compressed in one go for half
 * the work; of anything else each part leaves as soon as it is written.
 */
export const compress = async (request: Request, response: Response): Promise<Response> => {
  const { body, headers, status, statusText } = response
  if (!body || request.method === 'HEAD' || headers.has('content-encoding')) return response
  if (!worthwhile.test(headers.get('content-type') ?? '')) return response
  if (Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) < 1024) return response
  const dressed = new Headers(headers)
  dressed.append('vary', 'accept-encoding')
  if (!/\bgzip\b(?!;q=0(?:[,\s]|$))/.test(request.headers.get('accept-encoding') ?? ''))
    return new Response(body, { status, statusText, headers: dressed })
  dressed.set('content-encoding', 'gzip')
  dressed.delete('content-length')
  const init = { status, statusText, headers: dressed }
  if (headers.has('content-length')) return new Response(await gzipWhole(await response.arrayBuffer(), { level }), init)
  const stream = Duplex.toWeb(createGzip({ level, flush: constants.Z_SYNC_FLUSH }))
  return new Response(
    body.pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>),
    init,
  )
}
