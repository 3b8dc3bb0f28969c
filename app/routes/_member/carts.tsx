import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { toCardList } from '~/features/catalog/products.functions'
import { ProductRail } from '~/features/catalog/ui/product-lists'
import { cartQuery, cartSuggestionsQuery } from '~/features/orders/cart/cart.functions'
import { CartPage } from '~/features/orders/cart/ui/cart-page'
import { handleCartForm } from '~/features/orders/checkout/orders-form.server'
import { pageHead } from '~/platform/document/head'
import { code, searchSchema } from '~/platform/navigation/search-schema'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { CartPending } from '~/site/layout/later-parts'

/** `problem`: the error code of a form post without JavaScript. */
const cartSearch = searchSchema({ problem: code })

export const Route = createFileRoute('/_member/carts')({
  validateSearch: cartSearch,
  loader: async ({ context: { queryClient } }) => {
    // Cached prices may be outdated.
    const cart = await queryClient.fetchQuery({ ...cartQuery, staleTime: 0 })
    if (cart.items.length === 0) await queryClient.ensureQueryData(cartSuggestionsQuery).catch(() => undefined)
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Your cart`, noindex: true }),
  server: {
    middleware: [requestContextMiddleware],
    handlers: { POST: ({ request, context }) => handleCartForm(request, context.requestContext) },
  },
  pendingComponent: CartPending,
  component: Cart,
})

function Cart() {
  const { problem } = Route.useSearch()
  return (
    <CartPage
      problem={problem}
      suggestions={(products) => <ProductRail title={<Trans>Most watched</Trans>} list={toCardList(products)} />}
    />
  )
}
