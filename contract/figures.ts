import * as z from 'zod/mini'
import { lessonId, productCode, productId } from './ids.ts'
import { page as pageNumber, pageOf } from './paging.ts'

/** Days of the store's own time zone, both of them counted. Without them: the last thirty days, today included. */
const range = { from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) }

/** What came of something: the minutes are those really played, at any speed. */
const figures = z.object({
  views: z.int(),
  plays: z.int(),
  finishes: z.int(),
  playedMinutes: z.number(),
  /** Of the plays that count, the part that came to the end, on whatever day it did; null without plays. */
  finishRate: z.nullable(z.number()),
})
export type Figures = z.output<typeof figures>

const figuresPeriod = z.enum(['day', 'week', 'month'])
export type FiguresPeriod = z.output<typeof figuresPeriod>

/** A period by its first day. Weeks begin on Monday. The first and the last may lie partly outside of what was asked for. */
const periods = z.array(z.extend(figures, { from: z.iso.date() }))

export const storeFiguresQuery = z.object({ ...range, by: z._default(figuresPeriod, 'day') })
export const storeFigures = z.object({ from: z.iso.date(), to: z.iso.date(), total: figures, periods })
export type StoreFigures = z.output<typeof storeFigures>

const order = z._default(z.enum(['views', 'plays', 'finishes', 'playedMinutes']), 'plays')
export const productsFiguresQuery = z.object({
  ...range,
  sort: order,
  page: pageNumber,
  size: z._default(z.int().check(z.gte(1), z.lte(500)), 100),
})
const product = z.object({ id: productId, code: productCode, title: z.string() })

/** The products of which something came, the most first. */
export const productsFigures = z.extend(pageOf(z.extend(figures, { product })), {
  from: z.iso.date(),
  to: z.iso.date(),
})
export type ProductsFigures = z.output<typeof productsFigures>

export const productFiguresQuery = z.object({
  code: productCode,
  ...range,
  by: z._default(figuresPeriod, 'day'),
})
/** Null for the product's own page and video; `title` is null for a lesson that is there no more. */
const lesson = z.nullable(z.object({ id: lessonId, title: z.nullable(z.string()) }))
export const productFigures = z.extend(storeFigures, { product, parts: z.array(z.extend(figures, { lesson })) })
export type ProductFigures = z.output<typeof productFigures>

/** Into so many equal stretches a video is divided, to tell which of them are watched. */
export const videoStretches = 20

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
export const figuresLine = z.enum(['product', 'lesson', 'day', 'week', 'month', 'retention'])
export type FiguresLine = z.output<typeof figuresLine>
/** Without `per`, a line stands for a product; with `product`, for a lesson. */
export const figuresTableQuery = z.object({
  ...range,
  product: z.optional(productCode),
  per: z.optional(figuresLine),
  sort: order,
  limit: z._default(z.int().check(z.gte(1), z.lte(10_000)), 1_000),
})
export type FiguresTableAsked = z.output<typeof figuresTableQuery>
export const figuresTableType = 'text/csv; charset=utf-8'
export const figuresTable = z.file().check(z.mime([figuresTableType as z.core.util.MimeTypes]))
