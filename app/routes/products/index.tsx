import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { productsSearch } from '~/features/catalog/products.search'
import { productListRoute } from '~/features/catalog/products-route'
import { ProductsPage } from '~/features/catalog/ui/products-page'
import { ProductsSkeleton, SearchBox } from '~/site/layout/later-parts'

export const Route = createFileRoute('/products/')({
  ...productListRoute('products', msg`All products`),
  pendingComponent: ProductsSkeleton,
  component: () => (
    <ProductsPage list="products" search={productsSearch.parse(Route.useSearch())} searchBox={<SearchBox large />} />
  ),
})
