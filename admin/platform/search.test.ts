import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isFiltered, listInput, parameter, searchParser, shared } from './search'

const parse = searchParser({ q: shared.text, sort: parameter(z.enum(['NEWEST'])), columns: shared.columns })

test('a parameter of an address that does not fit, or that nobody knows, counts as missing', () => {
  const search = parse({ q: ' kim ', sort: 'BY_NOTHING', unknown: '1' })
  // The router takes over what is left out.
  expect({ sort: 'BY_NOTHING', unknown: '1', ...search }).toEqual({ q: 'kim', sort: undefined, unknown: undefined })
  expect(listInput(search)).toEqual({ q: 'kim' })
  expect(isFiltered(parse({ status: 'OLD' }))).toBe(false)
})
