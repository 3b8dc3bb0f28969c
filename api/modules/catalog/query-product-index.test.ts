import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProductIndexRow } from '#api/modules/catalog/product-index.queries.ts'
import { buildProductIndex } from '#api/modules/catalog/product-index.ts'
import {
  countProducts,
  filterRows,
  type Matches,
  type ProductIndexFilter,
  pageOfProducts,
} from '#api/modules/catalog/query-product-index.ts'
import { hasRow, rangeIn, rowsBetween, widestRange } from '#api/modules/catalog/row-sets.ts'
import { type ProductAccess, type ProductKind, type SortOption, sortOption } from '#contract/enumerations.ts'
import type { CategoryId, ProductId } from '#contract/ids.ts'

/** Few values, so that rows share them and sort orders have ties. */
const few = <T>(...values: T[]) => fc.constantFrom(...values)
/** More than an index keeps sets of. */
const manyTags = Array.from({ length: 70 }, (_, at) => `y${at || ''}`).join('\u001f')
const rowGiven = fc.record({
  kind: few<ProductKind>('VOD', 'PAY', 'FREE'),
  access: few<ProductAccess>('PURCHASE', 'PLAN', 'FREE'),
  price: few(null, 0, 100, 250),
  duration: few(null, 0, 60, 600, 1_800, 4_000),
  categories: few('', 'a', 'a,b', 'c'),
  tags: fc.oneof({ weight: 30, arbitrary: few('', 'x', 'x\u001fy') }, { weight: 1, arbitrary: fc.constant(manyTags) }),
  sort: few(0, 1, 5),
  created: few(1, 2),
  views: few(0, 7),
  plays: few(0, 3),
  sale_from: few(null, 50, 150),
  sale_to: few(null, 100, 200),
  rank: few(null, 0, 4_000, 999_999),
})
const indexRows = fc.array(rowGiven, { maxLength: 40 })
const filterGiven = fc.record({
  // Categories of the index have short names here in place of ids.
  category: few<CategoryId | 'UNKNOWN' | null>(null, 'a' as CategoryId, 'UNKNOWN'),
  kind: few(null, ['VOD'], ['VOD', 'PAY']),
  access: few(null, ['FREE']),
  tag: few(null, 'x', 'y'),
  priceMin: few(null, 0, 100),
  priceMax: few(null, 100),
  durationMin: few(null, 60, 600),
  durationMax: few(null, 60, 1_800),
  video: fc.boolean(),
})
const pageGiven = fc.record({ offset: fc.nat(12), limit: fc.integer({ min: 1, max: 12 }) })
const now = 100

/** The reference: filter each row, sort all, and cut the page. */
const plain = {
  left: (rows: readonly ProductIndexRow[], filter: ProductIndexFilter) =>
    rows.filter((row) => {
      const within = (value: number | null, min: number | null, max: number | null) =>
        (min === null && max === null) || (value !== null && value >= (min ?? 0) && value <= (max ?? 1e9))
      return (
        (row.sale_from === null || row.sale_from <= now) &&
        (row.sale_to === null || row.sale_to > now) &&
        (!filter.kind || filter.kind.includes(row.kind)) &&
        (!filter.access || filter.access.includes(row.access)) &&
        (!filter.category || row.categories.split(',').includes(filter.category)) &&
        (!filter.tag || row.tags.split('\u001f').includes(filter.tag)) &&
        within(row.price, filter.priceMin, filter.priceMax) &&
        within(row.duration, filter.durationMin, filter.durationMax) &&
        (!filter.video || row.duration !== null)
      )
    }),
  order: (sort: SortOption) => {
    const [name, direction] = sort.split(',')
    const turn = direction === 'DESC' ? -1 : 1
    const score = (row: ProductIndexRow) =>
      name === 'duration'
        ? (row.duration ?? (turn < 0 ? -1 : 1e9))
        : { sort: row.sort, createdAt: row.created, countOfViews: row.views, countOfPlays: row.plays }[name!]!
    return (a: ProductIndexRow, b: ProductIndexRow) => turn * (score(a) - score(b) || a.ordinal - b.ordinal)
  },
}

const idOf = (at: number) => `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}` as ProductId

test('pages and counts of the index equal those of a scan over all products', async () => {
  await fc.assert(
    fc.asyncProperty(
      indexRows,
      filterGiven,
      few(...sortOption.options),
      pageGiven,
      few('all', 'ranked', 'listed'),
      async (given, filter, sort, page, how) => {
        const rows: ProductIndexRow[] = given.map((row, at) => ({ ...row, id: idOf(at), ordinal: at }))
        const rankOf = (row: ProductIndexRow) => given[row.ordinal]!.rank
        const found = rows.filter((row) => rankOf(row) !== null)
        const matches: Matches =
          how === 'all'
            ? null
            : {
                rows: Uint32Array.from(found, ({ ordinal }) => ordinal),
                ranks: how === 'ranked' ? Uint32Array.from(found, (row) => rankOf(row)!) : null,
              }
        const candidates = how === 'all' ? rows : found
        const left = plain.left(candidates, filter)
        const inOrder = left.sort(plain.order(sort))
        if (how === 'ranked' && sort === 'sort,DESC') inOrder.sort((a, b) => rankOf(b)! - rankOf(a)!)

        const index = await buildProductIndex(rows)
        const rowsLeft = filterRows(index, matches, filter, now)
        expect(pageOfProducts(index, matches, rowsLeft.all, sort, page)).toEqual(
          inOrder.slice(page.offset, page.offset + page.limit).map(({ id }) => id),
        )
        const counts = countProducts(index, rowsLeft)
        expect(counts.total).toBe(left.length)
        const prices = left.flatMap(({ price }) => price ?? [])
        expect(counts.price).toEqual(prices.length ? { min: Math.min(...prices), max: Math.max(...prices) } : null)
        for (const facet of ['kind', 'access'] as const) {
          const groups = Map.groupBy(plain.left(candidates, { ...filter, [facet]: null }), (row) => row[facet])
          expect(counts[facet]).toEqual(new Map([...groups].map(([value, { length }]) => [value, length])))
        }
        const anyTag = plain.left(candidates, { ...filter, tag: null }).map(({ tags }) => tags.split('\u001f'))
        for (const tag of ['x', 'y'])
          expect(counts.tag.get(tag) ?? 0).toBe(anyTag.filter((tags) => tags.includes(tag)).length)
        const anyLength = plain.left(candidates, { ...filter, durationMin: null, durationMax: null })
        const lengths = { '-10': [0, 600], '10-30': [600, 1_800], '30-60': [1_800, 3_600], '60-': [3_600, 1e9] }
        for (const [range, [from = 0, to = 0]] of Object.entries(lengths))
          expect(counts.duration.get(range) ?? 0).toBe(
            anyLength.filter(({ duration }) => duration !== null && duration >= from && duration <= to).length,
          )
        for (const category of ['a', 'b', 'c'])
          expect(counts.category.get(category) ?? 0).toBe(
            plain
              .left(candidates, { ...filter, category: null })
              .filter(({ categories }) => categories.split(',').includes(category)).length,
          )
      },
    ),
    { numRuns: 2_000 },
  )
})

test('the range of numbers in rows is that of all of them, however many different ones there are', () => {
  const some = fc.record({ different: few(3, 255, 256, 257, 400), from: few(-1, 0, 2, 100), to: few(-1, 2, 254, 1e9) })
  fc.assert(
    fc.property(some, fc.infiniteStream(fc.boolean()), ({ different, from, to }, chosen) => {
      const column = Float64Array.from({ length: 450 }, (_, row) => (row % 7 === 3 ? Number.NaN : row % different))
      const rows = rowsBetween(column, from, to)
      for (let row = 0; row < column.length; row++)
        if (hasRow(rows, row) && !chosen.next().value) rows[row >>> 5]! &= ~(1 << (row & 31))
      const left = [...column].filter((_, row) => hasRow(rows, row))
      expect(rangeIn(rows, column, widestRange(column, from, to))).toEqual({
        lowest: Math.min(...left),
        highest: Math.max(...left),
      })
    }),
  )
})
