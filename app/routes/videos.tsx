import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { productsSearch } from '~/features/catalog/products.search'
import { productListRoute } from '~/features/catalog/products-route'
import { ProductsPage } from '~/features/catalog/ui/products-page'
import { ProductsSkeleton, SearchBox } from '~/site/layout/later-parts'

export const Route = createFileRoute('/videos')({
  ...productListRoute('videos', msg`Videos`),
  pendingComponent: ProductsSkeleton,
  component: () => (
    <ProductsPage list="videos" search={productsSearch.parse(Route.useSearch())} searchBox={<SearchBox large />} />
  ),
})
