import { msg } from '@lingui/core/macro'
import { createFileRoute, isNotFound, redirect, stripSearchParams } from '@tanstack/react-router'
import { toCardList } from '~/features/catalog/products.functions'
import { ProductGrid, ProductRail } from '~/features/catalog/ui/product-lists'
import { loadPlanProducts } from '~/features/subscriptions/plan-loads'
import { planSectionsQuery } from '~/features/subscriptions/plans.functions'
import { allPlanProductsSearch } from '~/features/subscriptions/plans.search'
import { AllPlanProducts } from '~/features/subscriptions/ui/all-plan-products'
import { pageHead } from '~/platform/document/head'
import { firstPage, isPastLastPage } from '~/platform/navigation/search-schema'
import { PlanProductsPending } from '~/site/layout/later-parts'

const toAllPlans = (error: unknown) => {
  throw isNotFound(error) ? redirect({ to: '/plans/plan-products' }) : error
}

export const Route = createFileRoute('/_planned/plans/plan-products')({
  validateSearch: allPlanProductsSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => allPlanProductsSearch.parse(search),
  loader: async ({ context: { queryClient }, deps: { plan, page } }) => {
    const [, narrowed] = await Promise.all([
      queryClient.ensureQueryData({ ...planSectionsQuery, revalidateIfStale: true }),
      // A missing plan is ignored.
      plan && loadPlanProducts(queryClient, plan, page).catch(toAllPlans),
    ])
    return { pastLastPage: narrowed ? isPastLastPage(page, narrowed.products) : false }
  },
  head: ({ match, loaderData }) =>
    pageHead(match.context, { title: msg`All plan titles`, noindex: loaderData?.pastLastPage }),
  pendingComponent: PlanProductsPending,
  component: () => (
    <AllPlanProducts
      search={allPlanProductsSearch.parse(Route.useSearch())}
      grid={(products) => <ProductGrid list={toCardList(products)} />}
      rail={(title, products, action) => <ProductRail title={title} list={toCardList(products)} action={action} />}
    />
  ),
})
