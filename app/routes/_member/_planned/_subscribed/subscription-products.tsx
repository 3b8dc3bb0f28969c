import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { toCardList } from '~/features/catalog/products.functions'
import { ProductGrid } from '~/features/catalog/ui/product-lists'
import { subscriptionProductsRoute } from '~/features/subscriptions/plan-loads'
import { subscriptionProductsSearch } from '~/features/subscriptions/plans.search'
import { SubscriptionProductsPage } from '~/features/subscriptions/ui/subscription-products-page'
import { firstPage } from '~/platform/navigation/search-schema'
import { PlanProductsPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/_planned/_subscribed/subscription-products')({
  ...subscriptionProductsRoute,
  search: { middlewares: [stripSearchParams(firstPage)] },
  pendingComponent: PlanProductsPending,
  component: () => (
    <SubscriptionProductsPage
      at="/subscription-products"
      search={subscriptionProductsSearch.parse(Route.useSearch())}
      grid={(products) => <ProductGrid covered list={toCardList(products)} />}
    />
  ),
})
