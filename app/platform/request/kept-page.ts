import { cookieName } from '~/platform/cookies'

/** What one answer has of its own within a document that is otherwise the same for many. */
interface OwnMarks {
  nonce: string
  requestId: string
}

/** A document in pieces: wherever two meet, the nonce of the answer it leaves with is filled in; between the two halves, its id. */
export interface KeptPage {
  headers: [string, string][]
  beforeId: string[]
  afterId: string[]
  /** Characters, for the book-keeping of the cache. */
  size: number
}

const idMark = '<meta name="request-id" content="'
/** Written for each answer anew: by the middleware around this one, or by whoever sends it. */
const ownHeaders = new Set(['set-cookie', 'content-length', 'x-request-id'])

/** Whether a drawn page may be shown to others: a whole page, that no route called its reader's own and that leaves no trace with them. */
export function mayBeKept({ status, headers }: Response): boolean {
  return (
    status === 200 &&
    headers.get('content-type')?.startsWith('text/html') === true &&
    !headers.has('cache-control') &&
    headers.getSetCookie().every((cookie) => cookie.startsWith(`${cookieName.customerCode}=`))
  )
}

/** A page as drawn for one answer, with what was that answer's own taken out; undefined where that cannot be told apart. */
export function takeApart(html: string, headers: Headers, { nonce }: OwnMarks): KeptPage | undefined {
  const from = html.indexOf(idMark) + idMark.length
  const to = html.indexOf('"', from)
  if (from < idMark.length || to < 0) return undefined
  return {
    headers: [...headers].filter(([name]) => !ownHeaders.has(name)),
    // The id was the sender's to choose, so it is found by its place; the nonce is 128 bits of chance and stands for itself.
    beforeId: html.slice(0, from).split(nonce),
    afterId: html.slice(to).split(nonce),
    size: html.length,
  }
}

/** The page for another answer. */
export const putTogether = ({ beforeId, afterId }: KeptPage, { nonce, requestId }: OwnMarks): string =>
  beforeId.join(nonce) + requestId + afterId.join(nonce)
