import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isFiltered, listInput, parameter, searchParser, shared } from './search'

const parse = searchParser({
  q: shared.text,
  from: shared.day,
  to: shared.day,
  min: shared.amount,
  max: shared.amount,
  sort: parameter(z.enum(['NEWEST'])),
})

test('a parameter that does not fit takes the place of the one in the address', () => {
  expect(parse({ from: '2026-13-40', q: 'x'.repeat(101), sort: 'OTHER', other: 'x' })).toStrictEqual({
    from: undefined,
    q: undefined,
    sort: undefined,
    other: undefined,
  })
  expect(parse({ q: ' film ', from: '2026-11-30' })).toStrictEqual({ q: 'film', from: '2026-11-30' })
})

test('the end of a range that ends before it begins is left out', () => {
  expect(parse({ from: '2026-11-30', to: '2026-11-29' })).toStrictEqual({ from: '2026-11-30', to: undefined })
  expect(parse({ min: '900', max: '1000' })).toStrictEqual({ min: '900', max: '1000' })
  expect(parse({ min: '1000', max: '900' })).toStrictEqual({ min: '1000', max: undefined })
})

test('what does not fit, or nobody knows, filters nothing', () => {
  const search = parse({ q: ' kim ', sort: 'BY_NOTHING', unknown: '1' })
  expect(listInput({ ...search, columns: undefined })).toEqual({ q: 'kim' })
  expect(isFiltered(parse({ status: 'OLD' }))).toBe(false)
})
