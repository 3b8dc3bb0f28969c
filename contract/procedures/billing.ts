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
    summary: 'Cancel an order, or ask for money back',
    description:
      'Nothing paid yet: cancelled at once. Unopened and paid by card: given back at once. Else an operator decides.',
    idempotent: true,
  })
    .input(cancelRequest)
    .output(order),
  withdrawCancelRequest: procedure('member', 'DELETE', '/orders/{code}/cancel-request', {
    tag,
    summary: 'Take a request back before it is accepted',
  })
    .input(orderPath)
    .output(order),
  setRefundAccount: procedure('member', 'POST', '/orders/{code}/refund-account', {
    tag,
    summary: 'Say where money that waits to go back by bank is sent',
    idempotent: true,
  })
    .input(refundAccountInput)
    .output(order),
  receipt: procedure('member', 'GET', '/orders/{code}/receipt', { tag, summary: 'The receipt of a paid order' })
    .input(orderPath)
    .output(receipt),
  receiptPdf: procedure('member', 'GET', '/orders/{code}/receipt.pdf', { tag, summary: 'The receipt to print' })
    .input(receiptFilePath)
    .output(receiptFile),
  startPayment: procedure('member', 'POST', '/orders/{code}/payments', {
    tag,
    summary: 'Begin to pay: answers where the browser goes',
    status: 201,
    idempotent: true,
  })
    .input(paymentStart)
    .output(paymentStarted),
  confirmPayment: procedure('member', 'POST', '/payments/{id}/confirm', {
    tag,
    summary: 'Ask the provider how the payment stands and settle it',
    description: 'Safe to repeat and to race with the provider’s webhook: one settlement happens.',
  })
    .input(paymentPath)
    .output(paymentConfirmed),

  cards: procedure('member', 'GET', '/cards', { tag, summary: 'Registered cards, the default first' }).output(
    z.object({ items: z.array(card) }),
  ),
  registerCard: procedure('member', 'POST', '/cards', {
    tag,
    summary: 'Begin to register a card: answers where the browser goes',
    status: 201,
    idempotent: true,
  })
    .input(cardRegister)
    .output(cardRegistering),
  confirmCard: procedure('member', 'POST', '/cards/{id}/confirm', {
    tag,
    summary: 'Ask the provider whether the card is registered',
    description: 'Safe to repeat. A card that replaces another takes over its default and its subscription.',
  })
    .input(cardPath)
    .output(cardConfirmed),
  makeDefault: procedure('member', 'PUT', '/cards/{id}/default', { tag, summary: 'Pay with this one from now on' })
    .input(cardPath)
    .output(card),
  removeCard: procedure('member', 'DELETE', '/cards/{id}', {
    tag,
    summary: 'Remove a card',
    description: 'CARD_NEEDED for the last card of a subscription that stands: it may be replaced.',
    status: 204,
  }).input(cardPath),
}
