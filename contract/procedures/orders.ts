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
  cart: procedure('guest', 'GET', '/carts', {
    tag,
    summary: 'Retrieve the cart',
    description: 'Returns the cart of the member or the guest.',
  }).output(cart),
  addToCart: procedure('guest', 'POST', '/carts/items', {
    tag,
    summary: 'Add an item to the cart',
    description:
      'A guest without a token receives one in the response header `x-guest-token`. Adding an item that is already in the cart changes nothing.',
  })
    .input(cartAdd)
    .output(cart),
  changeCartItem: procedure('guest', 'PATCH', '/carts/items/{id}', {
    tag,
    summary: 'Change the option of a cart item',
  })
    .input(z.extend(cartChange, { id: cartItemPath.shape.id }))
    .output(cart),
  removeCartItem: procedure('guest', 'DELETE', '/carts/items/{id}', { tag, summary: 'Remove an item from the cart' })
    .input(z.extend(cartRemove, { id: cartItemPath.shape.id }))
    .output(cart),

  placeOrder: procedure('member', 'POST', '/orders', {
    tag,
    summary: 'Create an order',
    description: 'Creates an unpaid order from items of the cart or from one option, at the current prices.',
    status: 201,
    idempotent: true,
  })
    .input(orderPlace)
    .output(order),
  orders: procedure('member', 'GET', '/orders', {
    tag,
    summary: 'List orders',
    description: 'Returns the latest orders first.',
  })
    .input(orderQuery)
    .output(orderPage),
  order: procedure('member', 'GET', '/orders/{code}', {
    tag,
    summary: 'Retrieve an order',
    description: 'Returns the order with the history of its payments.',
  })
    .input(orderPath)
    .output(order),
}
