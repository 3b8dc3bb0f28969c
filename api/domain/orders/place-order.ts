import type * as z from 'zod/mini'
import type { MemberCtx } from '#api/context.ts'
import { cartLines, findCart, type Offer } from '#api/db/queries/carts.ts'
import { appendOrderEvent, insertOrder, insertOrderItems, type OrderRow } from '#api/db/queries/orders.ts'
import { newId } from '#api/db/uuid.ts'
import { buyableOffer, judgeOffers } from '#api/domain/cart/offer.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { textFor } from '#api/domain/translations.ts'
import type { Order, orderPlace } from '#contract/orders.ts'
import { newOrderCode } from './code.ts'
import { viewOrder } from './view-order.ts'

export type OrderPlace = z.output<typeof orderPlace>

/** How long a draft waits for its payment. */
export const draftMinutes = 30

/**
 * Freezes lines into an order draft. Every price and name is the server's own at this moment; what the person saw is only compared
 * (`expectedTotal`). The cart keeps its lines until they are paid for, so that a declined card costs nobody their choice.
 */
export const placeOrder = async (ctx: MemberCtx, input: OrderPlace): Promise<Order | Failure> => {
  const { order: rules, base } = ctx.customer.settings
  if (!rules.usePayment && !rules.useFree) return failure('PAYMENT_DISABLED')
  if (input.refundPolicyVersion !== rules.refundPolicy.version) {
    return failure('VALIDATION_FAILED', {
      errors: { refundPolicyVersion: ['The refund policy has changed. Review it before you pay.'] },
    })
  }
  const offers = input.buyNow ? await offerAtOnce(ctx, input) : await offersOfCart(ctx, input)
  if (isFailure(offers)) return offers

  const total = offers.reduce((sum, { option }) => sum + option.priceAmount, 0)
  const seen = input.expectedTotal
  if (seen && (seen.amount !== total || seen.currency !== base.currency)) {
    return failure('PRICE_CHANGED', { data: { total: { amount: total, currency: base.currency } } })
  }
  if (total > 0 ? !rules.usePayment : !rules.useFree) return failure('PAYMENT_DISABLED')
  return viewOrder(ctx, await writeDraft(ctx, offers, total))
}

const offerAtOnce = async (ctx: MemberCtx, input: OrderPlace): Promise<Offer[] | Failure> => {
  if (input.cartItemIds || !input.buyNow) {
    return failure('VALIDATION_FAILED', {
      errors: { buyNow: ['Order items from the cart or a single option, not both.'] },
    })
  }
  const offer = await buyableOffer(ctx, input.buyNow.productId, input.buyNow.optionId)
  return isFailure(offer) ? offer : [offer]
}

/** The chosen lines, each of which must be for sale; without a choice, all that are. */
const offersOfCart = async (ctx: MemberCtx, input: OrderPlace): Promise<Offer[] | Failure> => {
  const cart = await findCart(ctx.db, ctx.customer.id, { memberId: ctx.actor.memberId })
  const lines = cart ? await cartLines(ctx.db, cart) : []
  const chosen = input.cartItemIds && new Set<string>(input.cartItemIds)
  const wanted = chosen ? lines.filter((line) => chosen.has(line.item.id)) : lines
  if (chosen && wanted.length < chosen.size) return failure('NOT_FOUND')

  const offers: Offer[] = []
  for (const offer of await judgeOffers(ctx, wanted)) {
    if (!isFailure(offer)) offers.push(offer)
    else if (chosen) return offer
  }
  if (offers.length > 0) return offers
  return failure('VALIDATION_FAILED', {
    errors: { cartItemIds: ['None of the items in the cart can be bought right now.'] },
  })
}

const writeDraft = async (ctx: MemberCtx, offers: readonly Offer[], total: number): Promise<OrderRow> => {
  const { customer, clock, db } = ctx
  const { base, order: rules } = customer.settings
  const now = clock.now()
  const draft = {
    customerId: customer.id,
    id: newId(),
    memberId: ctx.actor.memberId,
    totalAmount: total,
    currency: base.currency,
    refundPolicyVersion: rules.refundPolicy.version,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + draftMinutes * 60_000).toISOString(),
  }
  let order: OrderRow | null = null
  // Six characters a day hold a thousand million codes; a collision is drawn again.
  while (!order) order = await insertOrder(db, { ...draft, code: newOrderCode(now, base.timeZone) })
  const { id: orderId } = order
  await insertOrderItems(
    db,
    offers.map(({ product, option }, sort) => ({
      customerId: customer.id,
      id: newId(),
      orderId,
      productId: product.id,
      optionId: option.id,
      ...textsAtPlacing(ctx, product, option),
      optionType: option.type,
      days: option.days,
      startWithinDays: option.startWithinDays,
      priceAmount: option.priceAmount,
      currency: option.currency,
      sort,
    })),
  )
  await appendOrderEvent(db, order, { type: 'PLACED', amount: total, at: now })
  return order
}

/** What the buyer read when the order was placed. Later changes of the catalogue leave an order as it is. */
const textsAtPlacing = (ctx: MemberCtx, product: Offer['product'], option: Offer['option']) => {
  const title = textFor(ctx, product.title, product.translations, 'title')
  const name = textFor(ctx, option.name, option.translations, 'name')
  return {
    productTitle: title.text,
    titleLanguage: title.language,
    optionName: name.text,
    optionLanguage: name.language,
  }
}
