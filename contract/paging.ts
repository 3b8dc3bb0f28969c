import * as z from 'zod/mini'

/** Pages count from 1. */
export const page = z._default(z.int().check(z.gte(1), z.lte(10_000)), 1)
export const size = z._default(z.int().check(z.gte(1), z.lte(100)), 24)

/** The paging parameters of every list. */
export const pagingQuery = z.object({ page, size })
export type PagingQuery = z.output<typeof pagingQuery>

/** A page of a list: `total` counts all matches, not only those on the page. */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), size: z.int() })

export interface Page<Item> {
  items: Item[]
  total: number
  page: number
  size: number
}
