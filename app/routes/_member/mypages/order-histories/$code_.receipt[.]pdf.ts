import { createFileRoute } from '@tanstack/react-router'
import { answerReceiptPdf } from '~/features/orders/receipt-pdf.server'
import { methodNotAllowed } from '~/platform/api/answers'
import { visitMiddleware } from '~/platform/request/visit-middleware'

/** The receipt as a file. */
export const Route = createFileRoute('/_member/mypages/order-histories/$code_/receipt.pdf')({
  server: {
    middleware: [visitMiddleware],
    handlers: {
      GET: ({ params, context }) => answerReceiptPdf(params.code, context.visit),
      ANY: methodNotAllowed('GET'),
    },
  },
})
