import { useLingui } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { Columns, Page } from '../../ui/page'
import { ProductsSection, SearchesSection } from './audience-sections'
import { RangeFilters } from './range-filters'
import { SalesSection } from './sales-section'
import { SubscriptionSection } from './subscription-section'

const route = getRouteApi('/analytics')

/** What the store sold, who subscribes, what is watched, and what is looked for in vain. */
export function AnalyticsPage() {
  const { t } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const seesMoney = useMay()('orders:read')
  return (
    <Page title={t`Analytics`}>
      <RangeFilters search={search} change={change} />
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
