import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { ProductGrid } from '~/features/catalog/ui/product-tile'
import { subscriptionProductsSearch } from '~/features/plans/plans.search'
import { subscriptionProductsQuery } from '~/features/plans/subscription.functions'
import { PlanProductsPending } from '~/features/plans/ui/plans-pending'
import { SubscriptionProductsPage } from '~/features/plans/ui/subscription-products-page'
import { pageHead } from '~/platform/document/head'
import { firstPage } from '~/platform/navigation/search-schema'

export const Route = createFileRoute('/_member/_planned/_subscribed/subscription-products')({
  validateSearch: subscriptionProductsSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => subscriptionProductsSearch.parse(search),
  loader: async ({ context, deps }) => {
    await context.queryClient.ensureQueryData({ ...subscriptionProductsQuery(deps), revalidateIfStale: true })
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Included in your plan`, noindex: true }),
  pendingComponent: PlanProductsPending,
  component: () => (
    <SubscriptionProductsPage
      at="/subscription-products"
      search={subscriptionProductsSearch.parse(Route.useSearch())}
      grid={(products) => <ProductGrid covered products={products} />}
    />
  ),
})
