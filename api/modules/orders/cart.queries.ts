import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { productOptions, products } from '#api/modules/catalog/catalog.schema.ts'
import { productColumns } from '#api/modules/catalog/playables.queries.ts'
import { cartItems, carts } from '#api/modules/storefront/carts.schema.ts'
import type { CartOwner } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CartItemId, CustomerId, OptionId, ProductCode, ProductId } from '#contract/ids.ts'

export type CartRow = typeof carts.$inferSelect
const owned = (customerId: CustomerId, owner: CartOwner) =>
  and(
    eq(carts.customerId, customerId),
    'memberId' in owner ? eq(carts.memberId, owner.memberId) : eq(carts.guestId, owner.guestId),
  )

/** Returns the cart of a member or guest without locking it, or null. */
export const findCart = async (db: TenantDb, customerId: CustomerId, owner: CartOwner): Promise<CartRow | null> => {
  const [cart] = await db.select().from(carts).where(owned(customerId, owner))
  return cart ?? null
}

/** Returns the owner's cart, creating it if necessary, and locks it until the transaction ends. */
export const lockCart = async (db: TenantDb, customerId: CustomerId, owner: CartOwner): Promise<CartRow> => {
  await db
    .insert(carts)
    .values({ customerId, id: newId(), ...owner })
    .onConflictDoNothing()
  const [cart] = await db.select().from(carts).where(owned(customerId, owner)).for('update')
  if (!cart) throw new Error('A cart that was just written is not there.')
  return cart
}

/** Increments the version of a cart after a change and returns the new row. */
export const moveCartVersion = async (db: TenantDb, cart: CartRow, now: Date): Promise<CartRow> => {
  const [moved] = await db
    .update(carts)
    .set({ version: sql`${carts.version} + 1`, updatedAt: now.toISOString() })
    .where(and(eq(carts.customerId, cart.customerId), eq(carts.id, cart.id)))
    .returning()
  return moved ?? cart
}

/** Deletes a cart with its items. */
export const deleteCart = (db: TenantDb, cart: CartRow) =>
  db.delete(carts).where(and(eq(carts.customerId, cart.customerId), eq(carts.id, cart.id)))

/**
 * Returns a cart's lines with their current products and options, in the order they were added.
 * `lock` keeps these from being deleted until the transaction ends.
 */
export const cartLines = (db: TenantDb, cart: CartRow, { lock = false } = {}) => {
  const query = db
    .select({ item: cartItems, option: productOptions, product: productColumns(cart.customerId) })
    .from(cartItems)
    .innerJoin(
      productOptions,
      and(eq(productOptions.customerId, cartItems.customerId), eq(productOptions.id, cartItems.optionId)),
    )
    .innerJoin(products, and(eq(products.customerId, cartItems.customerId), eq(products.id, cartItems.productId)))
    .where(and(eq(cartItems.customerId, cart.customerId), eq(cartItems.cartId, cart.id)))
    .orderBy(asc(cartItems.createdAt), asc(cartItems.id))
  return lock ? query.for('key share', { of: [products, productOptions] }) : query
}
export type CartLine = Awaited<ReturnType<typeof cartLines>>[number]

/**
 * Returns an option with its product in any state, and keeps both from being deleted until the
 * transaction ends. Null if the product has no such option.
 */
export const findOffer = async (db: TenantDb, customerId: CustomerId, productId: ProductId, optionId: OptionId) => {
  const [offer] = await db
    .select({ option: productOptions, product: productColumns(customerId) })
    .from(productOptions)
    .innerJoin(
      products,
      and(eq(products.customerId, productOptions.customerId), eq(products.id, productOptions.productId)),
    )
    .where(
      and(
        eq(productOptions.customerId, customerId),
        eq(productOptions.id, optionId),
        eq(productOptions.productId, productId),
      ),
    )
    .for('key share')
  return offer ?? null
}
export type Offer = NonNullable<Awaited<ReturnType<typeof findOffer>>>

/**
 * Returns options to own of products that are named by their codes, in any state: those on sale
 * first, then the first of the product. Keeps them from being deleted until the transaction ends.
 */
export const findOwnOffers = (db: TenantDb, customerId: CustomerId, codes: readonly ProductCode[]): Promise<Offer[]> =>
  db
    .select({ option: productOptions, product: productColumns(customerId) })
    .from(productOptions)
    .innerJoin(
      products,
      and(eq(products.customerId, productOptions.customerId), eq(products.id, productOptions.productId)),
    )
    .where(
      and(
        eq(productOptions.customerId, customerId),
        eq(productOptions.type, 'OWN'),
        inArray(products.code, [...codes]),
      ),
    )
    .orderBy(desc(productOptions.onSale), asc(productOptions.sort), asc(productOptions.id))
    .for('key share')

/**
 * Locks options of a product, so that nobody begins to buy them. Returns which of them were
 * ordered, and which others are in a cart. Entitlements name the item of an order, and plans whole
 * products.
 */
export const lockOptionUses = async (
  db: TenantDb,
  customerId: CustomerId,
  productId: ProductId,
  ids: readonly OptionId[],
) => {
  await db
    .select({ id: productOptions.id })
    .from(productOptions)
    .where(and(eq(productOptions.customerId, customerId), inArray(productOptions.id, [...ids])))
    .orderBy(asc(productOptions.id))
    .for('update')
  const { rows } = await db.$client.query<{ id: OptionId; use: 'ORDERED' | 'IN_CART' }>(
    `SELECT option_id AS id, max(use) AS use
       FROM (SELECT option_id, 'ORDERED' AS use FROM order_items
              WHERE customer_id = $1 AND product_id = $2 AND option_id = ANY($3::uuid[])
              UNION SELECT option_id, 'IN_CART' FROM cart_items
              WHERE customer_id = $1 AND product_id = $2 AND option_id = ANY($3::uuid[])) AS uses
      GROUP BY option_id`,
    [customerId, productId, ids],
  )
  return new Map(rows.map(({ id, use }) => [id, use]))
}

export interface NewLine {
  productId: ProductId
  optionId: OptionId
  priceAmount: number
  currency: string
  /** When the line was added. */
  at: Date
}

/**
 * Adds lines to a cart, each with the price it was shown with. Requires the cart's lock, and that
 * none of the products is in the cart: a product has one line.
 */
export const insertCartItems = async (db: TenantDb, cart: CartRow, lines: readonly NewLine[]) => {
  if (lines.length === 0) return
  await db.insert(cartItems).values(
    lines.map(({ at, ...line }) => ({
      ...line,
      customerId: cart.customerId,
      id: newId<CartItemId>(),
      cartId: cart.id,
      createdAt: at.toISOString(),
    })),
  )
}

/** Changes the option of an item, with its price. */
export const changeCartItem = (
  db: TenantDb,
  cart: CartRow,
  id: CartItemId,
  change: { optionId: OptionId; priceAmount: number; currency: string },
) =>
  db
    .update(cartItems)
    .set(change)
    .where(and(eq(cartItems.customerId, cart.customerId), eq(cartItems.cartId, cart.id), eq(cartItems.id, id)))

/** Removes a line. Returns its id in a list, which is empty if the cart has no such line. */
export const deleteCartItem = (db: TenantDb, cart: CartRow, id: CartItemId) =>
  db
    .delete(cartItems)
    .where(and(eq(cartItems.customerId, cart.customerId), eq(cartItems.cartId, cart.id), eq(cartItems.id, id)))
    .returning({ id: cartItems.id })

/**
 * Removes products from a cart, for example after their purchase. Returns the number of removed
 * lines.
 */
export const deleteCartProducts = async (db: TenantDb, cart: CartRow, productIds: readonly ProductId[]) => {
  if (productIds.length === 0) return 0
  const deleted = await db
    .delete(cartItems)
    .where(
      and(
        eq(cartItems.customerId, cart.customerId),
        eq(cartItems.cartId, cart.id),
        inArray(cartItems.productId, [...productIds]),
      ),
    )
    .returning({ id: cartItems.id })
  return deleted.length
}
