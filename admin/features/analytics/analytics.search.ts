import * as z from 'zod/mini'
import { parameter, searchParser, shared } from '../../platform/search'

/** The ranges that end today, by their number of days. */
export const dayCounts = ['1', '7', '30', '90', '365'] as const

export const parseAnalyticsSearch = searchParser({
  days: parameter(z.enum(dayCounts)),
  from: shared.day,
  to: shared.day,
  by: parameter(z.enum(['day', 'week', 'month'])),
  /** The order of the titles. */
  sort: parameter(z.enum(['title', 'sales', 'paid', 'refunded', 'net'])),
})
export type AnalyticsSearch = ReturnType<typeof parseAnalyticsSearch>
