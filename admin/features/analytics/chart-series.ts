import type { SalesAnalytics } from '#contract/analytics.ts'
import { minorDigits } from '#contract/money.ts'

export const metrics = ['revenue', 'net', 'refunded', 'orders', 'members'] as const
export type Metric = (typeof metrics)[number]

export interface ChartSeries {
  /** What the values belong to, from left to right: the first days of periods, or times. */
  points: string[]
  values: number[]
  /** The values of the compared range, in the same order. Null where there is no such range. */
  before: (number | null)[] | null
  /** The first days of the periods before, in the same order. */
  beforePoints?: readonly (string | undefined)[]
}

export const isMoney = (metric: Metric): metric is 'revenue' | 'net' | 'refunded' =>
  metric === 'revenue' || metric === 'net' || metric === 'refunded'

/** The course of one figure in a range and in the compared range. Money is in major units. */
export const seriesOf = ({ range, before }: SalesAnalytics, metric: Metric, currency: string): ChartSeries => {
  const unit = isMoney(metric) ? 10 ** minorDigits(currency) : 1
  const valuesIn = ({ currencies, members }: SalesAnalytics['range']) =>
    metric === 'members'
      ? members.periods.map(({ joined }) => joined)
      : (currencies.find((one) => one.currency === currency)?.periods ?? []).map((period) => period[metric] / unit)
  const days = range.members.periods.map(({ from }) => from)
  const earlier = valuesIn(before)
  const own = valuesIn(range)
  return {
    points: days,
    values: days.map((_, at) => own[at] ?? 0),
    before: days.map((_, at) => earlier[at] ?? null),
    beforePoints: days.map((_, at) => before.members.periods[at]?.from),
  }
}
