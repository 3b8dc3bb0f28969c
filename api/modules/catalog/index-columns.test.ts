import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProductId } from '#contract/ids.ts'
import {
  ascendingRows,
  compact,
  compactFloats,
  createIdColumn,
  createMultiValueColumn,
  createNumberColumn,
} from './index-columns.ts'

test('ids are read back as added, and found by their row', () => {
  const ids = Array.from({ length: 3_000 }, () => randomUUID() as ProductId).sort()
  const column = createIdColumn()
  for (const id of ids) column.push(id)
  const { at, rowOf } = column.finish()
  expect(ids.map((_, row) => at(row))).toEqual(ids)
  expect(ids.map(rowOf)).toEqual(ids.map((_, row) => row))
  expect(rowOf(randomUUID() as ProductId)).toBe(-1)
  expect(() => at(ids.length)).toThrow('no row 3000')
})

test('columns grow with their rows up to their length', () => {
  const numbers = createNumberColumn(Uint32Array)
  for (let value = 0; value < 5_000; value++) numbers.push(value)
  expect(numbers.finish()).toEqual(Uint32Array.from({ length: 5_000 }, (_, value) => value))
  const many = createMultiValueColumn(',')
  for (const list of ['a,b', '', 'b,c']) many.push(list)
  expect(many.finish()).toEqual({
    names: ['a', 'b', 'c'],
    starts: Uint32Array.of(0, 2, 2, 4),
    values: Uint16Array.of(0, 1, 1, 2),
  })
})

test('numbers are stored in the smallest array that holds them', () => {
  expect(compact(Uint32Array.of(0, 255))).toEqual(Uint8Array.of(0, 255))
  expect(compact(Uint32Array.of(256, 65_535))).toEqual(Uint16Array.of(256, 65_535))
  expect(compact(Uint32Array.of(65_536))).toEqual(Uint32Array.of(65_536))
  expect(compactFloats(Float64Array.of(9_900, Number.NaN))).toEqual(Float32Array.of(9_900, Number.NaN))
  expect(compactFloats(Float64Array.of(16_777_217))).toEqual(Float64Array.of(16_777_217))
})

test('rows are sorted by their values, equal ones by row', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })))
  fc.assert(
    fc.property(values, (list) => {
      const sorted = list
        .map((value, row) => ({ value, row }))
        .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.row - b.row))
      expect([...ascendingRows(Float64Array.from(list))]).toEqual(sorted.map(({ row }) => row))
    }),
  )
})
