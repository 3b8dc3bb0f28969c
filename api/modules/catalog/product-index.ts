import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import {
  type MatchingProducts,
  type ProductIndexRow,
  readProductIndexRows,
  tagSeparator,
} from './product-index.queries.ts'

/** Several values a row, kept flat: row `r` has `values[starts[r]] … values[starts[r + 1] - 1]`, which index `names`. */
export interface ManyColumn {
  names: string[]
  starts: Uint32Array
  values: Uint32Array
}

/**
 * A tenant's products as columns, held in this process: to narrow, count and order a hundred thousand of them takes a few
 * milliseconds, where the database would take a third of a second for the facets alone. Titles and prices are not in it; what a page
 * shows is read from the database by id.
 */
export interface ProductIndex {
  size: number
  ids: ProductId[]
  /** The row of a product's ordinal; -1, or nothing, where it is not on the index. */
  rowOfOrdinal: Int32Array
  kind: { names: string[]; values: Uint8Array }
  access: { names: string[]; values: Uint8Array }
  /** NaN where a product is not sold. */
  price: Float64Array
  /** NaN where a product has no video. Seconds. */
  duration: Float64Array
  saleFrom: Float64Array
  saleTo: Float64Array
  categories: ManyColumn
  tags: ManyColumn
  /** Rows in ascending order of a sort key; descending is the same read backwards. */
  ascending: (key: SortKey) => Uint32Array
  /** The other way round: where each row stands in that order. */
  places: (key: SortKey) => Uint32Array
}

export type SortKey = 'sort' | 'createdAt' | 'countOfViews' | 'countOfPlays' | 'duration' | 'durationFromShortest'
export const sortKeyOf = (sort: SortOption): SortKey =>
  sort === 'duration,ASC' ? 'durationFromShortest' : (sort.split(',')[0] as Exclude<SortKey, 'durationFromShortest'>)

const few = (rows: readonly ProductIndexRow[], column: 'kind' | 'access') => {
  const names: string[] = []
  const values = Uint8Array.from(rows, (row) => {
    const known = names.indexOf(row[column])
    return known >= 0 ? known : names.push(row[column]) - 1
  })
  return { names, values }
}

const many = (rows: readonly ProductIndexRow[], column: 'categories' | 'tags', separator: string): ManyColumn => {
  const index = new Map<string, number>()
  const starts = new Uint32Array(rows.length + 1)
  const values: number[] = []
  for (const [r, row] of rows.entries()) {
    if (row[column] !== '') {
      for (const name of row[column].split(separator)) {
        const known = index.get(name)
        if (known === undefined) index.set(name, index.size)
        values.push(known ?? index.size - 1)
      }
    }
    starts[r + 1] = values.length
  }
  return { names: [...index.keys()], starts, values: Uint32Array.from(values) }
}

const numbers = (rows: readonly ProductIndexRow[], read: (row: ProductIndexRow) => number | null, none = Number.NaN) =>
  Float64Array.from(rows, (row) => read(row) ?? none)

const rowsOfOrdinals = (rows: readonly ProductIndexRow[]) => {
  const rowOf = new Int32Array(rows.reduce((most, { ordinal }) => Math.max(most, ordinal), -1) + 1).fill(-1)
  for (const [r, { ordinal }] of rows.entries()) rowOf[ordinal] = r
  return rowOf
}

/** Worked out when first asked for, and kept. */
const remembered = <Key, Value>(make: (key: Key) => Value) => {
  const made = new Map<Key, Value>()
  return (key: Key): Value => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}

export const buildProductIndex = (rows: readonly ProductIndexRow[]): ProductIndex => {
  const duration = numbers(rows, (row) => row.duration)
  const keys: Record<SortKey, Float64Array> = {
    sort: numbers(rows, (row) => row.sort),
    createdAt: numbers(rows, (row) => row.created),
    countOfViews: numbers(rows, (row) => row.views),
    countOfPlays: numbers(rows, (row) => row.plays),
    // What has no length stands last, whichever way one looks.
    duration: duration.map((seconds) => (Number.isNaN(seconds) ? -1 : seconds)),
    durationFromShortest: duration.map((seconds) => (Number.isNaN(seconds) ? Number.POSITIVE_INFINITY : seconds)),
  }
  const ascending = remembered((key: SortKey) => {
    const by = keys[key]
    return Uint32Array.from({ length: rows.length }, (_, r) => r).sort((a, b) => by[a]! - by[b]! || a - b)
  })
  return {
    size: rows.length,
    ids: rows.map((row) => row.id),
    rowOfOrdinal: rowsOfOrdinals(rows),
    kind: few(rows, 'kind'),
    access: few(rows, 'access'),
    price: numbers(rows, (row) => row.price),
    duration,
    saleFrom: numbers(rows, (row) => row.sale_from, Number.NEGATIVE_INFINITY),
    saleTo: numbers(rows, (row) => row.sale_to, Number.POSITIVE_INFINITY),
    categories: many(rows, 'categories', ','),
    tags: many(rows, 'tags', tagSeparator),
    ascending,
    places: remembered((key: SortKey) => {
      const places = new Uint32Array(rows.length)
      ascending(key).forEach((row, place) => {
        places[row] = place
      })
      return places
    }),
  }
}

/** Counters move without a version; their order on the index may be this old. Milliseconds. */
const freshFor = 60_000
const mostRows = 2_000_000
/** Products of remembered searches, over all tenants; eight bytes each. */
const mostMatches = 500_000

interface Kept {
  version: number
  readAt: number
  index: ProductIndex
}

/**
 * The indexes of the tenants in use. A moved version is read anew before the answer, and a request that began before it moved is
 * served the newer index; mere age is made up for in the background, while the old index still serves.
 */
export const createProductIndexes = (pool: pg.Pool) => {
  const kept = new LRUCache<string, Kept>({ maxSize: mostRows, sizeCalculation: ({ index }) => index.size + 1 })
  const reading = new Map<string, Promise<ProductIndex>>()
  const searches = new LRUCache<string, MatchingProducts>({
    maxSize: mostMatches,
    sizeCalculation: (found) => found.ordinals.length + 1,
  })

  const read = (customer: Pick<Customer, 'id' | 'version'>): Promise<ProductIndex> => {
    const key = `${customer.id}:${customer.version}`
    const underWay = reading.get(key)
    if (underWay) return underWay
    const begun = withTenant(pool, customer.id, (db) => readProductIndexRows(db, customer.id))
      .then((rows) => {
        const index = buildProductIndex(rows)
        // A slow reading for an older version must not take the place of a newer one.
        if ((kept.get(customer.id)?.version ?? 0) <= customer.version)
          kept.set(customer.id, { version: customer.version, readAt: Date.now(), index })
        return index
      })
      .finally(() => reading.delete(key))
    reading.set(key, begun)
    return begun
  }

  return {
    /** The version at which a tenant's index stands here; null where none does. */
    versionOf: (customerId: CustomerId): number | null => kept.peek(customerId)?.version ?? null,
    /** Whether another index can be read ahead without one in use being given up. */
    hasRoom: () => kept.calculatedSize < mostRows / 2,
    of: async (customer: Pick<Customer, 'id' | 'version'>): Promise<ProductIndex> => {
      const known = kept.get(customer.id)
      if (!known || known.version < customer.version) return read(customer)
      // A failure shows when the index is needed next; until then the old one is good enough.
      if (Date.now() - known.readAt > freshFor) read({ id: customer.id, version: known.version }).catch(() => {})
      return known.index
    },
    /** What a search found before, at the same version of the tenant; asks `load` otherwise. */
    matches: async (
      customer: Pick<Customer, 'id' | 'version'>,
      words: string,
      load: () => Promise<MatchingProducts>,
    ) => {
      const key = `${customer.id}:${customer.version}:${words}`
      const known = searches.get(key)
      if (known) return known
      const found = await load()
      searches.set(key, found)
      return found
    },
  }
}
export type ProductIndexes = ReturnType<typeof createProductIndexes>
