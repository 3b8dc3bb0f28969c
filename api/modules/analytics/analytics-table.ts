import { type Ctx, type Failure, invalidField, isFailure } from '#api/platform/context.ts'
import { byteOrderMark, csvLines, writeMoney } from '#api/platform/csv/csv.ts'
import {
  type AnalyticsPeriod,
  type AnalyticsRow,
  type AnalyticsTableQuery,
  type AnalyticsTotals,
  analyticsPeriod,
  type SalesRange,
  type StoreAnalytics,
  type SubscriptionFigures,
} from '#contract/analytics.ts'
import {
  comparedRangeOf,
  getProductAnalytics,
  getProductRetention,
  getStoreAnalytics,
  listMissedSearches,
  listProductAnalytics,
  type Range,
  rangeOf,
} from './analytics.ts'
import { getSales, getSettlements, getSubscriptionAnalytics, listTitleRevenue, noSales } from './sales.ts'

type AnalyticsTableRow = Record<string, string | number | null>

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

/** The columns of the range that a table is compared with. */
const beforeNames = (columns: readonly string[]) => columns.map((name) => `${name} before`)
/** The cells of these columns, of the row that is compared with another. */
const beforeCells = (row: AnalyticsTableRow | undefined, columns: readonly string[]): AnalyticsTableRow =>
  Object.fromEntries(columns.map((name) => [`${name} before`, row?.[name] ?? null]))

/**
 * Adds to each row that of the compared range in the same place. A range with more periods has rows
 * without any of the other.
 */
const beside = (
  { columns, rows }: AnalyticsTable,
  before: readonly AnalyticsTableRow[],
  figures: readonly string[],
): AnalyticsTable => ({
  columns: [...columns, 'compared from', ...beforeNames(figures)],
  rows: Array.from({ length: Math.max(rows.length, before.length) }, (_, at) => ({
    ...rows[at],
    'compared from': before[at]?.from ?? null,
    ...beforeCells(before[at], figures),
  })),
})
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

/** The periods of the whole store, and of the range that it is compared with. */
const storePeriods = async (ctx: Ctx, input: TableInput, by: AnalyticsPeriod) => {
  const store = await getStoreAnalytics(ctx, { ...input, by })
  if (isFailure(store) || !input.compare) return store
  const compared = comparedRangeOf(ctx, input, input)
  const before = isFailure(compared) ? compared : await getStoreAnalytics(ctx, { ...compared, by })
  return isFailure(before) ? before : { ...store, before }
}

const byPeriod = async (ctx: Ctx, input: TableInput, by: AnalyticsPeriod): Promise<AnalyticsTable | Failure> => {
  const { product: code, compare } = input
  const analytics = await (code ? getProductAnalytics(ctx, { ...input, code, by }) : storePeriods(ctx, input, by))
  if (isFailure(analytics)) return analytics
  const rowsOf = ({ periods }: Pick<StoreAnalytics, 'periods'>) =>
    periods.map((each) => ({ from: each.from, ...cells(each) }))
  const table = { columns: ['from', ...names], rows: rowsOf(analytics) }
  return compare && 'before' in analytics ? beside(table, rowsOf(analytics.before), names) : table
}

const byRange = async (ctx: Ctx, { product: code, from, to }: ProductQuery): Promise<AnalyticsTable | Failure> => {
  const report = await getProductRetention(ctx, { code, from, to })
  if (isFailure(report)) return report
  const rows = report.parts.flatMap(({ lesson, durationSeconds, plays, retention }) =>
    retention.map((range) => ({
      lesson: lesson?.id ?? null,
      title: titleOf(lesson, report.product),
      'from %': Math.round(range.from * 100),
      'from second': durationSeconds === null ? null : Math.round(range.from * durationSeconds * 10) / 10,
      plays,
      'watched by': range.plays,
      share: rounded(range.share),
    })),
  )
  return { columns: ['lesson', 'title', 'from %', 'from second', 'plays', 'watched by', 'share'], rows }
}

const salesNames = ['orders', 'charges', 'revenue', 'refunds', 'refunded', 'net', 'new members']

/** A row for each period and each of the currencies. */
const salesRows = ({ currencies: paid, members }: SalesRange, shown: readonly string[]): AnalyticsTableRow[] => {
  const currencies = shown.map((currency) => ({
    currency,
    periods: paid.find((one) => one.currency === currency)?.periods ?? [],
  }))
  return members.periods.flatMap(({ from, joined }, at) =>
    currencies.map(({ currency, periods }, place) => {
      const { orders, charges, revenue, refunds, refunded, net } = periods[at] ?? noSales
      // Members have no currency, and count once.
      const counts = { orders, charges, refunds, 'new members': place === 0 ? joined : null }
      return {
        from,
        currency,
        ...counts,
        revenue: writeMoney(revenue, currency),
        refunded: writeMoney(refunded, currency),
        net: writeMoney(net, currency),
      }
    }),
  )
}

const salesTable = async (ctx: Ctx, range: TableInput, by: AnalyticsPeriod): Promise<AnalyticsTable | Failure> => {
  const sales = await getSales(ctx, { ...range, by })
  if (isFailure(sales)) return sales
  const columns = ['from', 'currency', ...salesNames]
  const own = sales.range.currencies.map(({ currency }) => currency)
  if (!range.compare) return { columns, rows: salesRows(sales.range, own) }
  const both = [...new Set([...own, ...sales.before.currencies.map(({ currency }) => currency)])]
  const rows = salesRows(sales.range, both)
  const before = salesRows(sales.before, both)
  // Where the compared range has more periods, the currency of its rows is theirs.
  const padded = before.map((row, at) => rows[at] ?? { from: null, currency: row.currency ?? null })
  return beside({ columns, rows: padded.length > rows.length ? padded : rows }, before, salesNames)
}

const settlementTable = async (ctx: Ctx, range: Range, by: AnalyticsPeriod): Promise<AnalyticsTable | Failure> => {
  const report = await getSettlements(ctx, { ...range, by })
  if (isFailure(report)) return report
  const rows = report.currencies.flatMap(({ currency, periods }) =>
    periods.map(({ from, provider, method, payments, paid, refunds, refunded, net }) => ({
      from,
      provider,
      method,
      currency,
      payments,
      paid: writeMoney(paid, currency),
      refunds,
      refunded: writeMoney(refunded, currency),
      net: writeMoney(net, currency),
    })),
  )
  const columns = ['from', 'provider', 'method', 'currency', 'payments', 'paid', 'refunds', 'refunded', 'net']
  return { columns, rows }
}

const titleTable = async (ctx: Ctx, range: TableInput, limit: number): Promise<AnalyticsTable | Failure> => {
  const report = await listTitleRevenue(ctx, { ...range, sort: 'paid', page: 1, size: limit })
  if (isFailure(report)) return report
  const rows = report.items.map(({ kind, code, title, currency, sales, paid, refunded, net, before }) => ({
    kind,
    code,
    title,
    currency,
    sales,
    paid: writeMoney(paid, currency),
    refunded: writeMoney(refunded, currency),
    net: writeMoney(net, currency),
    'sales before': before.sales,
    'paid before': writeMoney(before.paid, currency),
    'net before': writeMoney(before.net, currency),
  }))
  const columns = ['kind', 'code', 'title', 'currency', 'sales', 'paid', 'refunded', 'net']
  return { columns: [...columns, 'sales before', 'paid before', 'net before'], rows }
}

const subscriptionNames = [
  ...['active', 'paused', 'trialing', 'started', 'ended', 'churn', 'trials started'],
  ...['trial conversion', 'monthly revenue'],
]

const subscriptionCells = (figures: SubscriptionFigures, currency: string): AnalyticsTableRow => ({
  active: figures.active,
  paused: figures.paused,
  trialing: figures.trialing,
  started: figures.started,
  ended: figures.ended,
  churn: figures.churn === null ? null : rounded(figures.churn),
  'trials started': figures.trialsStarted,
  'trial conversion': figures.trialConversion === null ? null : rounded(figures.trialConversion),
  'monthly revenue': writeMoney(
    figures.monthlyRevenue.find((each) => each.currency === currency)?.amount ?? 0,
    currency,
  ),
})

const subscriptionTable = async (ctx: Ctx, range: TableInput): Promise<AnalyticsTable | Failure> => {
  const report = await getSubscriptionAnalytics(ctx, range)
  if (isFailure(report)) return report
  const isCompared = range.compare !== undefined
  const rows = report.plans.flatMap(({ plan: { code, name }, before, ...figures }) =>
    figures.monthlyRevenue.map(({ currency }) => ({
      plan: code,
      name,
      ...subscriptionCells(figures, currency),
      currency,
      ...(isCompared && beforeCells(subscriptionCells(before, currency), subscriptionNames)),
    })),
  )
  const columns = ['plan', 'name', ...subscriptionNames, 'currency']
  return { columns: isCompared ? [...columns, ...beforeNames(subscriptionNames)] : columns, rows }
}

const searchTable = async (ctx: Ctx, range: Range): Promise<AnalyticsTable | Failure> => {
  const report = await listMissedSearches(ctx, range)
  if (isFailure(report)) return report
  const rows = report.items.map(({ words, searches, lastDay }) => ({ words, searches, 'last day': lastDay }))
  return { columns: ['words', 'searches', 'last day'], rows }
}

/** Returns the kind of row: without `per`, products, or the lessons of one product. */
export const rowOf = ({ product, per }: Pick<AnalyticsTableQuery, 'product' | 'per'>): AnalyticsRow =>
  per ?? (product === undefined ? 'product' : 'lesson')

/**
 * Returns the analytics of plays by product, by lesson with its videos, or over time, or the table
 * of another subject. Fails with NOT_FOUND
 * for an unknown product, and with VALIDATION_FAILED for an invalid range or kind of row.
 */
export const analyticsTable = async (ctx: Ctx, input: AnalyticsTableQuery): Promise<AnalyticsTable | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const { product, of } = input
  const compared = { ...input, ...range }
  if (of === 'subscriptions') return subscriptionTable(ctx, compared)
  if (of === 'searches') return searchTable(ctx, range)
  if (of === 'titles') return titleTable(ctx, compared, input.limit)
  if (of === 'sales' || of === 'settlements') {
    const by = analyticsPeriod.safeParse(input.per ?? 'day')
    if (!by.success) return invalidField('per', `With ${of}, use one of: day, week, month.`)
    return of === 'sales' ? salesTable(ctx, compared, by.data) : settlementTable(ctx, range, by.data)
  }
  const per = rowOf(input)
  if (per === 'product')
    return product === undefined
      ? byProduct(ctx, { ...input, ...range })
      : invalidField('per', 'With a product, use one of: lesson, day, week, month, retention.')
  if (per !== 'lesson' && per !== 'retention') return byPeriod(ctx, { ...input, ...range }, per)
  if (product === undefined) return invalidField('per', `A product is required for ${per}.`)
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
  const store = input.product ?? ctx.customer.code
  const kind = input.of === 'plays' ? rowOf(input) : input.of
  return { name: `analytics-${store}-${kind}-${range.from}-${range.to}.csv`, text: analyticsCsv(table) }
}
