import { findProduct } from '#api/modules/catalog/playables.queries.ts'
import { type Right, rightsOf } from '#api/modules/entitlements/entitlements.ts'
import { isVisible } from '#api/modules/entitlements/visible-product.ts'
import { optionName } from '#api/modules/storefront/options.ts'
import { cardsOf } from '#api/modules/storefront/product-cards.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import type { Cart, CartItem } from '#contract/cart.ts'
import type { OptionId, ProductId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { type CartLine, type CartRow, cartLines, findOffer, type Offer } from './cart.queries.ts'

type Sold = Pick<Offer, 'product' | 'option'>

/** Whether an option can be sold now, to anyone. */
const isOnSale = ({ product, option }: Sold, { base, order }: SiteSettings, now: Date) =>
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
  [source, suspended].some((one) => one === 'OWN' || one === 'GRANT' || (one === 'RENT' && optionType === 'RENT'))

/** Returns why a person cannot buy an option now, or null. */
export const blockedBy = (offer: Sold, right: Right, settings: SiteSettings, now: Date): CartItem['blocked'] => {
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
    return failure('VALIDATION_FAILED', { errors: { optionId: ['Choose one of the options of this product.'] } })
  }
  const [answer = failure('NOT_FOUND')] = await judgeOffers(ctx, [offer])
  return answer
}

/** Like `buyableOffer`, for options that are already loaded, in their order. */
export const judgeOffers = async (ctx: Ctx, offers: readonly Offer[]): Promise<(Offer | Failure)[]> => {
  const rights = await rightsOf(
    ctx,
    offers.map(({ product }) => ({ id: product.id, access: product.access })),
  )
  return offers.map((offer) => {
    const right = rights.get(offer.product.id)
    return right ? judge(ctx, offer, right) : failure('NOT_FOUND')
  })
}

const judge = ({ customer, clock }: Ctx, offer: Offer, right: Right): Offer | Failure => {
  const { order } = customer.settings
  const { status } = offer.product
  if (status === 'DRAFT' || status === 'HIDDEN' || !isVisible(offer.product, right, order)) return failure('NOT_FOUND')
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
export const viewCart = async (ctx: Ctx, cart: CartRow | null): Promise<Cart> => {
  const { currency } = ctx.customer.settings.base
  const lines = cart ? await cartLines(ctx.db, cart) : []
  const ids = lines.map((line) => line.product.id)
  const cards = await cardsOf(ctx, ids)
  const rights = await rightsOf(
    ctx,
    lines.map(({ product }) => ({ id: product.id, access: product.access })),
  )
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
