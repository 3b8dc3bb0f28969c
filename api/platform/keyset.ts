import { type Failure, failure } from '#api/platform/context.ts'

/**
 * The last row of a page: its time as PostgreSQL wrote it, with microseconds, or its amount, and
 * its id.
 */
export interface KeysetPosition {
  at: string
  id: string
}

const separator = '~'
const shape = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::?\d\d)?$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the position of a cursor; null without one. `by` says what the list is sorted by.
 * Failure: VALIDATION_FAILED.
 */
export const readCursor = (
  cursor: string | undefined,
  by: 'TIME' | 'AMOUNT' = 'TIME',
): KeysetPosition | null | Failure => {
  if (cursor === undefined) return null
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(separator)
  if ((by === 'TIME' ? shape : /^\d{1,13}$/).test(at) && uuid.test(id)) return { at, id }
  return failure('VALIDATION_FAILED', { errors: { cursor: ['Send the nextCursor of the page before.'] } })
}

const cursorOf = ({ at, id }: KeysetPosition) => Buffer.from(`${at}${separator}${id}`).toString('base64url')

/**
 * Returns a page of rows that were read with one more than `size`. `keyset` of each row is its
 * position; it is left out of the items.
 */
export const keysetPageOf = <Row extends { keyset: KeysetPosition }>(rows: readonly Row[], size: number) => {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return {
    items: shown.map(({ keyset: _, ...item }) => item),
    nextCursor: rows.length > size && last ? cursorOf(last.keyset) : null,
  }
}
