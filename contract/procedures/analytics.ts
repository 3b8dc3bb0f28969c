import {
  analyticsRange,
  analyticsTableQuery,
  missedSearches,
  productAnalytics,
  productAnalyticsQuery,
  productRetention,
  productRetentionQuery,
  productsAnalytics,
  productsAnalyticsQuery,
  salesAnalytics,
  salesAnalyticsQuery,
  settlements,
  storeAnalytics,
  storeAnalyticsQuery,
  subscriptionAnalytics,
  subscriptionAnalyticsQuery,
  titleRevenue,
  titleRevenueQuery,
  watchedRangeCount,
} from '#contract/analytics.ts'
import { csvFile } from '../admin/lists.ts'
import { procedure } from './procedure.ts'

const tag = 'Analytics'
const permission = 'analytics:read'

export const analyticsProcedures = {
  store: procedure('operator', 'GET', '/analytics', {
    tag,
    permission,
    summary: 'Retrieve the analytics of the store',
    description: 'Returns totals and their course by day, week or month.',
  })
    .input(storeAnalyticsQuery)
    .output(storeAnalytics),
  products: procedure('operator', 'GET', '/analytics/products', {
    tag,
    permission,
    summary: 'List the analytics of products',
    description: 'Returns the products with activity, the highest value of `sort` first.',
  })
    .input(productsAnalyticsQuery)
    .output(productsAnalytics),
  product: procedure('operator', 'GET', '/analytics/products/{code}', {
    tag,
    permission,
    summary: 'Retrieve the analytics of a product',
    description: 'Returns totals by lesson and by day, week or month, and those of the range that `compare` names.',
  })
    .input(productAnalyticsQuery)
    .output(productAnalytics),
  retention: procedure('operator', 'GET', '/analytics/products/{code}/retention', {
    tag,
    permission,
    summary: 'Retrieve the retention of a product’s videos',
    description: `Each video is divided into ${watchedRangeCount} equal ranges. Returns for each range the share of plays that watched any part of it.`,
  })
    .input(productRetentionQuery)
    .output(productRetention),
  sales: procedure('operator', 'GET', '/analytics/sales', {
    tag,
    permission: 'orders:read',
    summary: 'Retrieve revenue, orders, refunds and new members',
    description:
      'Returns the range and the range that `compare` names, by default the one of equal length before it, per currency, with their course by day, week or month. Amounts are in minor units.',
  })
    .input(salesAnalyticsQuery)
    .output(salesAnalytics),
  settlements: procedure('operator', 'GET', '/analytics/settlements', {
    tag,
    permission: 'orders:read',
    summary: 'Retrieve payments and refunds by provider and way of payment',
    description:
      'Returns what was paid and refunded, per currency, with its course by day, week or month, the latest first. Amounts are in minor units; their sums are those of the revenue.',
  })
    .input(storeAnalyticsQuery)
    .output(settlements),
  titles: procedure('operator', 'GET', '/analytics/titles', {
    tag,
    permission: 'orders:read',
    summary: 'List revenue by title',
    description:
      'Returns the products and plans that were paid or refunded in the range or in the range that `compare` names, by default the one of equal length before it. Amounts are in minor units; their sums are those of the revenue. A refund of several titles is divided by what was left of their prices.',
  })
    .input(titleRevenueQuery)
    .output(titleRevenue),
  subscriptions: procedure('operator', 'GET', '/analytics/subscriptions', {
    tag,
    permission: 'orders:read',
    summary: 'Retrieve subscriptions, monthly revenue, churn and trials',
    description:
      'Returns the range, the range that `compare` names, by default the one of equal length before it, and both for each plan with a subscription.',
  })
    .input(subscriptionAnalyticsQuery)
    .output(subscriptionAnalytics),
  searches: procedure('operator', 'GET', '/analytics/searches', {
    tag,
    permission,
    summary: 'List searches that found nothing',
    description: 'Returns the most frequent first, at most 200.',
  })
    .input(analyticsRange)
    .output(missedSearches),
  table: procedure('operator', 'GET', '/analytics.csv', {
    tag,
    permission,
    summary: 'Export analytics as CSV',
    description:
      '`of` selects the subject: plays, sales, settlements, revenue by title, subscriptions or searches without a result. `per` selects what a row of plays, sales or settlements represents: a product, a day, a week or a month. With `product`, it is a lesson, a day, a week, a month, or a range of a video (`retention`). With `compare`, rows of plays over time, of sales and of subscriptions also have the figures of that range. `sort` and `limit` apply to rows of products, and `limit` to titles. Sales, settlements, titles and subscriptions also need `orders:read`. The file is UTF-8 with a byte order mark. Text that a spreadsheet would read as a formula begins with an apostrophe.',
  })
    .input(analyticsTableQuery)
    .output(csvFile),
}
