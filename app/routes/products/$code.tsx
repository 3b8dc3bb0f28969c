import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute, useRouterState } from '@tanstack/react-router'
import { loadProduct, productHead } from '~/features/catalog/product/product-route'
import { ProductGone, ProductPage } from '~/features/catalog/product/ui/product-page'
import { ProductSkeleton } from '~/features/catalog/product/ui/product-skeleton'
import { ProductRail } from '~/features/catalog/ui/product-rail'
import { CommentSection } from '~/features/engagement/ui/comment-section'
import { ProductPrice } from '~/parts/product-price'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/products/$code')({
  staticData: { content: true },
  loader: ({ context, params }) => loadProduct(context.queryClient, params.code),
  head: ({ match, loaderData }) => {
    if (loaderData) return productHead(match.context, loaderData)
    return loaderData === null ? pageHead(match.context, { title: msg`No longer available`, noindex: true }) : {}
  },
  component: Product,
  pendingComponent: ProductPending,
})

function ProductPending() {
  const { code } = Route.useParams()
  const tile = useRouterState({ select: ({ location }) => location.state.tile })
  if (tile?.code !== code) return <ProductSkeleton />
  return <ProductSkeleton tile={tile} price={<ProductPrice product={tile} />} />
}

function Product() {
  const { code } = Route.useParams()
  if (Route.useLoaderData() === null) return <ProductGone />
  return (
    <ProductPage
      code={code}
      comments={(product) => <CommentSection key={product.id} product={product} />}
      related={(product) => <ProductRail title={<Trans>You may also like</Trans>} products={product.related} />}
    />
  )
}
