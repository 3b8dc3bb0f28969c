import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { checkoutSearch } from '~/features/checkout/checkout.search'
import { handleCheckoutForm } from '~/features/checkout/checkout-form.server'
import { loadCheckout } from '~/features/checkout/checkout-lines'
import { CheckoutPage } from '~/features/checkout/ui/checkout-page'
import { CheckoutPending } from '~/features/checkout/ui/checkout-pending'
import { pageHead } from '~/platform/document/head'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'

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
