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
import { Change } from './change'
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

function SalesFiguresOf({ sales, own }: { sales: SalesAnalytics; own: InCurrency }) {
  const { t } = useLingui()
  const { money, number, percent } = useFormat()
  const { currency, total } = own
  const { begun, paid, conversion } = sales.range.checkouts
  const before = totalIn(sales.before, currency)
  const amount = (value: number) => money({ amount: value, currency })
  const change = (name: keyof SalesFigures): ReactNode => <Change now={total[name]} before={before?.[name] ?? 0} />
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
        change={<Change now={sales.range.members.total} before={sales.before.members.total} />}
      />
    </Figures>
  )
}

function SalesChart({ sales, own }: { sales: SalesAnalytics; own: InCurrency }) {
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
        valueText={valueText}
        pointText={day}
      />
    </>
  )
}

function SalesTable({ sales, own }: { sales: SalesAnalytics; own: InCurrency }) {
  const { t } = useLingui()
  const { money, number, day } = useFormat()
  const { currency, periods } = own
  const amount = (value: number) => money({ amount: value, currency })
  return (
    <ChartNumbers
      label={t`Sales by period`}
      items={periods.map((period, at) => ({ ...period, joined: sales.range.members.periods[at]?.joined ?? 0 }))}
      keyOf={({ from }) => from}
      columns={[
        { key: 'from', header: t`From`, cell: ({ from }) => day(from) },
        { key: 'revenue', header: t`Revenue`, cell: ({ revenue }) => amount(revenue) },
        { key: 'refunded', header: t`Refunded`, cell: ({ refunded }) => amount(refunded) },
        { key: 'net', header: t`Revenue less refunds`, cell: ({ net }) => amount(net) },
        { key: 'orders', header: t`Orders`, cell: ({ orders }) => number(orders) },
        { key: 'charges', header: t`Charges of subscriptions`, cell: ({ charges }) => number(charges) },
        { key: 'refunds', header: t`Refunds`, cell: ({ refunds }) => number(refunds) },
        { key: 'joined', header: t`New members`, cell: ({ joined }) => number(joined) },
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
            <SalesFiguresOf sales={loaded} own={own} />
            <Section
              title={place === 0 ? <Trans>Sales</Trans> : <Trans>Sales in {own.currency}</Trans>}
              actions={
                place === 0 && (
                  <CsvButton search={search} of="sales" per={periodIn(search)} label={t`Save sales as a CSV file`} />
                )
              }
            >
              <SalesChart sales={loaded} own={own} />
              <SalesTable sales={loaded} own={own} />
            </Section>
          </div>
        ))
      }
    </Loaded>
  )
}
