import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, lazy, Suspense } from 'react'
import { Select } from '~/ui/select'
import { Loading } from '../../ui/states'
import styles from './analytics-page.module.css'
import { NumberTable, type NumberTableProps } from './number-table'

const Chart = lazy(async () => ({ default: (await import('./chart')).Chart }))

/** A chart, whose script is loaded with the first one. A change of language draws it anew. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  const { i18n } = useLingui()
  return (
    <Suspense fallback={<Loading />}>
      <Chart key={i18n.locale} {...props} />
    </Suspense>
  )
}

interface MetricSelectProps<Metric extends string> {
  /** The figures to choose from, in their order, with their names. */
  names: Readonly<Record<Metric, string>>
  metrics: readonly Metric[]
  value: Metric
  onChange: (metric: Metric) => void
}

/** Chooses the figure that a chart draws. */
export function MetricSelect<Metric extends string>({ names, metrics, value, onChange }: MetricSelectProps<Metric>) {
  const { t } = useLingui()
  return (
    <div className={styles.metric}>
      <Select
        label={t`Figure of the chart`}
        labelHidden
        size="s"
        value={value}
        options={metrics.map((metric) => ({ value: metric, label: names[metric] }))}
        onChange={({ target }) => onChange(metrics.find((metric) => metric === target.value) ?? value)}
      />
    </div>
  )
}

/** The values of a chart as a table, closed at first. */
export function ChartNumbers<Item>(props: NumberTableProps<Item>) {
  return (
    <details className={styles.table}>
      <summary>
        <Trans>Show the numbers</Trans>
      </summary>
      <NumberTable {...props} />
    </details>
  )
}
