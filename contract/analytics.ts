import * as z from 'zod/mini'
import { maxAnalyticsDays } from './dates.ts'
import { lessonId, planCode, planId, productCode, productId } from './ids.ts'
import { currency, money } from './money.ts'
import { page as pageNumber, pageOf } from './paging.ts'

/**
 * Days in the store's time zone, both inclusive. By default the last thirty days including today.
 * Without `from`, the range has `days` days.
 */
const range = {
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  days: z.optional(z.int().check(z.gte(1), z.lte(maxAnalyticsDays))),
}

const analyticsComparison = z.enum(['before', 'year', 'range'])
export type AnalyticsComparison = z.output<typeof analyticsComparison>
/** By default with the range of the same length before it. */
const comparison = {
  compare: z.optional(analyticsComparison),
  compareFrom: z.optional(z.iso.date()),
  compareTo: z.optional(z.iso.date()),
}

/** Totals. Minutes are of real time, at any playback speed. */
const analyticsTotals = z.object({
  views: z.int(),
  plays: z.int(),
  finishes: z.int(),
  playedMinutes: z.number(),
  /** The share of the counted plays that reached the end, on any day; null without plays. */
  finishRate: z.nullable(z.number()),
})
export type AnalyticsTotals = z.output<typeof analyticsTotals>

export const analyticsPeriod = z.enum(['day', 'week', 'month'])
export type AnalyticsPeriod = z.output<typeof analyticsPeriod>

/**
 * A period by its first day. Weeks begin on Monday. The first and the last may be partly outside
 * the requested range.
 */
const periods = z.array(z.extend(analyticsTotals, { from: z.iso.date() }))

export const storeAnalyticsQuery = z.object({ ...range, by: z._default(analyticsPeriod, 'day') })
export const salesAnalyticsQuery = z.extend(storeAnalyticsQuery, comparison)
export const storeAnalytics = z.object({ from: z.iso.date(), to: z.iso.date(), total: analyticsTotals, periods })
export type StoreAnalytics = z.output<typeof storeAnalytics>

const order = z._default(z.enum(['views', 'plays', 'finishes', 'playedMinutes']), 'plays')
export const productsAnalyticsQuery = z.object({
  ...range,
  sort: order,
  page: pageNumber,
  size: z._default(z.int().check(z.gte(1), z.lte(500)), 100),
})
const product = z.object({ id: productId, code: productCode, title: z.string() })

/** Products with activity, the most active first. */
export const productsAnalytics = z.extend(pageOf(z.extend(analyticsTotals, { product })), {
  from: z.iso.date(),
  to: z.iso.date(),
})
export type ProductsAnalytics = z.output<typeof productsAnalytics>

export const productAnalyticsQuery = z.object({
  code: productCode,
  ...range,
  ...comparison,
  by: z._default(analyticsPeriod, 'day'),
})
/** Null for the product's own page and video. `title` is null for a deleted lesson. */
const lesson = z.nullable(z.object({ id: lessonId, title: z.nullable(z.string()) }))
export const productAnalytics = z.extend(storeAnalytics, {
  product,
  before: storeAnalytics,
  parts: z.array(z.extend(analyticsTotals, { lesson })),
})
export type ProductAnalytics = z.output<typeof productAnalytics>

/** The number of equal ranges of a video whose views are counted. */
export const watchedRangeCount = 20

export const productRetentionQuery = z.object({ code: productCode, ...range })
/** The retention of a product's videos. Videos without data are omitted. */
export const productRetention = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  product,
  parts: z.array(
    z.object({
      lesson,
      /** The duration of the current video; null when it was deleted. */
      durationSeconds: z.nullable(z.number()),
      /** The number of plays with known watched ranges. */
      plays: z.int(),
      retention: z.array(
        z.object({
          /** The start of the range, as a fraction of the video from 0 to 1. */
          from: z.number(),
          /** The number of plays that watched a part of the range. */
          plays: z.int(),
          share: z.number(),
        }),
      ),
    }),
  ),
})
export type ProductRetention = z.output<typeof productRetention>

/**
 * Money by the day on which it moved, in minor units. `revenue` is what was paid for orders and for
 * subscriptions; refunds are not subtracted from it but from `net`.
 */
const salesFigures = z.object({
  /** Paid orders, with those of free products and without complimentary ones. */
  orders: z.int(),
  /** Paid charges of subscriptions. */
  charges: z.int(),
  revenue: z.int(),
  refunds: z.int(),
  refunded: z.int(),
  net: z.int(),
})
export type SalesFigures = z.output<typeof salesFigures>

/**
 * Orders placed in a range whose buyers began to pay, without free ones, and how many of them are
 * paid by now. `conversion` is the share; null without orders.
 */
const checkouts = z.object({ begun: z.int(), paid: z.int(), conversion: z.nullable(z.number()) })
export type Checkouts = z.output<typeof checkouts>

/** Sales over a range. The store’s currency comes first. */
const salesRange = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  currencies: z.array(
    z.object({
      currency,
      total: salesFigures,
      periods: z.array(z.extend(salesFigures, { from: z.iso.date() })),
    }),
  ),
  checkouts,
  members: z.object({ total: z.int(), periods: z.array(z.object({ from: z.iso.date(), joined: z.int() })) }),
})
export type SalesRange = z.output<typeof salesRange>

/** `before` is the range that `range` is compared with. */
export const salesAnalytics = z.object({ range: salesRange, before: salesRange })
export type SalesAnalytics = z.output<typeof salesAnalytics>

/**
 * How money was paid. CARD and BANK: through a payment provider. The others: received by staff.
 * TERMINAL: a card terminal of the store.
 */
const moneyMethod = z.enum(['CARD', 'BANK', 'CASH', 'TRANSFER', 'TERMINAL', 'OTHER'])
export type MoneyMethod = z.output<typeof moneyMethod>

/** What was paid and refunded by the day on which the money moved, in minor units. */
const settled = z.object({
  payments: z.int(),
  paid: z.int(),
  refunds: z.int(),
  refunded: z.int(),
  net: z.int(),
})
const settledMethod = z.extend(settled, {
  /** `manual`: received by staff, without a payment provider. */
  provider: z.string(),
  method: moneyMethod,
})
/** The money of a range by provider and way of payment. The store’s currency comes first. */
export const settlements = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  currencies: z.array(
    z.object({
      currency,
      total: settled,
      methods: z.array(settledMethod),
      /** Periods with money, the latest first. */
      periods: z.array(z.extend(settledMethod, { from: z.iso.date() })),
    }),
  ),
})
export type Settlements = z.output<typeof settlements>

/** Days in the store’s time zone, both inclusive, as of the other analytics. */
export const movementExport = z.object(range)

const titleFigures = z.object({
  /** Sold items of orders, or paid charges of a subscription. */
  sales: z.int(),
  paid: z.int(),
  refunded: z.int(),
  net: z.int(),
})
const titleRevenueSort = z.enum(['title', 'sales', 'paid', 'refunded', 'net'])
export type TitleRevenueSort = z.output<typeof titleRevenueSort>
export const titleRevenueQuery = z.object({
  ...range,
  ...comparison,
  /** The highest value first; titles in their order. */
  sort: z._default(titleRevenueSort, 'paid'),
  page: pageNumber,
  size: z._default(z.int().check(z.gte(1), z.lte(500)), 100),
})
/** Products and plans that were paid or refunded in a range or in the one it is compared with. */
export const titleRevenue = z.extend(
  pageOf(
    z.extend(titleFigures, {
      kind: z.enum(['PRODUCT', 'PLAN']),
      code: z.string(),
      title: z.string(),
      currency,
      before: titleFigures,
    }),
  ),
  { from: z.iso.date(), to: z.iso.date() },
)
export type TitleRevenue = z.output<typeof titleRevenue>

/** Subscriptions at the end of a range, or now where the range has not ended, and its changes. */
const subscriptionFigures = z.object({
  /** Started and not ended, trials included, without paused ones. */
  active: z.int(),
  /** Paused by staff. They bring in nothing and count in no other figure of this time. */
  paused: z.int(),
  trialing: z.int(),
  started: z.int(),
  ended: z.int(),
  /**
   * The share of those that paid at the beginning of the range and ended in it; null where none
   * paid.
   */
  churn: z.nullable(z.number()),
  trialsStarted: z.int(),
  /** The share of the trials that ended in the range and were followed by a payment. */
  trialConversion: z.nullable(z.number()),
  /**
   * What subscriptions without trials bring in a month, at the price of each now or at its end. A
   * year counts as twelve months.
   */
  monthlyRevenue: z.array(money),
})
export type SubscriptionFigures = z.output<typeof subscriptionFigures>

export const analyticsRange = z.object(range)
export const subscriptionAnalyticsQuery = z.object({ ...range, ...comparison })
export const subscriptionAnalytics = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  total: subscriptionFigures,
  before: subscriptionFigures,
  plans: z.array(
    z.extend(subscriptionFigures, {
      plan: z.object({ id: planId, code: planCode, name: z.string() }),
      before: subscriptionFigures,
    }),
  ),
})
export type SubscriptionAnalytics = z.output<typeof subscriptionAnalytics>

/**
 * Words that visitors searched for without finding a product, the most frequent first. Nothing
 * tells who searched. Pages that guests share are not counted again while the catalog is the same.
 */
export const missedSearches = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  items: z.array(z.object({ words: z.string(), searches: z.int(), lastDay: z.iso.date() })),
})
export type MissedSearches = z.output<typeof missedSearches>

/** What the table is about. */
export const analyticsSubject = z.enum(['plays', 'sales', 'settlements', 'titles', 'subscriptions', 'searches'])
export type AnalyticsSubject = z.output<typeof analyticsSubject>

/** The unit that a row of the table represents. */
export const analyticsRow = z.enum(['product', 'lesson', 'day', 'week', 'month', 'retention'])
export type AnalyticsRow = z.output<typeof analyticsRow>
/**
 * Plays: without `per`, a row is a product, and with `product` a lesson. Sales and settlements: a
 * row is a day, a week or a month, of settlements for each provider and way of payment. Titles have
 * a row for each product and plan, subscriptions one for each plan, searches one for each text.
 * With `compare`, plays over time, sales and subscriptions also have the figures compared with.
 */
export const analyticsTableQuery = z.object({
  ...range,
  ...comparison,
  of: z._default(analyticsSubject, 'plays'),
  product: z.optional(productCode),
  per: z.optional(analyticsRow),
  sort: order,
  limit: z._default(z.int().check(z.gte(1), z.lte(10_000)), 1_000),
})
export type AnalyticsTableQuery = z.output<typeof analyticsTableQuery>
