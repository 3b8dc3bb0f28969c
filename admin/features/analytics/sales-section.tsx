import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useMemo, useState } from 'react'
import type { SalesAnalytics, SalesFigures } from '#contract/analytics.ts'
import { minorDigits } from '#contract/money.ts'
import { useFormat } from '../../platform/format'
import { Figure, Figures } from '../../ui/figure'
import { Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { periodIn, useSales } from './analytics.queries'
import type { AnalyticsSearch } from './analytics.search'
import styles from './analytics-page.module.css'
import { Change, useComparedName } from './change'
import { ChartNumbers, LazyChart, MetricSelect } from './chart-parts'
import { isMoney, type Metric, metrics, seriesOf } from './chart-series'
import { CsvButton } from './number-table'

const useMetricNames = () => {
  const { t } = useLingui()
  return {
    revenue: t`Revenue`,
    net: t`Revenue less refunds`,
    refunded: t`Refunded`,
    orders: t`Orders`,
    members: t`New members`,
  } as const satisfies Record<Metric, string>
}

type InCurrency = SalesAnalytics['range']['currencies'][number]

const totalIn = ({ currencies }: SalesAnalytics['range'], currency: string): SalesFigures | undefined =>
  currencies.find((one) => one.currency === currency)?.total

interface SalesProps {
  sales: SalesAnalytics
  own: InCurrency
  compare: AnalyticsSearch['compare']
}

function SalesFiguresOf({ sales, own, compare }: SalesProps) {
  const { t } = useLingui()
  const { money, number, percent } = useFormat()
  const { currency, total } = own
  const { begun, paid, conversion } = sales.range.checkouts
  const before = totalIn(sales.before, currency)
  const amount = (value: number) => money({ amount: value, currency })
  const change = (name: keyof SalesFigures): ReactNode => (
    <Change now={total[name]} before={before?.[name] ?? 0} compare={compare} />
  )
  return (
    <Figures label={t`Sales in ${currency}`}>
      <Figure label={t`Revenue`} value={amount(total.revenue)} change={change('revenue')} />
      <Figure label={t`Refunded`} value={amount(total.refunded)} change={change('refunded')} />
      <Figure label={t`Revenue less refunds`} value={amount(total.net)} change={change('net')} />
      <Figure label={t`Orders`} value={number(total.orders)} change={change('orders')} />
      <Figure label={t`Charges of subscriptions`} value={number(total.charges)} change={change('charges')} />
      {conversion !== null && (
        <Figure
          label={t`Checkouts paid`}
          value={percent(conversion)}
          change={
            <Trans>
              {number(paid)} of {number(begun)}
            </Trans>
          }
        />
      )}
      <Figure
        label={t`New members`}
        value={number(sales.range.members.total)}
        change={<Change now={sales.range.members.total} before={sales.before.members.total} compare={compare} />}
      />
    </Figures>
  )
}

function SalesChart({ sales, own, compare }: SalesProps) {
  const { t } = useLingui()
  const { money, number, day } = useFormat()
  const [metric, setMetric] = useState<Metric>('revenue')
  const names = useMetricNames()
  const { currency } = own
  const series = useMemo(() => seriesOf(sales, metric, currency), [sales, metric, currency])
  const unit = 10 ** minorDigits(currency)
  const valueText = (value: number) =>
    isMoney(metric) ? money({ amount: Math.round(value * unit), currency }) : number(value)
  const highest = series.values.indexOf(Math.max(...series.values))
  const name = names[metric]
  const [from, to, peak, peakDay] = [
    day(sales.range.from),
    day(sales.range.to),
    valueText(series.values[highest] ?? 0),
    day(series.points[highest] ?? sales.range.from),
  ]
  return (
    <>
      <MetricSelect names={names} metrics={metrics} value={metric} onChange={setMetric} />
      <LazyChart
        label={t`${name} from ${from} to ${to}. The highest value is ${peak} on ${peakDay}. The table below has all values.`}
        series={series}
        comparedName={useComparedName(compare)}
        valueText={valueText}
        pointText={day}
      />
    </>
  )
}

/** The periods of a range with their figures in a currency, and the members who joined. */
const periodsIn = ({ currencies, members }: SalesAnalytics['range'], currency: string) => {
  const paid = currencies.find((one) => one.currency === currency)?.periods
  const none = { orders: 0, charges: 0, revenue: 0, refunds: 0, refunded: 0, net: 0 }
  return members.periods.map(({ from, joined }, at) => ({ ...none, ...paid?.[at], from, joined }))
}

/** A period beside the one of the compared range in the same place. */
interface SalesRow {
  at: number
  own: ReturnType<typeof periodsIn>[number] | undefined
  before: ReturnType<typeof periodsIn>[number] | undefined
}

function SalesTable({ sales, own }: Omit<SalesProps, 'compare'>) {
  const { t } = useLingui()
  const { money, number, day } = useFormat()
  const { currency } = own
  const amount = (value: number) => money({ amount: value, currency })
  const [periods, earlier] = [periodsIn(sales.range, currency), periodsIn(sales.before, currency)]
  const figures = [
    { key: 'revenue', header: t`Revenue`, text: amount },
    { key: 'refunded', header: t`Refunded`, text: amount },
    { key: 'net', header: t`Revenue less refunds`, text: amount },
    { key: 'orders', header: t`Orders`, text: number },
    { key: 'charges', header: t`Charges of subscriptions`, text: number },
    { key: 'refunds', header: t`Refunds`, text: number },
    { key: 'joined', header: t`New members`, text: number },
  ] as const
  return (
    <ChartNumbers
      label={t`Sales by period`}
      items={Array.from({ length: Math.max(periods.length, earlier.length) }, (_, at) => ({
        at,
        own: periods[at],
        before: earlier[at],
      }))}
      keyOf={({ at }) => String(at)}
      columns={[
        { key: 'from', header: t`From`, cell: ({ own: period }) => (period ? day(period.from) : '–') },
        ...figures.map(({ key, header, text }) => ({
          key,
          header,
          cell: ({ own: period }: SalesRow) => (period ? text(period[key]) : '–'),
        })),
        { key: 'compared', header: t`Compared from`, cell: ({ before }) => (before ? day(before.from) : '–') },
        ...figures.map(({ key, header, text }) => ({
          key: `${key} before`,
          header: t`${header}, compared`,
          cell: ({ before }: SalesRow) => (before ? text(before[key]) : '–'),
        })),
      ]}
    />
  )
}

/** Revenue, orders, refunds and new members, in each currency in which anything was paid. */
export function SalesSection({ search }: { search: AnalyticsSearch }) {
  const { t } = useLingui()
  const sales = useSales(search)
  return (
    <Loaded query={sales}>
      {(loaded) =>
        loaded.range.currencies.map((own, place) => (
          <div key={own.currency} className={styles.part}>
            <SalesFiguresOf sales={loaded} own={own} compare={search.compare} />
            <Section
              title={place === 0 ? <Trans>Sales</Trans> : <Trans>Sales in {own.currency}</Trans>}
              actions={
                place === 0 && (
                  <CsvButton
                    search={search}
                    of="sales"
                    per={periodIn(search)}
                    isCompared
                    label={t`Save sales as a CSV file`}
                  />
                )
              }
            >
              <SalesChart sales={loaded} own={own} compare={search.compare} />
              <SalesTable sales={loaded} own={own} />
            </Section>
          </div>
        ))
      }
    </Loaded>
  )
}
