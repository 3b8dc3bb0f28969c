import * as z from 'zod/mini'
import { lessonId, productCode, productId } from './ids.ts'
import { page as pageNumber, pageOf } from './paging.ts'

/** Days of the store's own time zone, both of them counted. Without them: the last thirty days, today included. */
const range = { from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) }

/** What came of something: the minutes are those really played, at any speed. */
const analyticsTotals = z.object({
  views: z.int(),
  plays: z.int(),
  finishes: z.int(),
  playedMinutes: z.number(),
  /** Of the plays that count, the part that came to the end, on whatever day it did; null without plays. */
  finishRate: z.nullable(z.number()),
})
export type AnalyticsTotals = z.output<typeof analyticsTotals>

const analyticsPeriod = z.enum(['day', 'week', 'month'])
export type AnalyticsPeriod = z.output<typeof analyticsPeriod>

/** A period by its first day. Weeks begin on Monday. The first and the last may be partly outside the requested range. */
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

/** The products of which something came, the most first. */
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
/** Null for the product's own page and video; `title` is null for a lesson that is there no more. */
const lesson = z.nullable(z.object({ id: lessonId, title: z.nullable(z.string()) }))
export const productAnalytics = z.extend(storeAnalytics, {
  product,
  parts: z.array(z.extend(analyticsTotals, { lesson })),
})
export type ProductAnalytics = z.output<typeof productAnalytics>

/** The number of equal ranges of a video whose views are counted. */
export const watchedRangeCount = 20

export const productRetentionQuery = z.object({ code: productCode, ...range })
/** How far into a product's videos its plays went; a video of which nothing is known is left out. */
export const productRetention = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  product,
  parts: z.array(
    z.object({
      lesson,
      /** Of the video that is there now; null when it is there no more. */
      durationSeconds: z.nullable(z.number()),
      /** Those of which it is known what they watched. */
      plays: z.int(),
      retention: z.array(
        z.object({
          /** Where the stretch begins, as a part of the video from 0 to 1. */
          from: z.number(),
          /** How many of the plays watched at least a moment of it. */
          plays: z.int(),
          share: z.number(),
        }),
      ),
    }),
  ),
})
export type ProductRetention = z.output<typeof productRetention>

/** What a line of the table stands for. */
export const analyticsRow = z.enum(['product', 'lesson', 'day', 'week', 'month', 'retention'])
export type AnalyticsRow = z.output<typeof analyticsRow>
/** Without `per`, a line stands for a product; with `product`, for a lesson. */
export const analyticsTableQuery = z.object({
  ...range,
  product: z.optional(productCode),
  per: z.optional(analyticsRow),
  sort: order,
  limit: z._default(z.int().check(z.gte(1), z.lte(10_000)), 1_000),
})
export type AnalyticsTableQuery = z.output<typeof analyticsTableQuery>
export const analyticsTableType = 'text/csv; charset=utf-8'
// Zod's list of types has none with parameters.
export const analyticsTable = z.file().check(z.mime([analyticsTableType as z.core.util.MimeTypes]))
