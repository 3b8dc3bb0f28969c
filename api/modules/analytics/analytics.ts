import type pg from 'pg'
import { wholeProduct } from '#api/modules/playback/positions.queries.ts'
import { dayAt, dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type EventHandler, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  type AnalyticsComparison,
  type AnalyticsPeriod,
  type AnalyticsTotals,
  type MissedSearches,
  type ProductAnalytics,
  type ProductRetention,
  type ProductsAnalytics,
  type StoreAnalytics,
  watchedRangeCount,
} from '#contract/analytics.ts'
import { maxAnalyticsDays } from '#contract/dates.ts'
import type { CustomerId, LessonId, ProductCode, ProductId } from '#contract/ids.ts'
import {
  type AnalyticsOrder,
  analyticsByPart,
  analyticsByPeriod,
  analyticsByProduct,
  findProductByCode,
  insertMissedSearch,
  readMissedSearches,
  rollUpEvents,
  type Sums,
  sumAnalytics,
  watchedRangesByPart,
} from './analytics.queries.ts'

export interface Range {
  from: string
  to: string
}

const daysByDefault = 30
/** Events before this day were not counted. */
const firstDay = '2000-01-01'
const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)

/** The requested range; both ends are optional. `days` is its length where `from` is missing. */
export type RangeInput = { [End in keyof Range]?: Range[End] | undefined } & { days?: number | undefined }

/** Returns the requested range, or the last thirty days in the store's time zone. */
export const rangeOf = (ctx: Pick<Ctx, 'customer' | 'clock' | 'locale'>, input: RangeInput): Range | Failure => {
  const to = input.to ?? dayAt(ctx.clock.now(), ctx.customer.settings.base.timeZone)
  const from = input.from ?? dayOf(Date.parse(to) - ((input.days ?? daysByDefault) - 1) * dayMilliseconds)
  const days = (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1
  const i18n = messagesOf(ctx.locale)
  const later = (day: string) => i18n._('Enter {day} or a later day.', { day })
  if (from < firstDay) return invalidField('from', later(firstDay))
  if (days < 1) return invalidField('to', later(from))
  if (days > maxAnalyticsDays)
    return invalidField(
      'from',
      i18n._('Choose a range of at most {max} days. This one has {days}.', { max: maxAnalyticsDays, days }),
    )
  return { from, to }
}

/** What a range is compared with; by default the range before it. */
export interface ComparisonInput {
  compare?: AnalyticsComparison | undefined
  compareFrom?: string | undefined
  compareTo?: string | undefined
}

/** The same day a year before; the 28th of February for the 29th. */
const yearBefore = (day: string): string => {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return before.endsWith('-02-29') ? `${before.slice(0, 8)}28` : before
}

/**
 * Returns the range that `range` is compared with. Fails with VALIDATION_FAILED if the chosen one
 * has no beginning or end, or is empty, too long or too early.
 */
export const comparedRangeOf = (
  ctx: Pick<Ctx, 'customer' | 'clock' | 'locale'>,
  { from, to }: Range,
  { compare = 'before', compareFrom, compareTo }: ComparisonInput,
): Range | Failure => {
  if (compare === 'year') return { from: yearBefore(from), to: yearBefore(to) }
  if (compare === 'range') {
    const i18n = messagesOf(ctx.locale)
    if (compareFrom === undefined) return invalidField('compareFrom', i18n._('Enter a day.'))
    if (compareTo === undefined) return invalidField('compareTo', i18n._('Enter a day.'))
    const chosen = rangeOf(ctx, { from: compareFrom, to: compareTo })
    if (!isFailure(chosen)) return chosen
    const { from: first, to: last } = chosen.errors ?? {}
    return { ...chosen, errors: { ...(first && { compareFrom: first }), ...(last && { compareTo: last }) } }
  }
  const [first, last] = [Date.parse(from), Date.parse(to)]
  return { from: dayOf(first - (last - first) - dayMilliseconds), to: dayOf(first - dayMilliseconds) }
}

/** Limited to 1: concurrent roll-ups may count the end of a play before its start. */
const shareOf = (some: number, plays: number) => Math.min(1, some / plays)

/** Minutes are rounded to tenths, the precision of the reports. */
const totalsOf = ({ views, plays, finishes, playedSeconds }: Sums): AnalyticsTotals => ({
  views,
  plays,
  finishes,
  playedMinutes: Math.round(playedSeconds / 6) / 10,
  finishRate: plays > 0 ? shareOf(finishes, plays) : null,
})

interface AnalyticsInput extends RangeInput {
  by: AnalyticsPeriod
}

/**
 * Returns the store's totals over a range of days, and by period; periods without events are
 * included. Fails with VALIDATION_FAILED if the range is empty, too long or too early.
 */
export const getStoreAnalytics = async (
  ctx: Ctx,
  { by, ...input }: AnalyticsInput,
): Promise<StoreAnalytics | Failure> => {
  const range = rangeOf(ctx, input)
  return isFailure(range) ? range : overTime(ctx, range, null, by)
}

const overTime = async ({ db, customer }: Ctx, range: Range, productId: ProductId | null, by: AnalyticsPeriod) => {
  const filter = { ...range, productId }
  const periods = await analyticsByPeriod(db, customer.id, filter, by)
  return {
    ...range,
    total: totalsOf(await sumAnalytics(db, customer.id, filter)),
    periods: periods.map(({ from, ...sums }) => ({ from, ...totalsOf(sums) })),
  }
}

/** Returns the analytics of each product with events, the most viewed first. */
export const listProductAnalytics = async (
  ctx: Ctx,
  { sort, page, size, ...input }: RangeInput & { sort: AnalyticsOrder; page: number; size: number },
): Promise<ProductsAnalytics | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const filter = { ...range, productId: null }
  const rows = await analyticsByProduct(ctx.db, ctx.customer.id, filter, {
    sort,
    limit: size,
    offset: (page - 1) * size,
  })
  return {
    ...range,
    total: rows[0]?.total ?? 0,
    page,
    size,
    items: rows.map(({ id, code, title, ...sums }) => ({ product: { id, code, title }, ...totalsOf(sums) })),
  }
}

/** Returns the analytics of one product in any state, by part and over time. */
export const getProductAnalytics = async (
  ctx: Ctx,
  { code, by, ...input }: AnalyticsInput & ComparisonInput & { code: ProductCode },
): Promise<ProductAnalytics | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const compared = comparedRangeOf(ctx, range, input)
  if (isFailure(compared)) return compared
  const product = await findProductByCode(ctx.db, ctx.customer.id, code)
  if (!product) return failure('NOT_FOUND')
  const parts = await analyticsByPart(ctx.db, ctx.customer.id, { ...range, productId: product.id })
  return {
    ...(await overTime(ctx, range, product.id, by)),
    before: await overTime(ctx, compared, product.id, by),
    product,
    parts: parts.map(({ part, title, ...sums }) => ({
      lesson: lessonOf(part, title),
      ...totalsOf(sums),
    })),
  }
}

const lessonOf = (part: LessonId | typeof wholeProduct, title: string | null) =>
  part === wholeProduct ? null : { id: part, title }

/**
 * Returns how far into each video of a product, in any state, plays continued. Fails with
 * NOT_FOUND, and with VALIDATION_FAILED for an invalid range.
 */
export const getProductRetention = async (
  ctx: Ctx,
  { code, ...input }: RangeInput & { code: ProductCode },
): Promise<ProductRetention | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const product = await findProductByCode(ctx.db, ctx.customer.id, code)
  if (!product) return failure('NOT_FOUND')
  const parts = await watchedRangesByPart(ctx.db, ctx.customer.id, { ...range, productId: product.id })
  return {
    ...range,
    product,
    parts: parts.map(({ part, title, durationSeconds, plays, watchedRanges }) => ({
      lesson: lessonOf(part, title),
      durationSeconds,
      plays,
      retention: watchedRanges.map((some, at) => ({
        from: at / watchedRangeCount,
        plays: some,
        share: shareOf(some, plays),
      })),
    })),
  }
}

/** The number of views and plays counted in one transaction. */
const eventsAtOnce = 5_000

/** Counts all views and plays of a tenant that are not counted yet, in several transactions. */
export const countEvents = async (pool: pg.Pool, customerId: CustomerId) => {
  while ((await withTenant(pool, customerId, (db) => rollUpEvents(db, customerId, eventsAtOnce))) > 0);
}

const longestText = 60
/** Bounds what a program can write that searches for random words. */
const textsPerDay = 500
/** An email address, or a number as long as those of phones, cards and orders. */
const mayBePersonal = /@|\d(?:[\s-]?\d){5}/

/** Counts a search that found nothing. Texts that may name a person are not stored. */
export const countMissedSearch: EventHandler<'searchMissed'> = async ({ db, customer, clock }, { words: typed }) => {
  const words = typed.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim().slice(0, longestText)
  if (words.length < 2 || mayBePersonal.test(words)) return
  const day = dayAt(clock.now(), customer.settings.base.timeZone)
  await insertMissedSearch(db, customer.id, { day, words, max: textsPerDay })
}

const searchesShown = 200

/**
 * Returns the texts that visitors searched for in vain. Fails with VALIDATION_FAILED if the range
 * is empty, too long or too early.
 */
export const listMissedSearches = async (ctx: Ctx, input: RangeInput): Promise<MissedSearches | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  return { ...range, items: await readMissedSearches(ctx.db, ctx.customer.id, { ...range, limit: searchesShown }) }
}
