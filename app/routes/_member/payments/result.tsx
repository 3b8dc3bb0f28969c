import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { orderCode, paymentId } from '#contract/ids.ts'
import { loadPaymentResult } from '~/features/orders/checkout/checkout.functions'
import { ResultPage } from '~/features/orders/checkout/ui/result-page'
import { DepositWaiting } from '~/features/orders/ui/deposit-waiting'
import { PaymentPending } from '~/parts/payment-result'
import { pageHead } from '~/platform/document/head'
import { searchSchema } from '~/platform/navigation/search-schema'

/** The parameters of the payment provider's redirect. */
const resultSearch = searchSchema({ order: orderCode, payment: paymentId })

export const Route = createFileRoute('/_member/payments/result')({
  validateSearch: resultSearch,
  loaderDeps: ({ search }) => resultSearch.parse(search),
  loader: ({ context, deps }) => loadPaymentResult(context.queryClient, deps),
  head: ({ match }) => pageHead(match.context, { title: msg`Payment`, noindex: true }),
  pendingComponent: PaymentPending,
  component: Result,
})

function Result() {
  return (
    <ResultPage {...Route.useSearch()} deposit={(order, check) => <DepositWaiting order={order} check={check} />} />
  )
}
