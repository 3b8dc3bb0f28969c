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
  /** Of the plays that count, the part that came to the end; null without plays. */
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

export const productsFiguresQuery = z.object({
  ...range,
  sort: z._default(z.enum(['views', 'plays', 'finishes', 'playedMinutes']), 'plays'),
  page: pageNumber,
  size: z._default(z.int().check(z.gte(1), z.lte(500)), 100),
})
/** The products of which something came, the most first. */
export const productsFigures = z.extend(
  pageOf(z.extend(figures, { product: z.object({ id: productId, code: productCode, title: z.string() }) })),
  { from: z.iso.date(), to: z.iso.date() },
)
export type ProductsFigures = z.output<typeof productsFigures>

export const productFiguresQuery = z.object({
  code: productCode,
  ...range,
  by: z._default(figuresPeriod, 'day'),
})
export const productFigures = z.extend(storeFigures, {
  product: z.object({ id: productId, code: productCode, title: z.string() }),
  /** By part: `lesson` is null for the product's own page and video, `title` for a lesson that is there no more. */
  parts: z.array(z.extend(figures, { lesson: z.nullable(z.object({ id: lessonId, title: z.nullable(z.string()) })) })),
})
export type ProductFigures = z.output<typeof productFigures>
