import { durationRanges } from '#contract/catalog.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { CategoryId, ProductId } from '#contract/ids.ts'
import type { CompactNumbers, MultiValueColumn } from './index-columns.ts'
import { type ProductIndex, sortKeyOf } from './product-index.ts'

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
const priceAt = (column: Float32Array | Float64Array, row: number): number => column[row] ?? Number.NaN
const secondsAt = (column: Float32Array, row: number): number => column[row] ?? Number.NaN
const valueAt = (column: Uint32Array, row: number): number => column[row] ?? Number.NaN
const nameAt = (column: MultiValueColumn['values'], at: number): number => column[at] ?? Number.NaN
const placeAt = (column: CompactNumbers, at: number): number => column[at] ?? Number.NaN
const smallAt = (column: Uint8Array, row: number): number => column[row] ?? Number.NaN

const increment = (counts: Uint32Array, place: number) => {
  counts[place] = valueAt(counts, place) + 1
}

const holds = ({ starts, values }: MultiValueColumn, row: number, value: number) => {
  for (let i = valueAt(starts, row); i < valueAt(starts, row + 1); i++) if (nameAt(values, i) === value) return true
  return false
}

/** Whether a row is on sale. `now` is in seconds. */
const isInPeriod = ({ sale }: ProductIndex, row: number, now: number) =>
  sale === null || (timeAt(sale.from, row) <= now && timeAt(sale.to, row) > now)

/** Returns which values of a column a selection allows. Null without a selection. */
const allowed = (names: readonly string[], chosen: readonly string[] | null) =>
  chosen === null ? null : Uint8Array.from(names, (name) => (chosen.includes(name) ? 1 : 0))

/** `durationRanges` in seconds, both ends inclusive. */
export const durationsInSeconds = durationRanges.map((name) => {
  const [from, to] = name.split('-')
  return { name, from: from ? Number(from) * 60 : 0, to: to ? Number(to) * 60 : Number.POSITIVE_INFINITY }
})

/**
 * The selections that are facets, each as a predicate on a row, and the ranges that have no facet.
 */
const testsOf = (index: ProductIndex, filter: ProductIndexFilter, now: number) => {
  const kinds = allowed(index.kind.names, filter.kind)
  const accesses = allowed(index.access.names, filter.access)
  const category = filter.category === null ? null : index.categories.names.indexOf(filter.category)
  const tag = filter.tag === null ? null : index.tags.names.indexOf(filter.tag)
  const { priceMin, priceMax, durationMin, durationMax, video } = filter
  const ranged = priceMin !== null || priceMax !== null || video
  return {
    kind: (row: number) => kinds === null || kinds[smallAt(index.kind.values, row)] === 1,
    access: (row: number) => accesses === null || accesses[smallAt(index.access.values, row)] === 1,
    category: (row: number) => category === null || holds(index.categories, row, category),
    tag: (row: number) => tag === null || holds(index.tags, row, tag),
    // Written so that a missing duration (NaN) fails every bound.
    duration: (row: number) =>
      (durationMin === null || secondsAt(index.duration, row) >= durationMin) &&
      (durationMax === null || secondsAt(index.duration, row) <= durationMax),
    inRange: (row: number) => {
      if (!isInPeriod(index, row, now)) return false
      if (!ranged) return true
      // A missing price (NaN) also fails every bound.
      const price = priceAt(index.price, row)
      return (
        (priceMin === null || price >= priceMin) &&
        (priceMax === null || price <= priceMax) &&
        (!video || secondsAt(index.duration, row) >= 0)
      )
    },
  }
}

/**
 * Counts the rows that pass a filter and, for each facet, the rows that its other values would
 * leave. `now` is in seconds.
 */
export const countProducts = (
  index: ProductIndex,
  matches: Matches,
  filter: ProductIndexFilter,
  now: number,
): Counts => {
  const test = testsOf(index, filter, now)
  const kind = new Uint32Array(index.kind.names.length)
  const access = new Uint32Array(index.access.names.length)
  const category = new Uint32Array(index.categories.names.length)
  const tag = new Uint32Array(index.tags.names.length)
  const duration = new Uint32Array(durationsInSeconds.length)
  let [total, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  const countMany = ({ starts, values }: MultiValueColumn, counts: Uint32Array, row: number) => {
    for (let i = valueAt(starts, row); i < valueAt(starts, row + 1); i++) increment(counts, nameAt(values, i))
  }
  const countRanges = (seconds: number) => {
    for (const [at, { from, to }] of durationsInSeconds.entries())
      if (seconds >= from && seconds <= to) increment(duration, at)
  }
  const count = (row: number) => {
    if (!test.inRange(row)) return
    const fits = {
      kind: test.kind(row),
      access: test.access(row),
      category: test.category(row),
      tag: test.tag(row),
      duration: test.duration(row),
    }
    const misses =
      Number(!fits.kind) + Number(!fits.access) + Number(!fits.category) + Number(!fits.tag) + Number(!fits.duration)
    if (misses > 1) return
    const all = misses === 0
    if (all || !fits.kind) increment(kind, smallAt(index.kind.values, row))
    if (all || !fits.access) increment(access, smallAt(index.access.values, row))
    if (all || !fits.category) countMany(index.categories, category, row)
    if (all || !fits.tag) countMany(index.tags, tag, row)
    if (all || !fits.duration) countRanges(secondsAt(index.duration, row))
    if (!all) return
    total++
    const price = priceAt(index.price, row)
    if (price < min) min = price
    if (price > max) max = price
  }
  if (matches) for (const row of matches.rows) count(row)
  else for (let row = 0; row < index.size; row++) count(row)

  const named = (names: readonly string[], counts: Uint32Array) =>
    new Map(names.flatMap((name, i) => (valueAt(counts, i) > 0 ? [[name, valueAt(counts, i)] as const] : [])))
  return {
    total,
    price: min <= max ? { min, max } : null,
    kind: named(index.kind.names, kind),
    access: named(index.access.names, access),
    category: named(index.categories.names, category),
    tag: named(index.tags.names, tag),
    duration: named(
      durationsInSeconds.map(({ name }) => name),
      duration,
    ),
  }
}

/** Whether a row passes a filter. `now` in seconds. */
export const passes = (index: ProductIndex, filter: ProductIndexFilter, now: number): ((row: number) => boolean) => {
  const test = testsOf(index, filter, now)
  return (row) =>
    test.inRange(row) && test.duration(row) && test.kind(row) && test.access(row) && test.category(row) && test.tag(row)
}

/**
 * Returns the ids of one page. A search without a sort key is ordered by rank. `now` is in seconds.
 */
export const pageOfProducts = (
  index: ProductIndex,
  matches: Matches,
  filter: ProductIndexFilter,
  sort: SortOption,
  { offset, limit, now }: { offset: number; limit: number; now: number },
): ProductId[] => {
  const fits = passes(index, filter, now)
  const page =
    matches?.ranks && sort === 'sort,DESC'
      ? bestFitting(index, matches.rows, matches.ranks, fits).subarray(offset, offset + limit)
      : inOrder(index, matches, sort, fits, { offset, limit })
  return Array.from(page, (row) => index.ids.at(row))
}

type Fits = (row: number) => boolean

/** Rows by rank. Rows of equal rank keep the index order. */
const bestFitting = (index: ProductIndex, rows: Uint32Array, ranks: Uint32Array, fits: Fits): Uint32Array => {
  // Encodes rank and position in one number, exact below 2^53: plain numbers sort many times faster
  // than with a comparison function.
  const keys = new Float64Array(rows.length)
  let length = 0
  for (let at = 0; at < rows.length; at++) {
    const row = valueAt(rows, at)
    if (fits(row)) keys[length++] = valueAt(ranks, at) * index.size + placeAt(index.places, row)
  }
  const ascending = index.ascending.sort
  return Uint32Array.from(keys.subarray(0, length).sort().reverse(), (key) => placeAt(ascending, key % index.size))
}

/** Rows in the order of a sort key. Stops at the end of the page. */
const inOrder = (
  index: ProductIndex,
  matches: Matches,
  sort: SortOption,
  fits: Fits,
  { offset, limit }: { offset: number; limit: number },
): number[] => {
  const isMatch = matches && new Uint8Array(index.size)
  if (isMatch) for (const row of matches.rows) isMatch[row] = 1
  const ascending = index.ascending[sortKeyOf(sort)]
  const descending = sort.endsWith('DESC')
  // Products without a duration come last in either direction.
  const begin = sort === 'duration,ASC' ? index.withoutDuration : 0
  const page: number[] = []
  let passed = 0
  for (let i = 0; i < ascending.length && page.length < limit; i++) {
    const row = placeAt(ascending, descending ? ascending.length - 1 - i : (i + begin) % ascending.length)
    if (isMatch?.[row] === 0 || !fits(row)) continue
    if (passed++ >= offset) page.push(row)
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
