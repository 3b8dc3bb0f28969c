import * as z from 'zod/mini'
import { productCard, productOption } from './catalog.ts'
import { cartItemId, optionId, productId } from './ids.ts'
import { money } from './money.ts'

const cartItem = z.object({
  id: cartItemId,
  product: productCard,
  option: productOption,
  quantity: z.int(),
  /** The current price, and the price when the item was added, where they differ. */
  price: money,
  priceBefore: z.nullable(money),
  /** Why the item cannot be bought now; null when it can. */
  blocked: z.nullable(z.enum(['ENDED', 'NOT_READY', 'OWNED', 'INCLUDED_IN_PLAN'])),
  addedAt: z.iso.datetime(),
})
export type CartItem = z.output<typeof cartItem>

/**
 * The server-side cart. `version` changes with every write. A write on an older version answers 409
 * CART_CHANGED.
 */
export const cart = z.object({
  version: z.int(),
  items: z.array(cartItem),
  /** The total of the items that can be bought. */
  total: money,
  listTotal: money,
})
export type Cart = z.output<typeof cart>

export const cartAdd = z.object({
  productId,
  optionId,
  /** Always 1, because a digital product is bought once. */
  quantity: z._default(z.int().check(z.gte(1), z.lte(1)), 1),
  version: z.optional(z.int()),
})
export const cartChange = z.object({
  optionId: z.optional(optionId),
  quantity: z.optional(z.int().check(z.gte(1), z.lte(1))),
  version: z.int(),
})
export const cartRemove = z.object({ version: z.optional(z.int()) })
export const cartItemPath = z.object({ id: cartItemId })
