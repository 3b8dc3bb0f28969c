import * as z from 'zod/mini'
import { cartAdd, cartRemove } from '#contract/cart.ts'
import { cartItemId } from '#contract/ids.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'

/** The visitor's cart, a member's or a guest's. */
export const getCart = readFn().handler(({ context }) => context.ask((api) => api.commerce.cart()))

/** Puts one option into the cart and answers the whole cart. What is there already changes nothing. */
export const addToCart = writeFn()
  .validator(checked(cartAdd))
  .handler(({ data, context }) => context.ask((api) => api.commerce.addToCart(data)))

/** Takes one line out and answers the whole cart. 409 CART_CHANGED on an older version. */
export const removeFromCart = writeFn()
  .validator(checked(z.extend(cartRemove, { id: cartItemId })))
  .handler(({ data, context }) => context.ask((api) => api.commerce.removeCartItem(data)))

const suggestionCount = 12

/** What others watch most: the way on from an empty cart. */
export const getCartSuggestions = readFn().handler(({ context }) =>
  context.ask((api) => api.catalog.search({ sort: 'countOfPlays,DESC', size: suggestionCount })),
)
