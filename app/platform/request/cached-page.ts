import { cookieName } from '~/platform/cookies'

/** What one answer has of its own within a document that is otherwise the same for many. */
interface OwnMarks {
  nonce: string
  requestId: string
}

type Mark = keyof OwnMarks

/** A document in pieces, as bytes, and the marks of the answer it leaves with that are filled in between them. */
export interface CachedPage {
  headers: [string, string][]
  pieces: (Uint8Array | Mark)[]
  /** Of the pieces together, in bytes. */
  size: number
}

const idMark = '<meta name="request-id" content="'
/** Written for each answer anew: by the middleware around this one, or by whoever sends it. */
const ownHeaders = new Set(['set-cookie', 'content-length', 'x-request-id'])

/** Whether a drawn page may be shown to others: a whole page, that no route called its reader's own and that leaves no trace with them. */
export function isCacheable({ status, headers }: Response): boolean {
  return (
    status === 200 &&
    headers.get('content-type')?.startsWith('text/html') === true &&
    !headers.has('cache-control') &&
    headers.getSetCookie().every((cookie) => cookie.startsWith(`${cookieName.customerCode}=`))
  )
}

const encoder = new TextEncoder()

/** A page as drawn for one answer, with what was that answer's own taken out; undefined where that cannot be told apart. */
export function splitPage(html: string, headers: Headers, { nonce }: OwnMarks): CachedPage | undefined {
  const from = html.indexOf(idMark) + idMark.length
  const to = html.indexOf('"', from)
  if (from < idMark.length || to < 0) return undefined
  // The id was the sender's to choose, so it is found by its place; the nonce is 128 bits of chance and stands for itself.
  const pieces = [...around(nonce, html.slice(0, from)), 'requestId' as const, ...around(nonce, html.slice(to))]
  return {
    headers: [...headers].filter(([name]) => !ownHeaders.has(name)),
    pieces,
    size: pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? 0 : piece.byteLength), 0),
  }
}

const around = (nonce: string, text: string): (Uint8Array | 'nonce')[] =>
  text.split(nonce).flatMap((part, at) => (at === 0 ? [encoder.encode(part)] : ['nonce', encoder.encode(part)]))

/** The page for another answer. */
export function assemblePage({ pieces }: CachedPage, marks: OwnMarks): Uint8Array<ArrayBuffer> {
  const own = { nonce: encoder.encode(marks.nonce), requestId: encoder.encode(marks.requestId) }
  const parts = pieces.map((piece) => (typeof piece === 'string' ? own[piece] : piece))
  const page = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let end = 0
  for (const part of parts) {
    page.set(part, end)
    end += part.byteLength
  }
  return page
}
