import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { AccountPending } from '~/features/account/ui/account-pending'
import { orderDetailQuery } from '~/features/orders/orders.queries'
import { readOrderCode } from '~/features/orders/orders.search'
import { OrderDetail } from '~/features/orders/ui/order-detail'
import { problemOf } from '~/platform/api/problem'
import { pageHead } from '~/platform/document/head'
import { leftToRight } from '~/platform/format/left-to-right'

export const Route = createFileRoute('/_member/mypages/order-histories/$code')({
  loader: async ({ context, params }) => {
    const code = readOrderCode(params.code)
    if (!code) throw notFound()
    try {
      await context.queryClient.ensureQueryData({ ...orderDetailQuery(code), revalidateIfStale: true })
    } catch (error) {
      throw problemOf(error)?.status === 404 ? notFound() : error
    }
    return { code }
  },
  head: ({ match, params }) =>
    pageHead(match.context, { title: match.context.i18n._(msg`Order ${leftToRight(params.code)}`), noindex: true }),
  pendingComponent: AccountPending,
  component: () => <OrderDetail code={Route.useLoaderData().code} />,
})
