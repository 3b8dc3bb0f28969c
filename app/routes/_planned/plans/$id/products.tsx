import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { toCardList } from '~/features/catalog/products.functions'
import { ProductGrid } from '~/features/catalog/ui/product-lists'
import { loadPlanProducts } from '~/features/subscriptions/plan-loads'
import { planProductsSearch } from '~/features/subscriptions/plans.search'
import { PlanProductsPage } from '~/features/subscriptions/ui/plan-products-page'
import { pageHead } from '~/platform/document/head'
import { firstPage, isPastLastPage } from '~/platform/navigation/search-schema'
import { PlanProductsPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_planned/plans/$id/products')({
  staticData: { content: true },
  validateSearch: planProductsSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => planProductsSearch.parse(search),
  loader: async ({ context: { queryClient }, params, deps: { page } }) => {
    const { plan, products } = await loadPlanProducts(queryClient, params.id, page)
    return {
      name: plan.name,
      summary: plan.summary,
      canonicalParams: { id: plan.code },
      pastLastPage: isPastLastPage(page, products),
    }
  },
  head: ({ match, loaderData }) =>
    pageHead(match.context, {
      title: loaderData ? match.context.i18n._(msg`Titles in ${loaderData.name}`) : msg`Plans`,
      description: loaderData?.summary,
      noindex: loaderData?.pastLastPage,
    }),
  pendingComponent: PlanProductsPending,
  component: () => (
    <PlanProductsPage
      planKey={Route.useParams().id}
      page={Route.useSearch().page}
      grid={(products) => <ProductGrid list={toCardList(products)} />}
    />
  ),
})
