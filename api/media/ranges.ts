export type ByteRange = { start: number; end: number }

/**
 * What of a file a request wants: `whole`, one range (both ends inside), or `unsatisfiable` (416). Several ranges in one request
 * are answered whole, as RFC 9110 allows; so is a header that makes no sense.
 */
export const wantedRange = (header: string | undefined, bytes: number): 'whole' | 'unsatisfiable' | ByteRange => {
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

/** Whether a range may still be answered in part: the reader's copy (`If-Range`) is the file as it is. */
export const rangeStillHolds = (ifRange: string | undefined, etag: string, modifiedAt: Date) => {
  if (ifRange === undefined) return true
  if (ifRange.startsWith('"')) return ifRange === etag
  const since = Date.parse(ifRange)
  return Number.isFinite(since) && Math.floor(modifiedAt.getTime() / 1000) * 1000 === since
}
