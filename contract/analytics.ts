import * as z from 'zod/mini'
import { lessonId, productCode, productId } from './ids.ts'
import { page as pageNumber, pageOf } from './paging.ts'

/**
 * Days in the store's time zone, both inclusive. By default the last thirty days including today.
 */
const range = { from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) }

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

const analyticsPeriod = z.enum(['day', 'week', 'month'])
export type AnalyticsPeriod = z.output<typeof analyticsPeriod>

/**
 * A period by its first day. Weeks begin on Monday. The first and the last may be partly outside
 * the requested range.
 */
const periods = z.array(z.extend(analyticsTotals, { from: z.iso.date() }))

export const storeAnalyticsQuery = z.object({ ...range, by: z._default(analyticsPeriod, 'day') })
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
  by: z._default(analyticsPeriod, 'day'),
})
/** Null for the product's own page and video. `title` is null for a deleted lesson. */
const lesson = z.nullable(z.object({ id: lessonId, title: z.nullable(z.string()) }))
export const productAnalytics = z.extend(storeAnalytics, {
  product,
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

/** The unit that a row of the table represents. */
export const analyticsRow = z.enum(['product', 'lesson', 'day', 'week', 'month', 'retention'])
export type AnalyticsRow = z.output<typeof analyticsRow>
/** Without `per`, a row is a product. With `per=product`, a row is a lesson. */
export const analyticsTableQuery = z.object({
  ...range,
  product: z.optional(productCode),
  per: z.optional(analyticsRow),
  sort: order,
  limit: z._default(z.int().check(z.gte(1), z.lte(10_000)), 1_000),
})
export type AnalyticsTableQuery = z.output<typeof analyticsTableQuery>
