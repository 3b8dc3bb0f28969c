import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { likedProductsQuery, likedProductsSearch } from '~/features/identity/account/account.functions'
import { LikedProducts } from '~/features/identity/account/ui/liked-products'
import { pageHead } from '~/platform/document/head'
import { firstPage } from '~/platform/navigation/search-schema'
import { AccountPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/liked-products')({
  validateSearch: likedProductsSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => likedProductsSearch.parse(search),
  loader: async ({ context, deps }) => {
    await context.queryClient.ensureQueryData({ ...likedProductsQuery(deps), revalidateIfStale: true })
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Wish list`, noindex: true }),
  pendingComponent: AccountPending,
  component: () => <LikedProducts search={likedProductsSearch.parse(Route.useSearch())} />,
})
