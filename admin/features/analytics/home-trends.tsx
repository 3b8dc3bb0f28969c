import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../platform/format'
import { useSettings } from '../../platform/settings'
import { Figure, Figures } from '../../ui/figure'
import { salesQuery, useAnalyticsApi } from './analytics.queries'
import { isMoney, type Metric, seriesOf } from './chart-series'
import styles from './home-trends.module.css'

const days = 28
const [width, height] = [120, 32]

/** The course of a figure from left to right. Its text says the same. */
function TrendLine({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values)
  const lowest = Math.min(0, ...values)
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * width
    const y = height - ((value - lowest) / (highest - lowest)) * height
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      className={styles.line}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}

/** Revenue, orders and new members of the last four weeks, each with its course by day. */
export function HomeTrends() {
  const { t } = useLingui()
  const { money, number, change, day } = useFormat()
  const { currency } = useSettings().base
  const sales = useQuery({ ...salesQuery(useAnalyticsApi(), { days, by: 'day' }), staleTime: 300_000 })
  // Today's figures are shown without it.
  if (!sales.data) return null
  const { range, before } = sales.data
  const totalOf = (metric: Metric, { currencies, members }: typeof range) => {
    if (metric === 'members') return members.total
    return currencies.find((one) => one.currency === currency)?.total[metric] ?? 0
  }
  const labels = { revenue: t`Revenue`, orders: t`Orders`, members: t`New members` } as const
  return (
    <Figures label={t`Last 28 days`}>
      {(['revenue', 'orders', 'members'] as const).map((metric) => {
        const [now, earlier] = [totalOf(metric, range), totalOf(metric, before)]
        const text = (amount: number) => (isMoney(metric) ? money({ amount, currency }) : number(amount))
        const { points, values } = seriesOf(sales.data, metric, currency)
        const total = text(now)
        const [first, last] = [day(points[0] ?? range.from), day(points.at(-1) ?? range.to)]
        const label = labels[metric]
        return (
          <Figure
            key={metric}
            label={t`${label} of the last 28 days`}
            value={total}
            change={
              <>
                <TrendLine values={values} label={t`${label} by day, ${first} to ${last}: ${total} in all`} />
                {earlier > 0 ? (
                  <Trans>{change(now / earlier - 1)} on the 28 days before</Trans>
                ) : (
                  <Trans>None in the 28 days before</Trans>
                )}
              </>
            }
          />
        )
      })}
    </Figures>
  )
}
