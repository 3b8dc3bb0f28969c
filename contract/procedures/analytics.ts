import {
  analyticsTable,
  analyticsTableQuery,
  productAnalytics,
  productAnalyticsQuery,
  productRetention,
  productRetentionQuery,
  productsAnalytics,
  productsAnalyticsQuery,
  storeAnalytics,
  storeAnalyticsQuery,
  watchedRangeCount,
} from '#contract/analytics.ts'
import { procedure } from './procedure.ts'

const tag = 'Analytics'
const scope = 'analytics:read'

export const analyticsProcedures = {
  store: procedure('operator', 'GET', '/analytics', {
    tag,
    scope,
    summary: 'What came of the whole store, by day, week or month',
  })
    .input(storeAnalyticsQuery)
    .output(storeAnalytics),
  products: procedure('operator', 'GET', '/analytics/products', {
    tag,
    scope,
    summary: 'What came of each product, the most first',
  })
    .input(productsAnalyticsQuery)
    .output(productsAnalytics),
  product: procedure('operator', 'GET', '/analytics/products/{code}', {
    tag,
    scope,
    summary: 'What came of one product, by lesson and by day, week or month',
  })
    .input(productAnalyticsQuery)
    .output(productAnalytics),
  retention: procedure('operator', 'GET', '/analytics/products/{code}/retention', {
    tag,
    scope,
    summary: 'How far into each of its videos the plays of a product went',
    description: `A video is divided into ${watchedRangeCount} equal ranges. Of each, the share of plays that watched at least a moment of it is returned.`,
  })
    .input(productRetentionQuery)
    .output(productRetention),
  table: procedure('operator', 'GET', '/analytics.csv', {
    tag,
    scope,
    summary: 'Analytics as a table for spreadsheets',
    description:
      'A line for each product (`sort` and `limit` are theirs), day, week or month; with `product`, for each lesson, day, week, month, or range of a video (`retention`). UTF-8 with its mark; a text that a spreadsheet would take for a formula begins with an apostrophe.',
  })
    .input(analyticsTableQuery)
    .output(analyticsTable),
}
