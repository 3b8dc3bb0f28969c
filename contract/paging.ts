import * as z from 'zod/mini'

/** Pages count from 1. */
export const page = z._default(z.int().check(z.gte(1), z.lte(10_000)), 1)
export const size = z._default(z.int().check(z.gte(1), z.lte(100)), 24)

/** The paging parameters of every list. */
export const pagingQuery = z.object({ page, size })
export type PagingQuery = z.output<typeof pagingQuery>

/**
 * Refuses a range that ends before it starts, at the field of its end. Its ends are numbers or
 * days, both optional.
 */
export const inOrder = <Start extends string, End extends string>(start: Start, end: End) =>
  z.check<{ [Field in Start | End]?: string | number | undefined }>(({ value, issues }) => {
    const [from, to] = [value[start], value[end]]
    if (from === undefined || to === undefined || from <= to) return
    const isDay = typeof from === 'string'
    const minimum = isDay ? Date.parse(from) : from
    // A start that is no day is refused at its own field.
    if (!Number.isFinite(minimum)) return
    issues.push({
      code: 'too_small',
      origin: isDay ? 'date' : 'number',
      minimum,
      inclusive: true,
      input: to,
      path: [end],
    })
  })

/** The server's time, so that the time left of what is listed does not depend on another clock. */
export const serverTime = { now: z.iso.datetime() }

/** A page of a list: `total` counts all matches, not only those on the page. */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), size: z.int() })

export interface Page<Item> {
  items: Item[]
  total: number
  page: number
  size: number
}
