import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { readOrderCode, receiptQuery } from '~/features/orders/orders.functions'
import { ReceiptPage } from '~/features/orders/ui/receipt-page'
import { orNotFound } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { pageHead } from '~/platform/document/head'
import { AccountPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/order-histories/$code_/receipt')({
  loader: async ({ context, params }) => {
    const code = readOrderCode(params.code)
    if (!code) throw notFound()
    try {
      await orNotFound(context.queryClient.ensureQueryData({ ...receiptQuery(code), revalidateIfStale: true }))
    } catch (error) {
      // Unpaid orders have no receipt. The order's page shows its status.
      if (problemOf(error)?.status === 409) throw redirect({ to: '/mypages/order-histories/$code', params: { code } })
      throw error
    }
    return { code }
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Receipt`, noindex: true }),
  pendingComponent: AccountPending,
  component: () => <ReceiptPage code={Route.useLoaderData().code} />,
})
