import { useLingui } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { AnalyticsPeriod } from '#contract/analytics.ts'
import { Chip } from '~/ui/chip'
import { Select } from '~/ui/select'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DayField, Filters } from '../../ui/filters'
import { Columns, Page } from '../../ui/page'
import { periodIn } from './analytics.queries'
import { type AnalyticsSearch, dayCounts } from './analytics.search'
import styles from './analytics-page.module.css'
import { ProductsSection, SearchesSection } from './audience-sections'
import { SalesSection } from './sales-section'
import { SubscriptionSection } from './subscription-section'

const route = getRouteApi('/analytics')

const periods = ['day', 'week', 'month'] as const satisfies readonly AnalyticsPeriod[]

function RangeFilters({ search }: { search: AnalyticsSearch }) {
  const { t } = useLingui()
  const change = useSearchChange(route.useNavigate())
  const names = {
    1: t`Today`,
    7: t`7 days`,
    30: t`30 days`,
    90: t`90 days`,
    365: t`365 days`,
  } as const satisfies Record<(typeof dayCounts)[number], string>
  const periodNames = { day: t`By day`, week: t`By week`, month: t`By month` } as const
  const isOwnRange = search.from !== undefined || search.to !== undefined
  return (
    <>
      <nav className={styles.ranges} aria-label={t`Range`}>
        {dayCounts.map((days) => (
          <Chip
            key={days}
            selected={!isOwnRange && days === (search.days ?? '30')}
            render={<Link to="/analytics" search={{ days }} />}
          >
            {names[days]}
          </Chip>
        ))}
      </nav>
      <Filters>
        <DayField
          label={t`From`}
          value={search.from}
          onChange={(from) => change({ from, days: undefined, by: undefined })}
        />
        <DayField label={t`To`} value={search.to} onChange={(to) => change({ to, days: undefined, by: undefined })} />
        <Select
          label={t`Chart`}
          value={periodIn(search)}
          options={periods.map((value) => ({ value, label: periodNames[value] }))}
          onChange={({ target }) => change({ by: periods.find((one) => one === target.value) })}
        />
      </Filters>
    </>
  )
}

/** What the store sold, who subscribes, what is watched, and what is looked for in vain. */
export function AnalyticsPage() {
  const { t } = useLingui()
  const search = route.useSearch()
  const seesMoney = useMay()('orders:read')
  return (
    <Page title={t`Analytics`}>
      <RangeFilters search={search} />
      {seesMoney && (
        <>
          <SalesSection search={search} />
          <SubscriptionSection search={search} />
        </>
      )}
      <Columns aside={<SearchesSection search={search} />}>
        <ProductsSection search={search} />
      </Columns>
    </Page>
  )
}
