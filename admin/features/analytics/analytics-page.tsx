import { Trans, useLingui } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Button } from '~/ui/button'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { Columns, Page } from '../../ui/page'
import { ProductsSection, SearchesSection } from './audience-sections'
import { RangeFilters } from './range-filters'
import { SalesSection } from './sales-section'
import { SubscriptionSection } from './subscription-section'
import { TitleSection } from './title-section'

const route = getRouteApi('/analytics')

/** What the store sold, who subscribes, what is watched, and what is looked for in vain. */
export function AnalyticsPage() {
  const { t } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const seesMoney = useMay()('orders:read')
  return (
    <Page
      title={t`Analytics`}
      actions={
        seesMoney && (
          <Button icon="receipt" render={<Link to="/settlements" search={search} />}>
            <Trans>Settlements</Trans>
          </Button>
        )
      }
    >
      <RangeFilters search={search} change={change} isCompared={seesMoney} />
      {seesMoney && (
        <>
          <SalesSection search={search} />
          <TitleSection search={search} change={change} />
          <SubscriptionSection search={search} />
        </>
      )}
      <Columns aside={<SearchesSection search={search} />}>
        <ProductsSection search={search} />
      </Columns>
    </Page>
  )
}
