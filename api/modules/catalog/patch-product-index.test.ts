import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProductIndexRow } from '#api/modules/catalog/product-index.queries.ts'
import type { ProductAccess, ProductKind } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import type { EnumColumn, MultiValueColumn } from './index-columns.ts'
import { patchCounts, patchProductIndex } from './patch-product-index.ts'
import { buildProductIndex, type ProductIndex } from './product-index.ts'

const idOf = (at: number) => `${at.toString(16).padStart(2, '0')}000000-0000-4000-8000-000000000000` as ProductId
const names = (letters: string, separator: string) => fc.subarray([...letters]).map((chosen) => chosen.join(separator))
/** Few values, so that orders have ties, and some that need larger arrays. */
const rowGiven = fc.record({
  kind: fc.constantFrom<ProductKind>('VOD', 'PAY', 'FREE'),
  access: fc.constantFrom<ProductAccess>('PURCHASE', 'PLAN', 'FREE'),
  price: fc.constantFrom(null, 0, 100, 16_777_217),
  duration: fc.constantFrom(null, 0, 60, 4_000),
  categories: names('abcdef', ','),
  tags: names('uvwxyz', '\u001f'),
  sort: fc.constantFrom(-1, 0, 1, 5, 300, 70_000),
  created: fc.constantFrom(1, 1.000_001, 2),
  views: fc.constantFrom(0, 7, 300),
  plays: fc.constantFrom(0, 3, 70_000),
  sale_from: fc.constantFrom(null, 50, 150),
  sale_to: fc.constantFrom(null, 100, 200),
})
/** A product by the place of its id: listed with a row, or not listed. */
const product = fc.record({ place: fc.nat(40), row: fc.option(rowGiven, { freq: 3 }) })

type Products = Map<ProductId, ProductIndexRow>
const listed = (products: Products, now: number) =>
  [...products.values()]
    .filter((row) => row.sale_to === null || row.sale_to > now)
    .sort((a, b) => (a.id < b.id ? -1 : 1))

/** What an index says, whatever the numbers of its names and the sizes of its arrays. */
const contentOf = (index: ProductIndex) => {
  const rows = Array.from({ length: index.size }, (_, row) => row)
  const named = (column: EnumColumn) => Array.from(column.values, (value) => column.names[value])
  const lists = ({ names: known, starts, values }: MultiValueColumn) =>
    rows.map((row) => Array.from(values.subarray(starts[row], starts[row + 1]), (value) => known[value]))
  const numbers = (values: ArrayLike<number>) => Array.from(values)
  return {
    ids: rows.map(index.ids.at),
    rowsOfIds: rows.map((row) => index.ids.rowOf(index.ids.at(row))),
    ordinals: numbers(index.rowAfterOrdinal).flatMap((row, ordinal) => (row > 0 ? [[ordinal, row]] : [])),
    kind: named(index.kind),
    access: named(index.access),
    price: numbers(index.price),
    duration: numbers(index.duration),
    sale: rows.map((row) => [
      index.sale?.from[row] ?? Number.NEGATIVE_INFINITY,
      index.sale?.to[row] ?? Number.POSITIVE_INFINITY,
    ]),
    categories: lists(index.categories),
    tags: lists(index.tags),
    places: numbers(index.places),
    ascending: Object.entries(index.ascending).map(([key, order]) => [key, numbers(order)]),
    sortValues: Object.entries(index.sortValues).map(([key, values]) => [key, numbers(values)]),
    withoutDuration: index.withoutDuration,
  }
}

test('an index patched by any changes equals the one built from all rows', async () => {
  const changes = fc.array(fc.record({ products: fc.array(product, { maxLength: 12 }), pass: fc.nat(30) }), {
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(product, { maxLength: 30 }), changes, async (first, later) => {
      const products: Products = new Map()
      const ordinals = new Map<ProductId, number>()
      const apply = (given: typeof first): ProductId[] =>
        given.map(({ place, row }) => {
          const id = idOf(place)
          if (!ordinals.has(id)) ordinals.set(id, ordinals.size + 1)
          if (row) products.set(id, { ...row, id, ordinal: ordinals.get(id)! })
          else products.delete(id)
          return id
        })
      let now = 60
      apply(first)
      let index = await buildProductIndex(listed(products, now))
      for (const change of later) {
        now += change.pass
        const ids = [...new Set(apply(change.products))]
        const rows = listed(products, now).filter(({ id }) => ids.includes(id))
        const before = contentOf(index)
        const patched = patchProductIndex(index, ids, rows, now)
        // Requests under way go on with the index that they have.
        expect(contentOf(index)).toEqual(before)
        index = patched
        expect(contentOf(index)).toEqual(contentOf(await buildProductIndex(listed(products, now))))
      }
    }),
    { numRuns: 1_000 },
  )
})

test('an index with any other views and plays equals the one built from all rows', async () => {
  const counted = fc.record({
    place: fc.nat(40),
    views: fc.constantFrom(0, 7, 300),
    plays: fc.constantFrom(0, 3, 70_000),
  })
  const changes = fc.array(fc.uniqueArray(counted, { maxLength: 12, selector: ({ place }) => place }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(product, { maxLength: 30, selector: ({ place }) => place }),
      changes,
      async (given, later) => {
        let rows = given.flatMap(({ place, row }) => (row ? [{ ...row, id: idOf(place), ordinal: place }] : []))
        rows.sort((a, b) => (a.id < b.id ? -1 : 1))
        let index = await buildProductIndex(rows)
        for (const change of later) {
          const counts = new Map(
            change.map(({ place, views, plays }) => [idOf(place), { id: idOf(place), views, plays }]),
          )
          rows = rows.map((row) => ({ ...row, ...counts.get(row.id) }))
          const before = contentOf(index)
          const patched = patchCounts(index, [...counts.values()])
          expect(contentOf(index)).toEqual(before)
          index = patched
          expect(contentOf(index)).toEqual(contentOf(await buildProductIndex(rows)))
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('a column grows with the numbers and names of a change', async () => {
  const row = (at: number, given: Partial<ProductIndexRow>): ProductIndexRow => ({
    id: idOf(at % 256),
    ordinal: at,
    kind: 'VOD',
    access: 'FREE',
    price: 1,
    duration: 1,
    categories: 'a',
    tags: '',
    sort: 1,
    created: 1,
    views: 1,
    plays: 1,
    sale_from: null,
    sale_to: null,
    ...given,
  })
  const rows = [row(1, {}), row(2, {})]
  const changed = row(2, { price: 16_777_217, sort: -1, views: 256, plays: 65_536, categories: 'b,a', ordinal: 70_000 })
  const index = await buildProductIndex(rows)
  const patched = patchProductIndex(index, [changed.id], [changed], 0)
  expect([patched.price[1], patched.sortValues.sort[1]]).toEqual([16_777_217, -1])
  expect([patched.sortValues.countOfViews[1], patched.sortValues.countOfPlays[1]]).toEqual([256, 65_536])
  expect(patched.rowAfterOrdinal[70_000]).toBe(2)
  expect(patched.categories).toMatchObject({ names: ['a', 'b'], starts: Uint32Array.of(0, 1, 3) })
  expect(patched.bytes).toBeGreaterThan(index.bytes)
})
