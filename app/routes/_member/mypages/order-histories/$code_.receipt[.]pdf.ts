import { createFileRoute } from '@tanstack/react-router'
import { receiptPdf } from '~/features/orders/orders.server'
import { methodNotAllowed } from '~/platform/api/problem'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'

/** The receipt as a file. */
export const Route = createFileRoute('/_member/mypages/order-histories/$code_/receipt.pdf')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      GET: ({ params, context }) => receiptPdf(params.code, context.requestContext),
      ANY: methodNotAllowed('GET'),
    },
  },
})
