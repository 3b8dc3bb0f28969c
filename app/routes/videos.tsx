import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { productsSearch } from '~/features/catalog/products.search'
import { loadProducts, productsHead, redirectFormerCategory } from '~/features/catalog/products-route'
import { ProductsPage } from '~/features/catalog/ui/products-page'
import { ProductsSkeleton } from '~/features/catalog/ui/skeletons'
import { SearchBox } from '~/features/search/ui/search-box'

export const Route = createFileRoute('/videos')({
  validateSearch: productsSearch,
  beforeLoad: ({ context, search }) => redirectFormerCategory(context.queryClient, '/videos', search),
  loaderDeps: ({ search }) => productsSearch.parse(search),
  loader: ({ context, deps, location }) => loadProducts(context.queryClient, 'videos', deps, location.state.firstPage),
  head: ({ match, loaderData }) => productsHead(match.context, match.search, msg`Videos`, loaderData),
  component: () => (
    <ProductsPage list="videos" search={productsSearch.parse(Route.useSearch())} searchBox={<SearchBox large />} />
  ),
  pendingComponent: ProductsSkeleton,
})
