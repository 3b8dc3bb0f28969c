import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { StoreProduct } from '#contract/admin/products.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page } from '../../ui/page'
import { StatusBadge } from '../../ui/status'
import { OptionForm } from './option-form'
import { PosterSection } from './poster-section'
import { ProductForm } from './product-form'
import { productStatuses } from './product-labels'
import { productQuery } from './products.queries'
import { VideoSection } from './video-section'

const route = getRouteApi('/products/$code')

/** A form begins anew where its own fields have changed. The other one keeps what is typed. */
const detailsOf = ({ title, kind, access, status, summary, description, ...rest }: StoreProduct) =>
  JSON.stringify([title, kind, access, status, summary, description, rest.ageRating, rest.tags, rest.categoryIds])

function ProductDetail({ product }: { product: StoreProduct }) {
  const may = useMay()
  const queryClient = useQueryClient()
  const { code, title, status, ready } = product
  const onReady = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: ['product', code] }),
    [queryClient, code],
  )
  return (
    <Page
      title={title}
      badge={<StatusBadge status={productStatuses[status]} />}
      actions={
        status === 'ON_SALE' &&
        ready && (
          // The storefront is another program.
          <Button iconEnd="external" render={<a href={`/products/${code}`} />}>
            <Trans>View in the store</Trans>
          </Button>
        )
      }
    >
      {status === 'ON_SALE' && !ready && (
        <Notice tone="warning">
          <Trans>Visitors do not see it yet, because there is nothing to watch or download.</Trans>
        </Notice>
      )}
      <Columns
        aside={
          <>
            {may('videos:read') && <VideoSection product={product} onReady={onReady} />}
            <PosterSection product={product} />
            <History entries={product.history} />
          </>
        }
      >
        <ProductForm key={detailsOf(product)} product={product} />
        <OptionForm key={JSON.stringify(product.options)} product={product} />
      </Columns>
    </Page>
  )
}

/** A product with its texts, prices, video and poster. */
export function ProductPage() {
  const { t } = useLingui()
  const { code } = route.useParams()
  const product = useQuery(productQuery(useAdminApi(), code))
  return (
    <LoadedPage title={t`Product`} query={product}>
      {(data) => <ProductDetail product={data} />}
    </LoadedPage>
  )
}
