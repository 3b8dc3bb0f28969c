import { findProduct } from '#api/modules/catalog/playables.queries.ts'
import { withPriceThen } from '#api/modules/catalog/product-options.ts'
import { type Right, rightsOf } from '#api/modules/entitlements/entitlements.ts'
import { isVisible, visibilityOf } from '#api/modules/entitlements/visible-product.ts'
import { cardsOf, optionName } from '#api/modules/storefront/product-cards.ts'
import {
  type CartOwner,
  type Ctx,
  cartOwner,
  type EventCtx,
  type EventHandler,
  type Failure,
  failure,
  invalidField,
  isFailure,
} from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { CartItemId, MemberId, OptionId, ProductId } from '#contract/ids.ts'
import type { Cart, CartItem } from '#contract/orders.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import {
  type CartLine,
  type CartRow,
  cartLines,
  changeCartItem,
  deleteCart,
  deleteCartItem,
  deleteCartProducts,
  findCart,
  findOffer,
  insertCartItems,
  lockCart,
  moveCartVersion,
  type Offer,
} from './cart.queries.ts'
import type { OrderItemRow, OrderRow } from './orders.queries.ts'

type OfferedOption = Pick<Offer, 'product' | 'option'>

/** Whether an option can be sold now, to anyone. */
const isOnSale = ({ product, option }: OfferedOption, { base, order }: SiteSettings, now: Date) =>
  product.status === 'ON_SALE' &&
  option.onSale &&
  option.currency === base.currency &&
  (order.useFree || option.priceAmount > 0) &&
  (product.saleFrom === null || Date.parse(product.saleFrom) <= now.getTime()) &&
  (product.saleTo === null || Date.parse(product.saleTo) > now.getTime())

/**
 * Whether a purchased or granted right, even a suspended one, blocks the purchase of an option. A
 * rental may be followed by a purchase, but not by another rental.
 */
export const owns = ({ source, suspended }: Pick<Right, 'source' | 'suspended'>, optionType: string): boolean =>
  [source, suspended].some(
    (rightSource) =>
      rightSource === 'OWN' || rightSource === 'GRANT' || (rightSource === 'RENT' && optionType === 'RENT'),
  )

/** Returns why a person cannot buy an option now, or null. */
const blockedBy = (offer: OfferedOption, right: Right, settings: SiteSettings, now: Date): CartItem['blocked'] => {
  if (owns(right, offer.option.type)) return 'OWNED'
  switch (right.source) {
    case 'FREE':
    case 'MEMBER':
      return 'OWNED'
    case 'PLAN':
      return 'INCLUDED_IN_PLAN'
    case 'OWN':
    case 'GRANT':
    case 'RENT':
    case null:
      break
    default:
      right.source satisfies never
  }
  if (!isOnSale(offer, settings, now)) return 'ENDED'
  return offer.product.ready ? null : 'NOT_READY'
}

/** Returns an option that the actor may buy now, or the failure. Cart and order share this rule. */
export const buyableOffer = async (ctx: Ctx, productId: ProductId, optionId: OptionId): Promise<Offer | Failure> => {
  const { order } = ctx.customer.settings
  if (!order.usePayment && !order.useFree) return failure('PAYMENT_DISABLED')
  const offer = await findOffer(ctx.db, ctx.customer.id, productId, optionId)
  if (!offer) {
    const product = await findProduct(ctx.db, ctx.customer.id, productId)
    if (!product || product.status === 'DRAFT') return failure('NOT_FOUND')
    const i18n = messagesOf(ctx.locale)
    return invalidField('optionId', i18n._('Choose one of the options of this product.'))
  }
  const [answer = failure('NOT_FOUND')] = await checkOffers(ctx, [offer])
  return answer
}

/** Like `buyableOffer`, for options that are already loaded, in their order. */
export const checkOffers = async (ctx: Ctx, offers: readonly Offer[]): Promise<(Offer | Failure)[]> => {
  const sold = offers.map(({ product }) => ({ id: product.id, access: product.access }))
  const rights = await rightsOf(ctx, sold)
  return offers.map((offer) => {
    const right = rights.get(offer.product.id)
    return right ? checkOffer(ctx, offer, right) : failure('NOT_FOUND')
  })
}

const checkOffer = (ctx: Ctx, offer: Offer, right: Right): Offer | Failure => {
  const { customer, clock } = ctx
  const { order } = customer.settings
  const { status } = offer.product
  if (status === 'DRAFT' || status === 'HIDDEN' || !isVisible(offer.product, right, visibilityOf(ctx)))
    return failure('NOT_FOUND')
  if (!order.usePayment && offer.option.priceAmount > 0) return failure('PAYMENT_DISABLED')
  const blocked = blockedBy(offer, right, customer.settings, clock.now())
  switch (blocked) {
    case null:
      return offer
    case 'ENDED':
      return failure('GONE')
    case 'NOT_READY':
      return failure('NOT_READY')
    case 'OWNED':
      return failure('ALREADY_OWNED')
    case 'INCLUDED_IN_PLAN':
      return failure('INCLUDED_IN_PLAN')
    default:
      return blocked satisfies never
  }
}

/**
 * Returns a cart as its owner sees it: current prices, changes since the lines were added, and what
 * cannot be bought and why.
 */
const viewCart = async (ctx: Ctx, cart: CartRow | null): Promise<Cart> => {
  const { currency } = ctx.customer.settings.base
  const stored = cart ? await cartLines(ctx.db, cart) : []
  const lines = stored.map((line) => ({ ...line, option: withPriceThen(ctx, line.option) }))
  const products = lines.map(({ product }) => product)
  const ids = products.map(({ id }) => id)
  const cards = await cardsOf(ctx, ids)
  const rights = await rightsOf(ctx, products)
  const now = ctx.clock.now()
  const items = lines.flatMap((line): CartItem[] => {
    const id = line.product.id
    const product = cards.get(id)
    const right = rights.get(id)
    if (!product || !right) return []
    return [{ ...lineOf(ctx, line), product, blocked: blockedBy(line, right, ctx.customer.settings, now) }]
  })
  const sum = (amountOf: (item: CartItem) => number) => ({
    amount: items.filter((item) => item.blocked === null).reduce((total, item) => total + amountOf(item), 0),
    currency,
  })
  return {
    version: cart?.version ?? 0,
    items,
    total: sum((item) => item.price.amount * item.quantity),
    listTotal: sum((item) => (item.option.listPrice ?? item.price).amount * item.quantity),
  }
}

const lineOf = (ctx: Ctx, { item, option }: CartLine): Omit<CartItem, 'product' | 'blocked'> => {
  const price = { amount: option.priceAmount, currency: option.currency }
  const before = { amount: item.priceAmount, currency: item.currency }
  const changed = before.amount !== price.amount || before.currency !== price.currency
  return {
    id: item.id,
    option: {
      id: option.id,
      productId: option.productId,
      ...optionName(ctx, option),
      type: option.type,
      days: option.days,
      startWithinDays: option.startWithinDays,
      price,
      listPrice: option.listPriceAmount === null ? null : { amount: option.listPriceAmount, currency: option.currency },
    },
    quantity: item.quantity,
    price,
    priceBefore: changed ? before : null,
    addedAt: item.createdAt,
  }
}

/**
 * Runs one line operation on the actor's cart under its lock. Fails with CART_CHANGED and the
 * current cart if `version` is outdated, because another window was faster. A guest needs an id to
 * write.
 */
const writeCart = async (
  ctx: Ctx,
  version: number | undefined,
  operation: (cart: CartRow) => Promise<'CHANGED' | 'UNCHANGED' | Failure>,
): Promise<Cart | Failure> => {
  const owner = cartOwner(ctx.actor)
  if (!owner) throw new Error('A cart is written for a member or a guest with an id.')
  const cart = await lockCart(ctx.db, ctx.customer.id, owner)
  if (version !== undefined && version !== cart.version) {
    return failure('CART_CHANGED', { data: await viewCart(ctx, cart) })
  }
  const result = await operation(cart)
  if (isFailure(result)) return result
  return viewCart(ctx, result === 'CHANGED' ? await moveCartVersion(ctx.db, cart, ctx.clock.now()) : cart)
}

/** More lines than anyone buys at once, and few enough to price together. */
const maxCartLines = 100
const cartFull = ({ locale }: Ctx) => {
  const i18n = messagesOf(locale)
  return invalidField('productId', i18n._('A cart holds at most {max} products.', { max: maxCartLines }))
}

/**
 * Adds an option to the cart. The same option changes nothing. Another option of a product in the
 * cart replaces it, because a product is bought once.
 */
export const addToCart = (
  ctx: Ctx,
  input: { productId: ProductId; optionId: OptionId; version?: number | undefined },
) =>
  writeCart(ctx, input.version, async (cart) => {
    const offer = await buyableOffer(ctx, input.productId, input.optionId)
    if (isFailure(offer)) return offer
    const { optionId, productId } = input
    const { priceAmount, currency } = offer.option
    const lines = await cartLines(ctx.db, cart)
    const there = lines.find((line) => line.product.id === productId)
    if (there?.option.id === optionId) return 'UNCHANGED'
    if (there) await changeCartItem(ctx.db, cart, there.item.id, { optionId, priceAmount, currency })
    else if (lines.length >= maxCartLines) return cartFull(ctx)
    else await insertCartItems(ctx.db, cart, [{ productId, optionId, priceAmount, currency, at: ctx.clock.now() }])
    return 'CHANGED'
  })

/** Selects another option for a line and accepts its current price. */
export const changeLine = (ctx: Ctx, input: { id: CartItemId; optionId?: OptionId | undefined; version: number }) =>
  writeCart(ctx, input.version, async (cart) => {
    const line = (await cartLines(ctx.db, cart)).find(({ item }) => item.id === input.id)
    if (!line) return failure('NOT_FOUND')
    const optionId = input.optionId ?? line.option.id
    const offer = await buyableOffer(ctx, line.product.id, optionId)
    if (isFailure(offer)) return offer
    const { priceAmount, currency } = offer.option
    if (optionId === line.option.id && priceAmount === line.item.priceAmount) return 'UNCHANGED'
    await changeCartItem(ctx.db, cart, line.item.id, { optionId, priceAmount, currency })
    return 'CHANGED'
  })

/** Removes a line. A line outside the actor's own cart is not found. */
export const removeLine = (ctx: Ctx, input: { id: CartItemId; version?: number | undefined }) =>
  writeCart(ctx, input.version, async (cart) => {
    const deleted = await deleteCartItem(ctx.db, cart, input.id)
    return deleted.length === 0 ? failure('NOT_FOUND') : 'CHANGED'
  })

/** Returns the actor's cart, or an empty one of version 0 if none exists. */
export const getCart = async (ctx: Ctx) => {
  const owner = cartOwner(ctx.actor)
  return viewCart(ctx, owner && (await findCart(ctx.db, ctx.customer.id, owner)))
}

/** Removes the items of an order from its member's cart. */
export const removeBoughtFromCart = async (
  { db, customer, clock }: Ctx,
  { memberId }: Pick<OrderRow, 'memberId'>,
  items: readonly OrderItemRow[],
) => {
  if (!(await findCart(db, customer.id, { memberId }))) return
  const cart = await lockCart(db, customer.id, { memberId })
  const bought = items.map((item) => item.productId)
  if ((await deleteCartProducts(db, cart, bought)) > 0) await moveCartVersion(db, cart, clock.now())
}

/**
 * Moves the lines of another cart into a member's. The member's own options take precedence, and
 * lines beyond the limit are dropped. Safe to repeat.
 */
const mergeCart = async ({ db, customer, clock }: EventCtx, from: CartOwner, memberId: MemberId) => {
  if (!(await findCart(db, customer.id, from))) return
  const other = await lockCart(db, customer.id, from)
  const cart = await lockCart(db, customer.id, { memberId })
  const ownProducts = new Set((await cartLines(db, cart)).map((line) => line.product.id))
  const lines = (await cartLines(db, other))
    .filter((line) => !ownProducts.has(line.product.id))
    .slice(0, Math.max(0, maxCartLines - ownProducts.size))
  const items = lines.map(({ item: { productId, optionId, priceAmount, currency, createdAt } }) => {
    return { productId, optionId, priceAmount, currency, at: new Date(createdAt) }
  })
  await insertCartItems(db, cart, items)
  if (lines.length > 0) await moveCartVersion(db, cart, clock.now())
  await deleteCart(db, other)
}

/** Moves the cart of a guest to the member who has signed in. */
export const mergeGuestCart: EventHandler<'memberSignedIn'> = (ctx, { guestId, memberId }) =>
  mergeCart(ctx, { guestId }, memberId)

/** Moves the cart of a merged account. */
export const mergeMergedCart: EventHandler<'memberMerged'> = (ctx, { fromId, memberId }) =>
  mergeCart(ctx, { memberId: fromId }, memberId)
