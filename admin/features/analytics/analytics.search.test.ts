import { expect, test } from 'vitest'
import { parseAnalyticsSearch } from './analytics.search'

test('a range of analytics that is longer than the API reads has no beginning', () => {
  expect(parseAnalyticsSearch({ from: '2010-01-01', to: '2026-11-30' })).toStrictEqual({
    from: undefined,
    to: '2026-11-30',
  })
  expect(parseAnalyticsSearch({ from: '2021-11-27', to: '2026-11-30' })).toMatchObject({ from: '2021-11-27' })
})
