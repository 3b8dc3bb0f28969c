import * as z from 'zod/mini'
import { cart, cartAdd, cartChange, cartItemPath, cartRemove } from '../cart.ts'
import {
  cancelRequest,
  order,
  orderPage,
  orderPath,
  orderPlace,
  orderQuery,
  paymentConfirmed,
  paymentPath,
  paymentStart,
  paymentStarted,
  receipt,
  receiptFile,
  receiptFilePath,
  refundAccountInput,
} from '../orders.ts'
import { procedure } from './procedure.ts'

const carts = 'Cart'
const orders = 'Orders'

export const checkoutProcedures = {
  cart: procedure('guest', 'GET', '/carts', { tag: carts, summary: "The member's or the guest's cart" }).output(cart),
  addToCart: procedure('guest', 'POST', '/carts/items', {
    tag: carts,
    summary: 'Put an option into the cart',
    description:
      'A guest without a token gets one in the `x-guest-token` answer header. Adding what is there already changes nothing.',
  })
    .input(cartAdd)
    .output(cart),
  changeCartItem: procedure('guest', 'PATCH', '/carts/items/{id}', {
    tag: carts,
    summary: 'Choose another option for a line',
  })
    .input(z.extend(cartChange, { id: cartItemPath.shape.id }))
    .output(cart),
  removeCartItem: procedure('guest', 'DELETE', '/carts/items/{id}', { tag: carts, summary: 'Take a line out' })
    .input(z.extend(cartRemove, { id: cartItemPath.shape.id }))
    .output(cart),

  placeOrder: procedure('member', 'POST', '/orders', {
    tag: orders,
    summary: 'Freeze lines into an order draft at the server’s prices',
    status: 201,
    idempotent: true,
  })
    .input(orderPlace)
    .output(order),
  orders: procedure('member', 'GET', '/orders', { tag: orders, summary: 'Orders, latest first' })
    .input(orderQuery)
    .output(orderPage),
  order: procedure('member', 'GET', '/orders/{code}', { tag: orders, summary: 'One order with its money timeline' })
    .input(orderPath)
    .output(order),
  requestCancel: procedure('member', 'POST', '/orders/{code}/cancel-request', {
    tag: orders,
    summary: 'Cancel an order, or ask for money back',
    description:
      'Nothing paid yet: cancelled at once. Unopened and paid by card: given back at once. Else an operator decides.',
    idempotent: true,
  })
    .input(cancelRequest)
    .output(order),
  withdrawCancelRequest: procedure('member', 'DELETE', '/orders/{code}/cancel-request', {
    tag: orders,
    summary: 'Take a request back before it is accepted',
  })
    .input(orderPath)
    .output(order),
  setRefundAccount: procedure('member', 'POST', '/orders/{code}/refund-account', {
    tag: orders,
    summary: 'Say where money that waits to go back by bank is sent',
    idempotent: true,
  })
    .input(refundAccountInput)
    .output(order),
  receipt: procedure('member', 'GET', '/orders/{code}/receipt', { tag: orders, summary: 'The receipt of a paid order' })
    .input(orderPath)
    .output(receipt),
  receiptPdf: procedure('member', 'GET', '/orders/{code}/receipt.pdf', { tag: orders, summary: 'The receipt to print' })
    .input(receiptFilePath)
    .output(receiptFile),
  startPayment: procedure('member', 'POST', '/orders/{code}/payments', {
    tag: orders,
    summary: 'Begin to pay: answers where the browser goes',
    status: 201,
    idempotent: true,
  })
    .input(paymentStart)
    .output(paymentStarted),
  confirmPayment: procedure('member', 'POST', '/payments/{id}/confirm', {
    tag: orders,
    summary: 'Ask the provider how the payment stands and settle it',
    description: 'Safe to repeat and to race with the provider’s webhook: one settlement happens.',
  })
    .input(paymentPath)
    .output(paymentConfirmed),
}
