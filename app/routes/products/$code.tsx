import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { loadProduct, productHead } from '~/features/catalog/product/product-route'
import { ProductGone, ProductPage } from '~/features/catalog/product/ui/product-page'
import { ProductRail } from '~/features/catalog/ui/product-lists'
import { CommentSection as CommentSectionNow } from '~/features/engagement/ui/comment-section'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { ProductSkeleton } from '~/site/layout/later-parts'

export const Route = createFileRoute('/products/$code')({
  staticData: { content: true },
  loader: ({ context, params }) => loadProduct(context.queryClient, params.code),
  head: ({ match, loaderData, params }) => {
    if (loaderData) return productHead(match.context, params.code)
    return loaderData === null ? pageHead(match.context, { title: msg`No longer available`, noindex: true }) : {}
  },
  component: Product,
  pendingComponent: ProductPending,
  // It has what the pressed card shows, in the same places.
  pendingMinMs: 0,
})

function ProductPending() {
  return <ProductSkeleton code={Route.useParams().code} />
}

function Product() {
  const { code } = Route.useParams()
  if (Route.useLoaderData() === null) return <ProductGone />
  return (
    <ProductPage
      code={code}
      comments={(product) => <CommentSection key={product.id} product={product} />}
      related={(list) => <ProductRail title={<Trans>You may also like</Trans>} list={list} />}
    />
  )
}

const CommentSection = createIsomorphicFn()
  .server(() => inSuspense(CommentSectionNow))
  .client(() =>
    hydratedLater(() =>
      withMessages(import('~/features/engagement/ui/comment-section')).then((part) => part.CommentSection),
    ),
  )()
