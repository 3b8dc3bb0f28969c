import { countSubscriptions, type SubscriptionCounts } from '#api/modules/subscriptions/store-subscriptions.queries.ts'
import { dayAfter, dayMilliseconds, startOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, isFailure } from '#api/platform/context.ts'
import type {
  AnalyticsPeriod,
  Checkouts,
  SalesAnalytics,
  SalesFigures,
  SalesRange,
  Settlements,
  SubscriptionAnalytics,
  SubscriptionFigures,
  TitleRevenue,
  TitleRevenueSort,
} from '#contract/analytics.ts'
import { type PlanId, planCode } from '#contract/ids.ts'
import { type ComparisonInput, comparedRangeOf, type Range, type RangeInput, rangeOf } from './analytics.ts'
import {
  type CheckoutRange,
  countCheckouts,
  countJoined,
  joinedByPeriod,
  type MoneySums,
  moneyByPeriod,
  revenueByTitle,
  type SettlementRow,
  settledByPeriod,
  sumMoney,
  type TimeRange,
} from './sales.queries.ts'

const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)

type StoreCtx = Pick<Ctx, 'db' | 'customer'>

/** The figures of a time in which no money moved. */
export const noSales: SalesFigures = { orders: 0, charges: 0, revenue: 0, refunds: 0, refunded: 0, net: 0 }

const figuresOf = ({ orders, charges, revenue, refunds, refunded }: MoneySums): SalesFigures => ({
  orders,
  charges,
  revenue,
  refunds,
  refunded,
  net: revenue - refunded,
})

const addFigures = (sum: SalesFigures, figures: SalesFigures): SalesFigures => ({
  orders: sum.orders + figures.orders,
  charges: sum.charges + figures.charges,
  revenue: sum.revenue + figures.revenue,
  refunds: sum.refunds + figures.refunds,
  refunded: sum.refunded + figures.refunded,
  net: sum.net + figures.net,
})

/** Returns the sales in the store's currency, and the new members, of a part of time. */
export const salesBetween = async ({ db, customer }: StoreCtx, range: TimeRange) => {
  const sums = await sumMoney(db, customer.id, range)
  const own = sums.find(({ currency }) => currency === customer.settings.base.currency)
  return { ...(own ? figuresOf(own) : noSales), members: await countJoined(db, customer.id, range) }
}

const checkoutsBetween = async ({ db, customer }: StoreCtx, range: CheckoutRange): Promise<Checkouts> => {
  const { begun, paid } = await countCheckouts(db, customer.id, range)
  return { begun, paid, conversion: shareOf(paid, begun) }
}

/** Fewer orders say nothing about a share. */
const minCheckouts = 20
/** A share below this part of the usual one has fallen. */
const fallenPart = 0.75

/**
 * Returns the share of the orders of the last seven days that were paid and that of the four weeks
 * before, if it has fallen so far that staff should look for the cause. Otherwise null. Orders
 * whose deposit is awaited do not count.
 */
export const lowConversion = async (ctx: StoreCtx & Pick<Ctx, 'clock'>) => {
  const until = ctx.clock.now()
  const since = new Date(until.getTime() - 7 * dayMilliseconds)
  // A transfer takes days, so that of the latest orders more still wait.
  const share = (range: TimeRange) => checkoutsBetween(ctx, { ...range, isDecided: true })
  const now = await share({ since, until })
  const usual = await share({ since: new Date(since.getTime() - 28 * dayMilliseconds), until: since })
  if (Math.min(now.begun, usual.begun) < minCheckouts) return null
  if (now.conversion === null || usual.conversion === null) return null
  return now.conversion < usual.conversion * fallenPart ? { now: now.conversion, usual: usual.conversion } : null
}

const timesOf = ({ from, to }: Range, timeZone: string): TimeRange => ({
  since: startOfDay(from, timeZone),
  until: startOfDay(dayAfter(to), timeZone),
})

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Returns the first days of all periods of a range. Weeks begin on Monday. */
const periodsOf = ({ from, to }: Range, by: AnalyticsPeriod): string[] => {
  const first = new Date(`${from}T00:00:00Z`)
  if (by === 'week') first.setUTCDate(first.getUTCDate() - ((first.getUTCDay() + 6) % 7))
  if (by === 'month') first.setUTCDate(1)
  const days: string[] = []
  for (const day = first; dayOf(day) <= to; ) {
    days.push(dayOf(day))
    if (by === 'month') day.setUTCMonth(day.getUTCMonth() + 1)
    else day.setUTCDate(day.getUTCDate() + (by === 'week' ? 7 : 1))
  }
  return days
}

/** The rows of each currency: those of the store's own come first, also if there are none. */
const inCurrencies = <Row extends { currency: string }>(rows: readonly Row[], own: string) => {
  const groups = Map.groupBy(rows, ({ currency }) => currency)
  const others = [...groups.keys()].filter((currency) => currency !== own)
  return [own, ...others.sort()].map((currency) => ({ currency, rows: groups.get(currency) ?? [] }))
}

const salesOf = async ({ db, customer }: StoreCtx, range: Range, by: AnalyticsPeriod): Promise<SalesRange> => {
  const { timeZone, currency: own } = customer.settings.base
  const times = timesOf(range, timeZone)
  const firstDays = periodsOf(range, by)
  const parts = { ...times, period: by, timeZone }
  const money = await moneyByPeriod(db, customer.id, parts)
  const joined = await joinedByPeriod(db, customer.id, parts)
  return {
    ...range,
    currencies: inCurrencies(money, own).map(({ currency, rows }) => {
      const byDay = new Map(rows.map((row) => [row.from, row]))
      return {
        currency,
        total: rows.map(figuresOf).reduce(addFigures, noSales),
        periods: firstDays.map((from) => {
          const row = byDay.get(from)
          return { from, ...(row ? figuresOf(row) : noSales) }
        }),
      }
    }),
    checkouts: await checkoutsBetween({ db, customer }, times),
    members: {
      total: joined.reduce((sum, row) => sum + row.joined, 0),
      periods: firstDays.map((from) => ({ from, joined: joined.find((row) => row.from === from)?.joined ?? 0 })),
    },
  }
}

/**
 * Returns what was sold and refunded in a range of days of the store's time zone, who joined, and
 * the same of the range that it is compared with. Amounts are in minor units. Fails with
 * VALIDATION_FAILED if a range is empty, too long or too early.
 */
export const getSales = async (
  ctx: Ctx,
  { by, ...input }: RangeInput & ComparisonInput & { by: AnalyticsPeriod },
): Promise<SalesAnalytics | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const compared = comparedRangeOf(ctx, range, input)
  if (isFailure(compared)) return compared
  return { range: await salesOf(ctx, range, by), before: await salesOf(ctx, compared, by) }
}

const settledOf = (rows: readonly SettlementRow[]) => {
  const sum = (name: 'payments' | 'paid' | 'refunds' | 'refunded') => rows.reduce((total, row) => total + row[name], 0)
  const [paid, refunded] = [sum('paid'), sum('refunded')]
  return { payments: sum('payments'), paid, refunds: sum('refunds'), refunded, net: paid - refunded }
}

/**
 * Returns what was paid and refunded in a range of days of the store's time zone, by provider, way
 * of payment and period. The sums are those of `getSales`. Amounts are in minor units. Fails with
 * VALIDATION_FAILED if the range is empty, too long or too early.
 */
export const getSettlements = async (
  ctx: Ctx,
  { by, ...input }: RangeInput & { by: AnalyticsPeriod },
): Promise<Settlements | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const { timeZone, currency: own } = ctx.customer.settings.base
  const settled = await settledByPeriod(ctx.db, ctx.customer.id, { ...timesOf(range, timeZone), period: by, timeZone })
  return {
    ...range,
    currencies: inCurrencies(settled, own).map(({ currency, rows }) => {
      const byMethod = Map.groupBy(rows, ({ provider, method }) => `${provider} ${method}`)
      return {
        currency,
        total: settledOf(rows),
        methods: [...byMethod.values()].flatMap((group) =>
          group.slice(0, 1).map(({ provider, method }) => ({ provider, method, ...settledOf(group) })),
        ),
        periods: rows.map((row) => ({ ...row, net: row.paid - row.refunded })),
      }
    }),
  }
}

/**
 * Returns a page of what was paid and refunded for each product and plan, and the same of the
 * compared range. The sums are those of `getSales`. Amounts are in minor units. Fails with
 * VALIDATION_FAILED if the range is empty, too long or too early.
 */
export const listTitleRevenue = async (
  ctx: Ctx,
  { sort, page, size, ...input }: RangeInput & ComparisonInput & { sort: TitleRevenueSort; page: number; size: number },
): Promise<TitleRevenue | Failure> => {
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const compared = comparedRangeOf(ctx, range, input)
  if (isFailure(compared)) return compared
  const timesIn = (days: Range) => timesOf(days, ctx.customer.settings.base.timeZone)
  const times = { ...timesIn(range), before: timesIn(compared) }
  const rows = await revenueByTitle(ctx.db, ctx.customer.id, { ...times, sort, page, size })
  return {
    ...range,
    items: rows.map(({ salesBefore, paidBefore, refundedBefore, total: _, ...row }) => ({
      ...row,
      net: row.paid - row.refunded,
      before: { sales: salesBefore, paid: paidBefore, refunded: refundedBefore, net: paidBefore - refundedBefore },
    })),
    total: rows[0]?.total ?? 0,
    page,
    size,
  }
}

/**
 * Returns a range of days as times of the store. Fails with VALIDATION_FAILED if it is empty, too
 * long or too early.
 */
export const movementTimes = (
  ctx: Pick<Ctx, 'customer' | 'clock' | 'locale'>,
  input: RangeInput,
): TimeRange | Failure => {
  const range = rangeOf(ctx, input)
  return isFailure(range) ? range : timesOf(range, ctx.customer.settings.base.timeZone)
}

const countNames = [
  ...(['active', 'paused', 'trialing', 'started', 'ended', 'paying', 'lost'] as const),
  ...(['trialsStarted', 'trialsEnded', 'trialsConverted'] as const),
]

/** Adds up plans, or the currencies of one. */
const subscriptionFigures = (rows: readonly SubscriptionCounts[], own: string): SubscriptionFigures => {
  const sums = Object.fromEntries(
    countNames.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as Record<(typeof countNames)[number], number>
  const { active, paused, trialing, started, ended, paying, lost, trialsStarted, trialsEnded, trialsConverted } = sums
  const currencies = [...new Set([own, ...rows.map(({ currency }) => currency)])]
  return {
    active,
    paused,
    trialing,
    started,
    ended,
    churn: shareOf(lost, paying),
    trialsStarted,
    trialConversion: shareOf(trialsConverted, trialsEnded),
    monthlyRevenue: currencies.map((currency) => ({
      currency,
      amount: Math.round(rows.reduce((sum, row) => sum + (row.currency === currency ? row.monthly : 0), 0)),
    })),
  }
}

/**
 * Returns the store's subscriptions over a range, as a whole and by plan, and those of the range
 * that it is compared with. Fails with VALIDATION_FAILED if one is empty, too long or too early.
 */
export const getSubscriptionAnalytics = async (
  ctx: Ctx,
  input: RangeInput & ComparisonInput,
): Promise<SubscriptionAnalytics | Failure> => {
  const { db, customer, clock } = ctx
  const range = rangeOf(ctx, input)
  if (isFailure(range)) return range
  const compared = comparedRangeOf(ctx, range, input)
  if (isFailure(compared)) return compared
  const { timeZone, currency } = customer.settings.base
  const countIn = (days: Range) => {
    const { since, until } = timesOf(days, timeZone)
    // A trial that ends tomorrow is one now. What happened in this millisecond counts.
    const end = Math.max(since.getTime(), Math.min(until.getTime(), clock.now().getTime() + 1))
    return countSubscriptions(db, customer.id, { since, until: new Date(end) })
  }
  const [rows, before] = [await countIn(range), await countIn(compared)]
  const planBefore = (id: PlanId) => before.filter(({ planId }) => planId === id)
  return {
    ...range,
    total: subscriptionFigures(rows, currency),
    before: subscriptionFigures(before, currency),
    plans: [...Map.groupBy(rows, ({ planId }) => planId)].map(([id, [first, ...others]]) => ({
      plan: { id, code: planCode.parse(first?.code), name: first?.name ?? '' },
      ...subscriptionFigures(first ? [first, ...others] : [], first?.currency ?? currency),
      before: subscriptionFigures(planBefore(id), first?.currency ?? currency),
    })),
  }
}
