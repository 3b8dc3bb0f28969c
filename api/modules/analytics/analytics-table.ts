import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { byteOrderMark, csvLines } from '#api/platform/csv.ts'
import type { AnalyticsPeriod, AnalyticsRow, AnalyticsTableQuery, AnalyticsTotals } from '#contract/analytics.ts'
import {
  getProductAnalytics,
  getProductRetention,
  getStoreAnalytics,
  listProductAnalytics,
  type Range,
  rangeOf,
} from './analytics.ts'

export type AnalyticsTableRow = Record<string, string | number | null>

/** Analytics as rows and columns, for a terminal or a spreadsheet. */
export interface AnalyticsTable {
  columns: readonly string[]
  rows: AnalyticsTableRow[]
}

const names = ['views', 'plays', 'played minutes', 'finishes', 'finish rate']
const cells = ({ views, plays, playedMinutes, finishes, finishRate }: AnalyticsTotals): AnalyticsTableRow => ({
  views,
  plays,
  'played minutes': playedMinutes,
  finishes,
  'finish rate': finishRate === null ? null : rounded(finishRate),
})
const rounded = (share: number) => Math.round(share * 1000) / 1000

/** The title of the lesson, or of the product for its own video. */
export const titleOf = (lesson: { title: string | null } | null, product: { title: string }) =>
  lesson === null ? product.title : (lesson.title ?? 'Deleted lesson')

type TableInput = AnalyticsTableQuery & Range
type ProductQuery = TableInput & { product: NonNullable<TableInput['product']> }

const byProduct = async (ctx: Ctx, { limit, ...input }: TableInput): Promise<AnalyticsTable | Failure> => {
  const list = await listProductAnalytics(ctx, { ...input, page: 1, size: limit })
  if (isFailure(list)) return list
  const rows = list.items.map(({ product: { code, title }, ...each }) => ({ product: code, title, ...cells(each) }))
  return { columns: ['product', 'title', ...names], rows }
}

const byLesson = async (ctx: Ctx, { product: code, from, to }: ProductQuery): Promise<AnalyticsTable | Failure> => {
  const analytics = await getProductAnalytics(ctx, { code, from, to, by: 'month' })
  if (isFailure(analytics)) return analytics
  const rows = analytics.parts.map(({ lesson, ...part }) => ({
    lesson: lesson?.id ?? null,
    title: titleOf(lesson, analytics.product),
    ...cells(part),
  }))
  return { columns: ['lesson', 'title', ...names], rows }
}

const byPeriod = async (
  ctx: Ctx,
  { product: code, from, to }: TableInput,
  by: AnalyticsPeriod,
): Promise<AnalyticsTable | Failure> => {
  const analytics = code
    ? await getProductAnalytics(ctx, { code, from, to, by })
    : await getStoreAnalytics(ctx, { from, to, by })
  if (isFailure(analytics)) return analytics
  return { columns: ['from', ...names], rows: analytics.periods.map((each) => ({ from: each.from, ...cells(each) })) }
}

const byRange = async (ctx: Ctx, { product: code, from, to }: ProductQuery): Promise<AnalyticsTable | Failure> => {
  const answer = await getProductRetention(ctx, { code, from, to })
  if (isFailure(answer)) return answer
  const rows = answer.parts.flatMap(({ lesson, durationSeconds, plays, retention }) =>
    retention.map((range) => ({
      lesson: lesson?.id ?? null,
      title: titleOf(lesson, answer.product),
      'from %': Math.round(range.from * 100),
      'from second': durationSeconds === null ? null : Math.round(range.from * durationSeconds * 10) / 10,
      plays,
      'watched by': range.plays,
      share: rounded(range.share),
    })),
  )
  return { columns: ['lesson', 'title', 'from %', 'from second', 'plays', 'watched by', 'share'], rows }
}

const refused = (why: string) => failure('VALIDATION_FAILED', { errors: { per: [why] } })

/** Returns the kind of row: without `per`, products, or the lessons of one product. */
export const rowOf = ({ product, per }: Pick<AnalyticsTableQuery, 'product' | 'per'>): AnalyticsRow =>
  per ?? (product === undefined ? 'product' : 'lesson')

/**
 * Returns the analytics by product, by lesson with its videos, or over time. Fails with NOT_FOUND
 * for an unknown product, and with VALIDATION_FAILED for an invalid range or kind of row.
 */
export const analyticsTable = async (ctx: Ctx, input: AnalyticsTableQuery): Promise<AnalyticsTable | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const per = rowOf(input)
  const { product } = input
  if (per === 'product')
    return product === undefined
      ? byProduct(ctx, { ...input, ...range })
      : refused('With a product, use one of: lesson, day, week, month, retention.')
  if (per !== 'lesson' && per !== 'retention') return byPeriod(ctx, { ...input, ...range }, per)
  if (product === undefined) return refused(`A product is required for ${per}.`)
  return (per === 'lesson' ? byLesson : byRange)(ctx, { ...input, ...range, product })
}

/** Returns the table as CSV for a spreadsheet: with a byte order mark and a heading row. */
export const analyticsCsv = ({ columns, rows }: AnalyticsTable): string =>
  byteOrderMark + csvLines([columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))])

/** Returns the table as a file whose name holds its kind and its days. */
export const analyticsFile = async (
  ctx: Ctx,
  input: AnalyticsTableQuery,
): Promise<{ name: string; text: string } | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const table = await analyticsTable(ctx, { ...input, ...range })
  if (isFailure(table)) return table
  const of = input.product ?? ctx.customer.code
  return { name: `analytics-${of}-${rowOf(input)}-${range.from}-${range.to}.csv`, text: analyticsCsv(table) }
}
