import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { paidProductsQuery, paidProductsSearch } from '~/features/identity/account/account.functions'
import { PaidProducts } from '~/features/identity/account/ui/paid-products'
import { pageHead } from '~/platform/document/head'
import { firstPage } from '~/platform/navigation/search-schema'
import { AccountPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/paid-products')({
  validateSearch: paidProductsSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => paidProductsSearch.parse(search),
  loader: async ({ context, deps }) => {
    await context.queryClient.ensureQueryData({ ...paidProductsQuery(deps), revalidateIfStale: true })
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Purchases`, noindex: true }),
  pendingComponent: AccountPending,
  component: () => <PaidProducts search={paidProductsSearch.parse(Route.useSearch())} />,
})
