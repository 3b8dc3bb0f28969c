import { Duplex } from 'node:stream'
import { constants, createGzip } from 'node:zlib'

const worthwhile = /^(?:text\/|application\/(?:json|manifest\+json))/
/** A quick level: a page is written once and read once. */
const level = 3

/** A page or an answer as fewer bytes, where the reader takes them so; each part leaves as soon as it is written. */
export const compress = (request: Request, response: Response): Response => {
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
  const gzip = Duplex.toWeb(createGzip({ level, flush: constants.Z_SYNC_FLUSH }))
  return new Response(
    body.pipeThrough(gzip as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>),
    {
      status,
      statusText,
      headers: dressed,
    },
  )
}
