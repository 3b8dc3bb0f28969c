import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { createIdempotencyKey } from '#contract/http.ts'
import { orderDetailQuery, orderDetailSearch, readOrderCode } from '~/features/orders/orders.functions'
import { handleOrderForm } from '~/features/orders/orders.server'
import { OrderDetail } from '~/features/orders/ui/order-detail'
import { orNotFound } from '~/platform/api/call'
import { pageHead } from '~/platform/document/head'
import { leftToRight } from '~/platform/format/use-format'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { AccountPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/order-histories/$code')({
  validateSearch: orderDetailSearch,
  loader: async ({ context, params }) => {
    const code = readOrderCode(params.code)
    if (!code) throw notFound()
    await orNotFound(context.queryClient.ensureQueryData({ ...orderDetailQuery(code), revalidateIfStale: true }))
    return { code, idempotencyKey: createIdempotencyKey() }
  },
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: ({ request, params, context }) => handleOrderForm(request, params.code, context.requestContext),
    },
  },
  head: ({ match, params }) =>
    pageHead(match.context, { title: match.context.i18n._(msg`Order ${leftToRight(params.code)}`), noindex: true }),
  pendingComponent: AccountPending,
  component: () => <OrderDetail {...Route.useLoaderData()} search={Route.useSearch()} />,
})
