import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ProductId } from '#contract/ids.ts'
import { createIdColumn, createMultiValueColumn, createNumberColumn } from './index-columns.ts'

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
    values: Uint32Array.of(0, 1, 1, 2),
  })
})
