import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { optionId, productCode } from '#contract/ids.ts'
import { loadCheckout } from '~/features/orders/checkout/checkout.functions'
import { handleCheckoutForm } from '~/features/orders/checkout/orders-form.server'
import { CheckoutPage } from '~/features/orders/checkout/ui/checkout-page'
import { pageHead } from '~/platform/document/head'
import { code, searchSchema } from '~/platform/navigation/search-schema'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { CheckoutPending } from '~/site/layout/later-parts'

/**
 * `product` and `option` buy one item directly, without the cart. `problem`: the code of a refused
 * form post.
 */
const checkoutSearch = searchSchema({ product: productCode, option: optionId, problem: code })

export const Route = createFileRoute('/_member/payments/')({
  validateSearch: checkoutSearch,
  loaderDeps: ({ search: { product, option } }) => ({ product, option }),
  loader: ({ context, deps }) => loadCheckout(context.queryClient, deps),
  head: ({ match }) => pageHead(match.context, { title: msg`Checkout`, noindex: true }),
  server: {
    middleware: [requestContextMiddleware],
    handlers: { POST: ({ request, context }) => handleCheckoutForm(request, context.requestContext) },
  },
  pendingComponent: CheckoutPending,
  component: Checkout,
})

function Checkout() {
  const search = Route.useSearch()
  const { idempotencyKey } = Route.useLoaderData()
  return <CheckoutPage idempotencyKey={idempotencyKey} {...search} />
}
