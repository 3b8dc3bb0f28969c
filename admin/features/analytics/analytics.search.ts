import * as z from 'zod/mini'
import { maxAnalyticsDays } from '#contract/dates.ts'
import { parameter, searchParser, shared } from '../../platform/search'

/** The ranges that end today, by their number of days. */
export const dayCounts = ['1', '7', '30', '90', '365'] as const

export const dayMilliseconds = 86_400_000

/** The day a number of days after another, such as 2026-11-21. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10)

/** The first day of the longest range until a day, and the last day of the longest from one. */
export const longestRange = {
  until: (to: string): string => dayAfter(to, 1 - maxAnalyticsDays),
  from: (from: string): string => dayAfter(from, maxAnalyticsDays - 1),
}

export const comparisons = ['before', 'year', 'range'] as const

const isTooLong = (from: unknown, to: unknown) =>
  typeof from === 'string' &&
  from < longestRange.until(typeof to === 'string' ? to : new Date().toISOString().slice(0, 10))

const isRange = (from: unknown, to: unknown) =>
  typeof from === 'string' && typeof to === 'string' && from <= to && !isTooLong(from, to)

/** Reads the parameters of an address. A range that is too long has no beginning. */
export const parseAnalyticsSearch = searchParser(
  {
    days: parameter(z.enum(dayCounts)),
    from: shared.day,
    to: shared.day,
    by: parameter(z.enum(['day', 'week', 'month'])),
    /** What the range is compared with; the range before it where nobody chose. */
    compare: parameter(z.enum(comparisons)),
    compareFrom: shared.day,
    compareTo: shared.day,
    /** The order of the titles. */
    sort: parameter(z.enum(['title', 'sales', 'paid', 'refunded', 'net'])),
  },
  ({ from, to, compare, compareFrom, compareTo }) => [
    ...(isTooLong(from, to) ? ['from'] : []),
    // A chosen range has both ends, and none but it has any.
    ...(compare === 'range' && isRange(compareFrom, compareTo)
      ? []
      : ['compareFrom', 'compareTo', ...(compare === 'range' ? ['compare'] : [])]),
  ],
)
export type AnalyticsSearch = ReturnType<typeof parseAnalyticsSearch>
