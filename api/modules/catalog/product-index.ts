import { setImmediate } from 'node:timers/promises'
import type { TenantDb } from '#api/platform/db/client.ts'
import { durationRanges } from '#contract/catalog.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { CustomerId } from '#contract/ids.ts'
import {
  ascendingRows,
  bytesOf,
  type CompactNumbers,
  compact,
  compactFloats,
  compactIntegers,
  createEnumColumn,
  createIdColumn,
  createMultiValueColumn,
  createNumberColumn,
  type EnumColumn,
  type IdColumn,
  type MultiValueColumn,
  type Numbers,
} from './index-columns.ts'
import { countIndexRows, type ProductIndexRow, readProductIndexRows, tagSeparator } from './product-index.queries.ts'
import { type RowSet, rowsBetween, setsOfLists, setsOfNames, type ValueSets, wordsOf } from './row-sets.ts'

/**
 * A tenant's products as columns in memory, 70 to 120 bytes a product. Filtering, counting and
 * sorting a hundred thousand products takes a millisecond; the database needs a third of a second
 * for the facets alone. Titles and prices for display are not included; a page reads them
 * from the database by id.
 */
export interface ProductIndex {
  size: number
  /** What the index takes of the memory. */
  bytes: number
  ids: IdColumn
  /** The row of a product's ordinal, plus one. 0 or undefined if it is not in the index. */
  rowAfterOrdinal: CompactNumbers
  kind: EnumColumn
  access: EnumColumn
  /** NaN if the product is not for sale. */
  price: Float32Array | Float64Array
  /** Seconds. NaN if the product has no video. */
  duration: Float32Array
  /** Null if no product has a period of sale. */
  sale: { from: Float64Array; to: Float64Array } | null
  categories: MultiValueColumn
  tags: MultiValueColumn
  /**
   * Rows in ascending order of a sort key. Descending order reads the same array backwards.
   * Products without a duration come first.
   */
  ascending: Record<SortKey, CompactNumbers>
  /** The values by which rows are sorted, for the place of a row that changes. */
  sortValues: Record<Exclude<SortKey, 'duration'>, Numbers>
  /** The position of each row in the order of `sort`. */
  places: CompactNumbers
  /** The number of products without a duration. */
  withoutDuration: number
  /** The rows of each value. */
  sets: {
    kind: RowSet
    access: RowSet
    categories: ValueSets
    tags: ValueSets
    /** By the place of the range in `durationRanges`. */
    duration: RowSet
  }
}

/** `durationRanges` in seconds, both ends inclusive. */
export const durationsInSeconds = durationRanges.map((name) => {
  const [from, to] = name.split('-')
  return { name, from: from ? Number(from) * 60 : 0, to: to ? Number(to) * 60 : Number.POSITIVE_INFINITY }
})

const setsOfRanges = (seconds: Float32Array): RowSet => {
  const words = wordsOf(seconds.length)
  const sets = new Uint32Array(durationsInSeconds.length * words)
  for (const [range, { from, to }] of durationsInSeconds.entries())
    sets.set(rowsBetween(seconds, from, to), range * words)
  return sets
}

export type SortKey = 'sort' | 'createdAt' | 'countOfViews' | 'countOfPlays' | 'duration'
/** The column of a sort order: the first part of its name, `createdAt,DESC`. */
export const sortKeyOf = (sort: SortOption): SortKey => sort.split(',')[0] as SortKey

/** Builds an index from rows by ascending id, which may come in several parts. */
const createIndexBuilder = () => {
  const ids = createIdColumn()
  const ordinals = createNumberColumn(Uint32Array)
  const [kind, access] = [createEnumColumn(), createEnumColumn()]
  const price = createNumberColumn(Float64Array)
  const duration = createNumberColumn(Float32Array)
  const [saleFrom, saleTo] = [createNumberColumn(Float64Array), createNumberColumn(Float64Array)]
  const [categories, tags] = [createMultiValueColumn(','), createMultiValueColumn(tagSeparator)]
  const [sort, created] = [createNumberColumn(Float64Array), createNumberColumn(Float64Array)]
  const [views, plays] = [createNumberColumn(Float64Array), createNumberColumn(Float64Array)]
  let hasSale = false
  return {
    /** The number of products so far. */
    size: () => ordinals.length,
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
    finish: async (): Promise<ProductIndex> => {
      const seconds = duration.finish()
      const values = {
        sort: sort.finish(),
        createdAt: created.finish(),
        countOfViews: views.finish(),
        countOfPlays: plays.finish(),
      }
      const bySort = ascendingRows(values.sort)
      // Between two sorts, requests have their turn.
      const inOrder = async (numbers: Float64Array) => {
        await setImmediate()
        return compact(ascendingRows(numbers))
      }
      return withTotals({
        ids: ids.finish(),
        rowAfterOrdinal: compact(rowsAfterOrdinals(ordinals.finish())),
        kind: kind.finish(),
        access: access.finish(),
        price: compactFloats(price.finish()),
        duration: seconds,
        sale: hasSale ? { from: saleFrom.finish(), to: saleTo.finish() } : null,
        categories: categories.finish(),
        tags: tags.finish(),
        places: compact(placesOf(bySort)),
        ascending: {
          sort: compact(bySort),
          createdAt: await inOrder(values.createdAt),
          countOfViews: await inOrder(values.countOfViews),
          countOfPlays: await inOrder(values.countOfPlays),
          duration: await inOrder(new Float64Array(seconds).map(sortedDuration)),
        },
        sortValues: {
          sort: compactIntegers(values.sort),
          createdAt: values.createdAt,
          countOfViews: compactIntegers(values.countOfViews),
          countOfPlays: compactIntegers(values.countOfPlays),
        },
      })
    },
  }
}

/** By what rows are sorted by their duration. */
export const sortedDuration = (seconds: number): number => (Number.isNaN(seconds) ? -1 : seconds)

/** Adds what follows from the columns of an index. */
export const withTotals = (index: Omit<ProductIndex, 'size' | 'bytes' | 'withoutDuration' | 'sets'>): ProductIndex => {
  const sets = {
    kind: setsOfNames(index.kind),
    access: setsOfNames(index.access),
    categories: setsOfLists(index.categories),
    tags: setsOfLists(index.tags),
    duration: setsOfRanges(index.duration),
  }
  const arrays = [
    ...[index.rowAfterOrdinal, index.price, index.duration, index.places],
    ...Object.values(index.ascending),
    ...Object.values(index.sortValues),
    ...[index.kind, index.access].flatMap(({ names, values }) => [names, values]),
    ...[index.categories, index.tags].flatMap(({ names, starts, values }) => [names, starts, values]),
    ...(index.sale ? [index.sale.from, index.sale.to] : []),
    ...Object.values(sets).filter((each) => each !== null),
  ]
  return {
    ...index,
    size: index.duration.length,
    bytes: arrays.reduce((sum, array) => sum + bytesOf(array), index.ids.bytes),
    withoutDuration: index.duration.reduce((count, value) => count + Number(Number.isNaN(value)), 0),
    sets,
  }
}

/**
 * Returns when the next sale of an index begins or ends after a time, both in seconds; null if none
 * does.
 */
export const nextSaleChange = ({ sale }: ProductIndex, after: number): number | null => {
  let next = Number.POSITIVE_INFINITY
  for (const times of sale ? [sale.from, sale.to] : [])
    for (const time of times) if (time > after && time < next) next = time
  return next === Number.POSITIVE_INFINITY ? null : next
}

/** Builds the index of a tenant's products. */
export const buildProductIndex = (rows: readonly ProductIndexRow[]): Promise<ProductIndex> => {
  const builder = createIndexBuilder()
  builder.add(rows)
  return builder.finish()
}

const rowsAfterOrdinals = (ordinals: Uint32Array) => {
  const rows = new Uint32Array(ordinals.reduce((max, ordinal) => Math.max(max, ordinal), -1) + 1)
  ordinals.forEach((ordinal, row) => {
    rows[ordinal] = row + 1
  })
  return rows
}

/** Returns the position of each row in an order. */
export const placesOf = (ascending: CompactNumbers) => {
  const places = new Uint32Array(ascending.length)
  ascending.forEach((row, place) => {
    places[row] = place
  })
  return places
}

/**
 * Reads a store's index, in batches: the rows of a large catalogue take several times its size.
 *
 * @returns null for a store with more rows than `maxRows`
 */
export const readProductIndex = async (
  db: TenantDb,
  customerId: CustomerId,
  maxRows: number,
): Promise<ProductIndex | null> => {
  if ((await countIndexRows(db, customerId, maxRows + 1)) > maxRows) return null
  const builder = createIndexBuilder()
  for await (const rows of readProductIndexRows(db, customerId)) builder.add(rows)
  return builder.finish()
}
