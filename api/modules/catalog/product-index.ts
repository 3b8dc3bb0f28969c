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

/**
 * A column with several values per row, stored flat: row `r` has `values[starts[r]] …
 * values[starts[r + 1] - 1]`, which index `names`.
 */
export interface ManyColumn {
  names: string[]
  starts: Uint32Array
  values: Uint32Array
}

/**
 * A tenant's products as columns in memory. Filtering, counting and sorting a hundred thousand
 * products takes a few milliseconds; the database needs a third of a second for the facets alone.
 * Titles and prices for display are not included; a page reads them from the database by id.
 */
export interface ProductIndex {
  size: number
  ids: ProductId[]
  /** The row of a product's ordinal. -1 or undefined if the product is not in the index. */
  rowOfOrdinal: Int32Array
  kind: { names: string[]; values: Uint8Array }
  access: { names: string[]; values: Uint8Array }
  /** NaN if the product is not for sale. */
  price: Float64Array
  /** Seconds. NaN if the product has no video. */
  duration: Float64Array
  saleFrom: Float64Array
  saleTo: Float64Array
  categories: ManyColumn
  tags: ManyColumn
  /** Rows in ascending order of a sort key. Descending order reads the same array backwards. */
  ascending: (key: SortKey) => Uint32Array
  /** The inverse of `ascending`: the position of each row in that order. */
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

/** Computes a value on first use and caches it. */
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
    // Products without a duration come last in either direction.
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

/** Milliseconds. Counters change without a new version, so their sort order may be this old. */
const freshFor = 60_000
const mostRows = 2_000_000
/** The maximum number of matches in cached searches over all tenants, at eight bytes each. */
const mostMatches = 500_000

interface Kept {
  version: number
  readAt: number
  index: ProductIndex
}

/**
 * Caches the product indexes of active tenants. After a version change, the index is reloaded
 * before the answer; requests that started earlier receive the newer index as well. An index that
 * is only old is reloaded in the background while it still serves requests.
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
        // A slow load of an older version must not replace a newer index.
        if ((kept.get(customer.id)?.version ?? 0) <= customer.version)
          kept.set(customer.id, { version: customer.version, readAt: Date.now(), index })
        return index
      })
      .finally(() => reading.delete(key))
    reading.set(key, begun)
    return begun
  }

  return {
    /** Returns the version of a tenant's cached index, or null if none is cached. */
    versionOf: (customerId: CustomerId): number | null => kept.peek(customerId)?.version ?? null,
    /** Whether another index can be loaded ahead of use without evicting one. */
    hasRoom: () => kept.calculatedSize < mostRows / 2,
    of: async (customer: Pick<Customer, 'id' | 'version'>): Promise<ProductIndex> => {
      const known = kept.get(customer.id)
      if (!known || known.version < customer.version) return read(customer)
      // A failure surfaces when the index is needed next. Until then the old index is good enough.
      if (Date.now() - known.readAt > freshFor) read({ id: customer.id, version: known.version }).catch(() => {})
      return known.index
    },
    /** Returns the cached matches of a search for the same tenant version, or calls `load`. */
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
