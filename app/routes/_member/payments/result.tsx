import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadPaymentResult } from '~/features/checkout/checkout.functions'
import { resultSearch } from '~/features/checkout/checkout.search'
import { ResultPending } from '~/features/checkout/ui/checkout-pending'
import { ResultPage } from '~/features/checkout/ui/result-page'
import { DepositWaiting } from '~/features/orders/ui/deposit-waiting'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/_member/payments/result')({
  validateSearch: resultSearch,
  loaderDeps: ({ search }) => resultSearch.parse(search),
  loader: ({ context, deps }) => loadPaymentResult(context.queryClient, deps),
  head: ({ match }) => pageHead(match.context, { title: msg`Payment`, noindex: true }),
  pendingComponent: ResultPending,
  component: Result,
})

function Result() {
  return (
    <ResultPage {...Route.useSearch()} deposit={(order, check) => <DepositWaiting order={order} check={check} />} />
  )
}
