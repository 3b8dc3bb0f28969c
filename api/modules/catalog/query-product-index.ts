import type { SortOption } from '#contract/enumerations.ts'
import type { CategoryId, ProductId } from '#contract/ids.ts'
import type { CompactNumbers, EnumColumn, MultiValueColumn } from './index-columns.ts'
import { durationsInSeconds, type ProductIndex, sortKeyOf } from './product-index.ts'
import {
  addRow,
  allRows,
  countShared,
  forEachRow,
  hasRow,
  intersection,
  type Range,
  type RowSet,
  rangeIn,
  rowsBetween,
  rowsWhere,
  type ValueSets,
  widestRange,
  wordAt,
  wordsOf,
} from './row-sets.ts'

/** A parsed list filter. Prices are in minor units, durations in seconds. */
export interface ProductIndexFilter {
  /** Null selects all categories, UNKNOWN none: the store has no such category. */
  category: CategoryId | 'UNKNOWN' | null
  kind: readonly string[] | null
  access: readonly string[] | null
  tag: string | null
  priceMin: number | null
  priceMax: number | null
  durationMin: number | null
  durationMax: number | null
  /** Only products with a stream. */
  video: boolean
}

export interface Counts {
  total: number
  price: { min: number; max: number } | null
  kind: Map<string, number>
  access: Map<string, number>
  category: Map<string, number>
  tag: Map<string, number>
  /** Counts by range of minutes, with the names of `durationRanges`. */
  duration: Map<string, number>
}

/** Candidate rows, each once, with ranks if they differ. Null stands for all rows. */
export type Matches = { rows: Uint32Array; ranks: Uint32Array | null } | null

/**
 * Returns a column's number in a row, or NaN, which fails every comparison, beyond the end. V8
 * reads each array type faster through a function of its own.
 */
const timeAt = (column: Float64Array, row: number): number => column[row] ?? Number.NaN
const valueAt = (column: Uint32Array, row: number): number => column[row] ?? Number.NaN
const nameAt = (column: MultiValueColumn['values'], at: number): number => column[at] ?? Number.NaN
const placeAt = (column: CompactNumbers, at: number): number => column[at] ?? Number.NaN

/** Null without a range. */
const rowsInRange = (column: Float32Array | Float64Array, min: number | null, max: number | null) =>
  min === null && max === null
    ? null
    : rowsBetween(column, min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY)

/** The rows with one of some names. Null without a choice. */
const rowsNamed = ({ names, values }: EnumColumn, sets: RowSet, chosen: readonly string[] | null) => {
  if (chosen === null) return null
  const set = new Uint32Array(wordsOf(values.length))
  for (const [name] of [...names.entries()].filter(([, each]) => chosen.includes(each)))
    for (let at = 0; at < set.length; at++) set[at] = wordAt(set, at) | wordAt(sets, name * set.length + at)
  return set
}

/** The rows whose list has a name. Null without a choice. */
const rowsListing = ({ names, starts, values }: MultiValueColumn, sets: ValueSets, chosen: string | null) => {
  if (chosen === null) return null
  const name = names.indexOf(chosen)
  const words = wordsOf(starts.length - 1)
  if (name < 0) return new Uint32Array(words)
  if (sets) return sets.subarray(name * words, (name + 1) * words)
  return rowsWhere(starts.length - 1, (row) => {
    for (let at = valueAt(starts, row); at < valueAt(starts, row + 1); at++)
      if (nameAt(values, at) === name) return true
    return false
  })
}

/** Whether a row is on sale. `now` is in seconds. */
const isInPeriod = ({ sale }: ProductIndex, row: number, now: number) =>
  sale === null || (timeAt(sale.from, row) <= now && timeAt(sale.to, row) > now)

type Facet = 'kind' | 'access' | 'category' | 'tag' | 'duration'
/** The rows that pass a filter, and by facet those that pass all but the facet's own choice. */
export type FilteredRows = Record<'all' | Facet, RowSet> & { prices: Range }

/** Filters the rows of an index. `now` is in seconds. */
export const filterRows = (
  index: ProductIndex,
  matches: Matches,
  filter: ProductIndexFilter,
  now: number,
): FilteredRows => {
  const { size, sets } = index
  const chosen: Record<Facet, RowSet | null> = {
    kind: rowsNamed(index.kind, sets.kind, filter.kind),
    access: rowsNamed(index.access, sets.access, filter.access),
    category: rowsListing(index.categories, sets.categories, filter.category),
    tag: rowsListing(index.tags, sets.tags, filter.tag),
    duration: rowsInRange(index.duration, filter.durationMin, filter.durationMax),
  }
  let others = allRows(size)
  if (matches) {
    others = new Uint32Array(others.length)
    for (const row of matches.rows) addRow(others, row)
  }
  if (index.sale)
    others = intersection(
      others,
      rowsWhere(size, (row) => isInPeriod(index, row, now)),
    )
  others = intersection(others, rowsInRange(index.price, filter.priceMin, filter.priceMax))
  if (filter.video) others = intersection(others, rowsInRange(index.duration, 0, null))
  const all = Object.values(chosen).reduce<RowSet>(intersection, others)
  const rowsOf = (facet: Facet) =>
    chosen[facet] === null ? all : Object.values({ ...chosen, [facet]: null }).reduce<RowSet>(intersection, others)
  return {
    all,
    kind: rowsOf('kind'),
    access: rowsOf('access'),
    category: rowsOf('category'),
    tag: rowsOf('tag'),
    duration: rowsOf('duration'),
    prices: widestRange(
      index.price,
      filter.priceMin ?? Number.NEGATIVE_INFINITY,
      filter.priceMax ?? Number.POSITIVE_INFINITY,
    ),
  }
}

const countNames = (rows: RowSet, names: readonly string[], sets: RowSet) =>
  new Map(
    names
      .map((name, at) => [name, countShared(rows, sets, at * rows.length)] as const)
      .filter(([, count]) => count > 0),
  )

const countLists = (rows: RowSet, { names, starts, values }: MultiValueColumn, sets: ValueSets) => {
  if (sets) return countNames(rows, names, sets)
  const counts = new Uint32Array(names.length)
  forEachRow(rows, (row) => {
    for (let at = valueAt(starts, row); at < valueAt(starts, row + 1); at++) {
      const name = nameAt(values, at)
      counts[name] = valueAt(counts, name) + 1
    }
  })
  return new Map(names.map((name, at) => [name, valueAt(counts, at)] as const).filter(([, count]) => count > 0))
}

/** Counts the rows of a list and, for each facet, the rows that its other values would leave. */
export const countProducts = (index: ProductIndex, rows: FilteredRows): Counts => {
  const { sets } = index
  const { lowest: min, highest: max } = rangeIn(rows.all, index.price, rows.prices)
  return {
    total: countShared(rows.all, rows.all),
    price: min <= max ? { min, max } : null,
    kind: countNames(rows.kind, index.kind.names, sets.kind),
    access: countNames(rows.access, index.access.names, sets.access),
    category: countLists(rows.category, index.categories, sets.categories),
    tag: countLists(rows.tag, index.tags, sets.tags),
    duration: countNames(
      rows.duration,
      durationsInSeconds.map(({ name }) => name),
      sets.duration,
    ),
  }
}

/** Returns the ids of one page. A search without a sort key is ordered by rank. */
export const pageOfProducts = (
  index: ProductIndex,
  matches: Matches,
  filtered: RowSet,
  sort: SortOption,
  page: { offset: number; limit: number },
): ProductId[] => {
  const rows =
    matches?.ranks && sort === 'sort,DESC'
      ? bestRanked(index, matches.rows, matches.ranks, filtered, page)
      : inOrder(index, filtered, sort, page)
  return Array.from(rows, (row) => index.ids.at(row))
}

/** Rows by rank. Rows of equal rank keep the index order. */
const bestRanked = (
  index: ProductIndex,
  rows: Uint32Array,
  ranks: Uint32Array,
  filtered: RowSet,
  { offset, limit }: { offset: number; limit: number },
): Uint32Array => {
  // Encodes rank and position in one number, exact below 2^53: plain numbers sort many times faster
  // than with a comparison function.
  const keys = new Float64Array(rows.length)
  let length = 0
  for (let at = 0; at < rows.length; at++) {
    const row = valueAt(rows, at)
    if (hasRow(filtered, row)) keys[length++] = valueAt(ranks, at) * index.size + placeAt(index.places, row)
  }
  const ascending = index.ascending.sort
  const page = largest(keys.subarray(0, length), offset + limit).subarray(offset)
  return Uint32Array.from(page, (key) => placeAt(ascending, key % index.size))
}

/** With more numbers than these, sorting all is as fast. */
const maxInserted = 256

/** Returns the largest of some numbers, descending. Sorts them. */
const largest = (numbers: Float64Array, count: number): Float64Array => {
  if (count > maxInserted) return numbers.sort().reverse().subarray(0, count)
  const found = new Float64Array(Math.min(count, numbers.length))
  let size = 0
  for (const number of numbers) {
    if (size === found.length && number <= timeAt(found, size - 1)) continue
    let place = size < found.length ? size++ : size - 1
    for (; place > 0 && timeAt(found, place - 1) < number; place--) found[place] = timeAt(found, place - 1)
    found[place] = number
  }
  return found
}

/** Rows in the order of a sort key. Stops at the end of the page. */
const inOrder = (
  index: ProductIndex,
  filtered: RowSet,
  sort: SortOption,
  { offset, limit }: { offset: number; limit: number },
): number[] => {
  const ascending = index.ascending[sortKeyOf(sort)]
  const descending = sort.endsWith('DESC')
  // Products without a duration come last in either direction.
  const begin = sort === 'duration,ASC' ? index.withoutDuration : 0
  const page: number[] = []
  let passed = 0
  for (let i = 0; i < ascending.length && page.length < limit; i++) {
    const row = placeAt(ascending, descending ? ascending.length - 1 - i : (i + begin) % ascending.length)
    if (hasRow(filtered, row) && passed++ >= offset) page.push(row)
  }
  return page
}

/** The first rows of the index suffice to find related products, however large the catalogue. */
export const candidatesLimit = 200
export const tagsWeigh = 2

/** What decides which products are related to a product. */
export interface RelatedSubject {
  id: ProductId
  categoryIds: readonly CategoryId[]
  tags: readonly string[]
}

/**
 * Returns the products on sale that share a category and the most tags with another product. Equal
 * products keep the index order. `now` is in seconds.
 */
export const findRelatedProducts = (
  index: ProductIndex,
  subject: RelatedSubject,
  now: number,
  limit: number,
): ProductId[] => {
  const subjectRow = index.ids.rowOf(subject.id)
  const categories = indexesOf(index.categories, subject.categoryIds)
  const tags = indexesOf(index.tags, subject.tags)
  const scored: { id: ProductId; score: number }[] = []
  const order = index.ascending.sort
  for (let at = order.length - 1; at >= 0 && scored.length < candidatesLimit && categories.size > 0; at--) {
    const row = placeAt(order, at)
    const shared = sharedAt(index.categories, row, categories)
    if (shared === 0 || row === subjectRow) continue
    if (!isInPeriod(index, row, now)) continue
    scored.push({ id: index.ids.at(row), score: shared + tagsWeigh * sharedAt(index.tags, row, tags) })
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map((product) => product.id)
}

const indexesOf = ({ names }: MultiValueColumn, values: readonly string[]) =>
  new Set(values.map((name) => names.indexOf(name)).filter((index) => index >= 0))

const sharedAt = ({ starts, values }: MultiValueColumn, row: number, indexes: ReadonlySet<number>): number => {
  let shared = 0
  for (let at = valueAt(starts, row); at < valueAt(starts, row + 1); at++) if (indexes.has(nameAt(values, at))) shared++
  return shared
}
