import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { AnalyticsPeriod } from '#contract/analytics.ts'
import { Chip } from '~/ui/chip'
import { Select } from '~/ui/select'
import { useSettings } from '../../platform/settings'
import { DayField, Filters } from '../../ui/filters'
import { comparisonIn, daysIn, periodIn } from './analytics.queries'
import {
  type AnalyticsSearch,
  comparisons,
  dayAfter,
  dayCounts,
  dayMilliseconds,
  longestRange,
} from './analytics.search'
import styles from './analytics-page.module.css'

const periods = ['day', 'week', 'month'] as const satisfies readonly AnalyticsPeriod[]

interface RangeFiltersProps {
  search: AnalyticsSearch
  /** What the period of days, weeks or months is of. */
  periodLabel?: string
  /** Whether the page compares the range with another one. */
  isCompared?: boolean
  change: (part: Partial<AnalyticsSearch>) => void
}

interface ComparisonFieldsProps extends Pick<RangeFiltersProps, 'search' | 'change'> {
  /** The days of the range. */
  shown: { from: string; to: string }
}

/** With what the range is compared: the one before it, the year before, or chosen days. */
function ComparisonFields({ search, shown, change }: ComparisonFieldsProps) {
  const { t } = useLingui()
  const { compare = 'before', compareFrom, compareTo } = search
  const names = {
    before: t`The previous period`,
    year: t`A year before`,
    range: t`Chosen days`,
  } as const satisfies Record<(typeof comparisons)[number], string>
  const choose = (chosen: (typeof comparisons)[number] | undefined) => {
    const length = (Date.parse(shown.to) - Date.parse(shown.from)) / dayMilliseconds + 1
    change({
      compare: chosen === 'before' ? undefined : chosen,
      compareFrom: chosen === 'range' ? dayAfter(shown.from, -length) : undefined,
      compareTo: chosen === 'range' ? dayAfter(shown.from, -1) : undefined,
    })
  }
  return (
    <>
      <Select
        label={t`Compare with`}
        value={compare}
        options={comparisons.map((value) => ({ value, label: names[value] }))}
        onChange={({ target }) => choose(comparisons.find((one) => one === target.value))}
      />
      {compare === 'range' && compareFrom && compareTo && (
        <>
          <DayField
            label={t`Compared from`}
            value={compareFrom}
            min={longestRange.until(compareTo)}
            max={compareTo}
            // A day that is typed is not one yet.
            onChange={(day) => day && change({ compareFrom: day })}
          />
          <DayField
            label={t`Compared to`}
            value={compareTo}
            min={compareFrom}
            max={longestRange.from(compareFrom)}
            onChange={(day) => day && change({ compareTo: day })}
          />
        </>
      )}
    </>
  )
}

/** The range of days that a page of analytics covers, and the periods of its charts. */
export function RangeFilters({ search, periodLabel, isCompared = false, change }: RangeFiltersProps) {
  const { t } = useLingui()
  const names = {
    1: t`Today`,
    7: t`7 days`,
    30: t`30 days`,
    90: t`90 days`,
    365: t`365 days`,
  } as const satisfies Record<(typeof dayCounts)[number], string>
  const periodNames = { day: t`By day`, week: t`By week`, month: t`By month` } as const
  const { timeZone } = useSettings().base
  // In the form of a date field: 2026-11-21.
  const shown = daysIn(search, new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date()))
  const isOwnRange = search.from !== undefined || search.to !== undefined
  return (
    <>
      <nav className={styles.ranges} aria-label={t`Range`}>
        {dayCounts.map((days) => (
          <Chip
            key={days}
            selected={!isOwnRange && days === (search.days ?? '30')}
            render={<Link to="." search={{ ...comparisonIn(search), days }} />}
          >
            {names[days]}
          </Chip>
        ))}
      </nav>
      <Filters>
        <DayField
          label={t`From`}
          value={shown.from}
          min={longestRange.until(shown.to)}
          max={shown.to}
          onChange={(from) => change({ from, days: undefined, by: undefined })}
        />
        <DayField
          label={t`To`}
          value={shown.to}
          min={shown.from}
          max={longestRange.from(shown.from)}
          onChange={(to) => change({ from: shown.from, to, days: undefined, by: undefined })}
        />
        <Select
          label={periodLabel ?? t`Chart`}
          value={periodIn(search)}
          options={periods.map((value) => ({ value, label: periodNames[value] }))}
          onChange={({ target }) => change({ by: periods.find((one) => one === target.value) })}
        />
        {isCompared && <ComparisonFields search={search} shown={shown} change={change} />}
      </Filters>
    </>
  )
}
