import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Customer } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { countCacheRead } from '#api/platform/telemetry/telemetry.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { CustomerId } from '#contract/ids.ts'
import {
  createEnumColumn,
  createIdColumn,
  createMultiValueColumn,
  createNumberColumn,
  type EnumColumn,
  type IdColumn,
  type MultiValueColumn,
} from './index-columns.ts'
import {
  type MatchingProducts,
  type ProductIndexRow,
  readProductIndexRows,
  tagSeparator,
} from './product-index.queries.ts'

/**
 * A tenant's products as columns in memory, some 100 bytes a product. Filtering, counting and
 * sorting a hundred thousand products takes a few milliseconds; the database needs a third of a
 * second for the facets alone. Titles and prices for display are not included; a page reads them
 * from the database by id.
 */
export interface ProductIndex {
  size: number
  ids: IdColumn
  /** The row of a product's ordinal. -1 or undefined if the product is not in the index. */
  rowOfOrdinal: Int32Array
  kind: EnumColumn
  access: EnumColumn
  /** NaN if the product is not for sale. */
  price: Float64Array
  /** Seconds. NaN if the product has no video. */
  duration: Float32Array
  /** Null if no product has a period of sale. */
  sale: { from: Float64Array; to: Float64Array } | null
  categories: MultiValueColumn
  tags: MultiValueColumn
  /** Rows in ascending order of a sort key. Descending order reads the same array backwards. */
  ascending: (key: SortKey) => Uint32Array
  /** The inverse of `ascending`: the position of each row in that order. */
  places: (key: SortKey) => Uint32Array
}

export type SortKey = 'sort' | 'createdAt' | 'countOfViews' | 'countOfPlays' | 'duration' | 'durationFromShortest'
/** The column of a sort order: the first part of its name, `createdAt,DESC`. */
export const sortKeyOf = (sort: SortOption): SortKey =>
  sort === 'duration,ASC' ? 'durationFromShortest' : (sort.split(',')[0] as Exclude<SortKey, 'durationFromShortest'>)

/** Computes a value on first use and caches it. */
const memoize = <Key, Value>(make: (key: Key) => Value) => {
  const made = new Map<Key, Value>()
  return (key: Key): Value => {
    const existing = made.get(key)
    if (existing !== undefined) return existing
    const value = make(key)
    made.set(key, value)
    return value
  }
}

/** Builds an index from rows by ascending id, which may come in several parts. */
export const createIndexBuilder = () => {
  const ids = createIdColumn()
  const ordinals = createNumberColumn(Uint32Array)
  const [kind, access] = [createEnumColumn(), createEnumColumn()]
  const price = createNumberColumn(Float64Array)
  const duration = createNumberColumn(Float32Array)
  const [saleFrom, saleTo] = [createNumberColumn(Float64Array), createNumberColumn(Float64Array)]
  const [categories, tags] = [createMultiValueColumn(','), createMultiValueColumn(tagSeparator)]
  const [sort, created] = [createNumberColumn(Float64Array), createNumberColumn(Float64Array)]
  const [views, plays] = [createNumberColumn(Uint32Array), createNumberColumn(Uint32Array)]
  let hasSale = false
  return {
    add: (rows: readonly ProductIndexRow[]) => {
      for (const row of rows) {
        ids.push(row.id)
        ordinals.push(row.ordinal)
        kind.push(row.kind)
        access.push(row.access)
        price.push(row.price ?? Number.NaN)
        duration.push(row.duration ?? Number.NaN)
        saleFrom.push(row.sale_from ?? Number.NEGATIVE_INFINITY)
        saleTo.push(row.sale_to ?? Number.POSITIVE_INFINITY)
        hasSale ||= row.sale_from !== null || row.sale_to !== null
        categories.push(row.categories)
        tags.push(row.tags)
        sort.push(row.sort)
        created.push(row.created)
        views.push(row.views)
        plays.push(row.plays)
      }
    },
    finish: (): ProductIndex => {
      const seconds = duration.finish()
      const columns = {
        sort: sort.finish(),
        createdAt: created.finish(),
        countOfViews: views.finish(),
        countOfPlays: plays.finish(),
      }
      return {
        size: seconds.length,
        ids: ids.finish(),
        rowOfOrdinal: rowsOfOrdinals(ordinals.finish()),
        kind: kind.finish(),
        access: access.finish(),
        price: price.finish(),
        duration: seconds,
        sale: hasSale ? { from: saleFrom.finish(), to: saleTo.finish() } : null,
        categories: categories.finish(),
        tags: tags.finish(),
        ...ordersOf(columns, seconds),
      }
    },
  }
}

/** Builds the index of a tenant's products. */
export const buildProductIndex = (rows: readonly ProductIndexRow[]): ProductIndex => {
  const builder = createIndexBuilder()
  builder.add(rows)
  return builder.finish()
}

const rowsOfOrdinals = (ordinals: Uint32Array) => {
  const rowOf = new Int32Array(ordinals.reduce((max, ordinal) => Math.max(max, ordinal), -1) + 1).fill(-1)
  ordinals.forEach((ordinal, row) => {
    rowOf[ordinal] = row
  })
  return rowOf
}

type SortColumns = Record<'sort' | 'createdAt' | 'countOfViews' | 'countOfPlays', ArrayLike<number>>

/** The orders of the rows. Only these functions hold the columns of the sort keys. */
const ordersOf = (columns: SortColumns, duration: Float32Array): Pick<ProductIndex, 'ascending' | 'places'> => {
  const keys = (key: SortKey): ArrayLike<number> => {
    // Products without a duration come last in either direction.
    if (key === 'duration') return duration.map((seconds) => (Number.isNaN(seconds) ? -1 : seconds))
    if (key !== 'durationFromShortest') return columns[key]
    return duration.map((seconds) => (Number.isNaN(seconds) ? Number.POSITIVE_INFINITY : seconds))
  }
  const ascending = memoize((key: SortKey) => {
    const by = keys(key)
    const at = (row: number) => by[row] ?? Number.NaN
    return Uint32Array.from(duration, (_, row) => row).sort((a, b) => at(a) - at(b) || a - b)
  })
  const places = memoize((key: SortKey) => {
    const placeOf = new Uint32Array(duration.length)
    ascending(key).forEach((row, place) => {
      placeOf[row] = place
    })
    return placeOf
  })
  return { ascending, places }
}

/** Milliseconds. Counters change without a new version, so their sort order may be this old. */
const freshFor = 60_000
const maxRows = 2_000_000
/** The maximum number of matches in cached searches over all tenants, at eight bytes each. */
const maxMatches = 500_000

interface CachedIndex {
  version: number
  readAt: number
  index: ProductIndex
}

/** Reads rows in batches: those of a large catalogue take several times the size of the index. */
const readIndex = async (db: TenantDb, customerId: CustomerId): Promise<ProductIndex> => {
  const builder = createIndexBuilder()
  for await (const rows of readProductIndexRows(db, customerId)) builder.add(rows)
  return builder.finish()
}

/**
 * Caches the product indexes of active tenants. After a version change, the index is reloaded
 * before the answer; requests that started earlier receive the newer index as well. An index that
 * is only old is reloaded in the background while it still serves requests.
 */
export const createProductIndexes = (pool: pg.Pool) => {
  const cache = new LRUCache<string, CachedIndex>({ maxSize: maxRows, sizeCalculation: ({ index }) => index.size + 1 })
  const pending = new Map<string, Promise<ProductIndex>>()
  const searches = new LRUCache<string, MatchingProducts, () => Promise<MatchingProducts>>({
    maxSize: maxMatches,
    sizeCalculation: (result) => result.ordinals.length + 1,
    fetchMethod: (_key, _stale, { context: load }) => load(),
    // A search whose place in the cache was taken still answers those who wait for it.
    ignoreFetchAbort: true,
  })

  const read = (customer: Pick<Customer, 'id' | 'version'>): Promise<ProductIndex> => {
    const key = `${customer.id}:${customer.version}`
    const underWay = pending.get(key)
    if (underWay) return underWay
    const indexRead = withTenant(pool, customer.id, (db) => readIndex(db, customer.id))
      .then((index) => {
        // A slow load of an older version must not replace a newer index.
        if ((cache.get(customer.id)?.version ?? 0) <= customer.version)
          cache.set(customer.id, { version: customer.version, readAt: performance.now(), index })
        return index
      })
      .finally(() => pending.delete(key))
    pending.set(key, indexRead)
    return indexRead
  }

  return {
    /** Returns the version of a tenant's cached index, or null if none is cached. */
    versionOf: (customerId: CustomerId): number | null => cache.peek(customerId)?.version ?? null,
    /** Whether a sale of a cached index begins or ends after one time and until another. */
    saleChanges: (customerId: CustomerId, after: Date, until: Date): boolean => {
      const sale = cache.peek(customerId)?.index.sale
      const [from, to] = [after.getTime() / 1000, until.getTime() / 1000]
      const isBetween = (at: number) => at > from && at <= to
      return sale ? sale.from.some(isBetween) || sale.to.some(isBetween) : false
    },
    /** Whether another index can be loaded ahead of use without evicting one. */
    hasSpace: () => cache.calculatedSize < maxRows / 2,
    of: async (customer: Pick<Customer, 'id' | 'version'>): Promise<ProductIndex> => {
      const cachedIndex = cache.get(customer.id)
      countCacheRead('product_index', cachedIndex !== undefined && cachedIndex.version >= customer.version)
      if (!cachedIndex || cachedIndex.version < customer.version) return read(customer)
      // A failure surfaces when the index is needed next. Until then the old index is good enough.
      if (performance.now() - cachedIndex.readAt > freshFor)
        read({ id: customer.id, version: cachedIndex.version }).catch(() => {})
      return cachedIndex.index
    },
    /**
     * Returns the cached matches of a search for the same tenant version, or calls `load`, once for
     * concurrent requests.
     */
    matches: (
      customer: Pick<Customer, 'id' | 'version'>,
      words: string,
      load: () => Promise<MatchingProducts>,
    ): Promise<MatchingProducts> =>
      searches.forceFetch(`${customer.id}:${customer.version}:${words}`, { context: load }),
  }
}
export type ProductIndexes = ReturnType<typeof createProductIndexes>
