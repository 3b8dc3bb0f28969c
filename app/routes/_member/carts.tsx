import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { cartSuggestionsQuery } from '~/features/catalog/products.functions'
import { ProductRail } from '~/features/catalog/ui/product-lists'
import { cartQuery } from '~/features/orders/cart/cart.functions'
import { CartPage as CartPageNow } from '~/features/orders/cart/ui/cart-page'
import { handleCartForm } from '~/features/orders/checkout/orders-form.server'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
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
  return <CartPage problem={problem} suggestions={<Suggestions />} />
}

function Suggestions() {
  const { data: products } = useQuery(cartSuggestionsQuery)
  return products && <ProductRail title={<Trans>Most watched</Trans>} shown={['most watched']} list={products} />
}

const CartPage = createIsomorphicFn()
  .server(() => inSuspense(CartPageNow))
  .client(() =>
    hydratedLater(() => withMessages(import('~/features/orders/cart/ui/cart-page')).then((part) => part.CartPage)),
  )()
