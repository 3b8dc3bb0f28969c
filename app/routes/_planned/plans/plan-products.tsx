import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { ProductGrid } from '~/features/catalog/ui/product-grid'
import { ProductRail } from '~/features/catalog/ui/product-rail'
import { loadPlanProducts } from '~/features/plans/plan-loads'
import { planShelvesQuery } from '~/features/plans/plans.queries'
import { allPlanProductsSearch, firstPage } from '~/features/plans/plans.search'
import { AllPlanProducts } from '~/features/plans/ui/all-plan-products'
import { PlanProductsPending } from '~/features/plans/ui/plan-products-pending'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/_planned/plans/plan-products')({
  validateSearch: allPlanProductsSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps: { plan, page } }) => {
    await Promise.all([
      queryClient.ensureQueryData({ ...planShelvesQuery, revalidateIfStale: true }),
      plan && loadPlanProducts(queryClient, plan, page),
    ])
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Everything with a plan` }),
  pendingComponent: PlanProductsPending,
  component: () => (
    <AllPlanProducts
      search={Route.useSearch()}
      grid={(products) => <ProductGrid products={products} />}
      rail={(title, products, action) => <ProductRail title={title} products={products} action={action} />}
    />
  ),
})
