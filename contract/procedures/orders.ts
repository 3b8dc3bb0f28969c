import * as z from 'zod/mini'
import {
  cart,
  cartAdd,
  cartChange,
  cartItemPath,
  cartRemove,
  order,
  orderPage,
  orderPath,
  orderPlace,
  orderQuery,
} from '../orders.ts'
import { procedure } from './procedure.ts'

const tag = 'Orders'

export const orderProcedures = {
  cart: procedure('guest', 'GET', '/carts', { tag, summary: "The member's or the guest's cart" }).output(cart),
  addToCart: procedure('guest', 'POST', '/carts/items', {
    tag,
    summary: 'Put an option into the cart',
    description:
      'A guest without a token gets one in the `x-guest-token` answer header. Adding what is there already changes nothing.',
  })
    .input(cartAdd)
    .output(cart),
  changeCartItem: procedure('guest', 'PATCH', '/carts/items/{id}', {
    tag,
    summary: 'Choose another option for a line',
  })
    .input(z.extend(cartChange, { id: cartItemPath.shape.id }))
    .output(cart),
  removeCartItem: procedure('guest', 'DELETE', '/carts/items/{id}', { tag, summary: 'Take a line out' })
    .input(z.extend(cartRemove, { id: cartItemPath.shape.id }))
    .output(cart),

  placeOrder: procedure('member', 'POST', '/orders', {
    tag,
    summary: 'Freeze lines into an order draft at the server’s prices',
    status: 201,
    idempotent: true,
  })
    .input(orderPlace)
    .output(order),
  orders: procedure('member', 'GET', '/orders', { tag, summary: 'Orders, latest first' })
    .input(orderQuery)
    .output(orderPage),
  order: procedure('member', 'GET', '/orders/{code}', { tag, summary: 'One order with its money timeline' })
    .input(orderPath)
    .output(order),
}
