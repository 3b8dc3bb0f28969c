import * as z from 'zod/mini'
import {
  cancelRequest,
  card,
  cardConfirmed,
  cardPath,
  cardRegister,
  cardRegistering,
  paymentConfirmed,
  paymentPath,
  paymentStart,
  paymentStarted,
  receipt,
  receiptFile,
  receiptFilePath,
  refundAccountInput,
} from '../billing.ts'
import { order, orderPath } from '../orders.ts'
import { procedure } from './procedure.ts'

const tag = 'Billing'

export const billingProcedures = {
  requestCancel: procedure('member', 'POST', '/orders/{code}/cancel-request', {
    tag,
    summary: 'Cancel an order or request a refund',
    description:
      'An order that waits for its deposit is cancelled at once. Unopened items that were paid by card are refunded at once. All other refunds need an operator’s decision.',
    idempotent: true,
  })
    .input(cancelRequest)
    .output(order),
  withdrawCancelRequest: procedure('member', 'DELETE', '/orders/{code}/cancel-request', {
    tag,
    summary: 'Withdraw a cancel request',
    description: 'A request can be withdrawn until an operator has accepted it.',
  })
    .input(orderPath)
    .output(order),
  setRefundAccount: procedure('member', 'POST', '/orders/{code}/refund-account', {
    tag,
    summary: 'Set the bank account for a refund',
    description: 'Bank payments are refunded to this account. Refunds that wait for an account are then sent.',
    idempotent: true,
  })
    .input(refundAccountInput)
    .output(order),
  receipt: procedure('member', 'GET', '/orders/{code}/receipt', { tag, summary: 'Retrieve the receipt of an order' })
    .input(orderPath)
    .output(receipt),
  receiptPdf: procedure('member', 'GET', '/orders/{code}/receipt.pdf', { tag, summary: 'Download a receipt as PDF' })
    .input(receiptFilePath)
    .output(receiptFile),
  startPayment: procedure('member', 'POST', '/orders/{code}/payments', {
    tag,
    summary: 'Create a payment',
    description: 'Returns the URL to which the browser must be redirected.',
    status: 201,
    idempotent: true,
  })
    .input(paymentStart)
    .output(paymentStarted),
  confirmPayment: procedure('member', 'POST', '/payments/{id}/confirm', {
    tag,
    summary: 'Confirm a payment',
    description:
      'Requests the status of the payment from the provider and settles it. It can be repeated, and can run at the same time as the provider’s webhook: a payment is settled once.',
  })
    .input(paymentPath)
    .output(paymentConfirmed),

  cards: procedure('member', 'GET', '/cards', {
    tag,
    summary: 'List cards',
    description: 'Returns the registered cards, the default card first.',
  }).output(z.object({ items: z.array(card) })),
  registerCard: procedure('member', 'POST', '/cards', {
    tag,
    summary: 'Register a card',
    description: 'Returns the URL to which the browser must be redirected.',
    status: 201,
    idempotent: true,
  })
    .input(cardRegister)
    .output(cardRegistering),
  confirmCard: procedure('member', 'POST', '/cards/{id}/confirm', {
    tag,
    summary: 'Confirm the registration of a card',
    description:
      'Requests the result from the provider. It can be repeated. A card that replaces another becomes the default where the other was, and pays for the other’s subscription.',
  })
    .input(cardPath)
    .output(cardConfirmed),
  makeDefault: procedure('member', 'PUT', '/cards/{id}/default', { tag, summary: 'Set the default card' })
    .input(cardPath)
    .output(card),
  removeCard: procedure('member', 'DELETE', '/cards/{id}', {
    tag,
    summary: 'Remove a card',
    description: 'Returns CARD_NEEDED for the only card of an active subscription. Replace that card instead.',
    status: 204,
  }).input(cardPath),
}
