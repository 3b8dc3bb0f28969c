import type * as z from 'zod/mini'
import { grantEntitlements, revokeEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import {
  type Ctx,
  type EventHandler,
  type Failure,
  failure,
  invalidField,
  isFailure,
  type MemberCtx,
} from '#api/platform/context.ts'
import { randomCode } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { textFor } from '#api/platform/i18n/translations.ts'
import type { OrderStatus } from '#contract/enumerations.ts'
import { type MemberId, type OrderCode, type OrderId, type OrderItemId, orderCode } from '#contract/ids.ts'
import type { orderPlace } from '#contract/orders.ts'
import { cartLines, findCart, type Offer } from './cart.queries.ts'
import { buyableOffer, checkOffers } from './cart.ts'
import {
  addItemRefund,
  appendOrderEvent,
  insertOrder,
  insertOrderItems,
  itemsOf,
  markOrderItemOpened,
  markRefunded,
  type OrderEventType,
  type OrderItemRow,
  type OrderRow,
  type OrderValues,
  setItemPrice,
  updateOrder,
} from './orders.queries.ts'

/**
 * An order's state. DRAFT stands for the contract's null: nothing is paid and nothing has failed.
 */
export type OrderState = OrderStatus | 'DRAFT'

export type OrderChange =
  | 'PAID'
  | 'PAYMENT_FAILED'
  | 'DEPOSIT_ISSUED'
  | 'DEPOSIT_EXPIRED'
  | 'DEPOSIT_CANCELLED'
  | 'DEPOSIT_REVERSED'
  | 'CANCEL_REQUESTED'
  | 'CANCEL_REJECTED'
  | 'CANCEL_WITHDRAWN'
  | 'REFUNDED'
  | 'PARTLY_REFUNDED'

/** All transitions of an order. A change that is not listed for a state is ignored. */
export const orderTransitions = {
  DRAFT: { PAID: 'PAYMENT_COMPLETE', PAYMENT_FAILED: 'PAYMENT_FAIL', DEPOSIT_ISSUED: 'DEPOSIT_WAITING' },
  DEPOSIT_WAITING: {
    PAID: 'PAYMENT_COMPLETE',
    DEPOSIT_EXPIRED: 'PAYMENT_FAIL',
    DEPOSIT_CANCELLED: 'CANCEL_COMPLETE',
  },
  PAYMENT_COMPLETE: { DEPOSIT_REVERSED: 'DEPOSIT_WAITING', CANCEL_REQUESTED: 'CANCEL_REQUEST' },
  CANCEL_REQUEST: {
    REFUNDED: 'CANCEL_COMPLETE',
    PARTLY_REFUNDED: 'PAYMENT_COMPLETE',
    CANCEL_REJECTED: 'PAYMENT_COMPLETE',
    CANCEL_WITHDRAWN: 'PAYMENT_COMPLETE',
  },
  PAYMENT_FAIL: {},
  CANCEL_COMPLETE: {},
} as const satisfies Record<OrderState, Partial<Record<OrderChange, OrderStatus>>>

/** Returns the state that follows a change, or null if the table does not list it. */
export const nextOrderState = (state: OrderState, change: OrderChange): OrderStatus | null => {
  const row: Partial<Record<OrderChange, OrderStatus>> = orderTransitions[state]
  return row[change] ?? null
}

/** An entry of an order's timeline. `amount` is in minor units of the order's currency. */
export interface OrderEvent {
  type: OrderEventType
  amount?: number
  detail?: string | null
}

/** Adds an entry to an order's timeline. */
export const recordOrderEvent = ({ db, clock }: Pick<Ctx, 'db' | 'clock'>, order: OrderRow, event: OrderEvent) =>
  appendOrderEvent(db, order, { ...event, at: clock.now() })

/** Changes an order, and adds the event that did so to its timeline. Requires the order's lock. */
export const changeOrder = async (
  ctx: Pick<Ctx, 'db' | 'clock'>,
  order: OrderRow,
  change: OrderValues,
  event: OrderEvent,
) => {
  await updateOrder(ctx.db, order, change)
  await recordOrderEvent(ctx, order, event)
}

/** What can still be refunded of an item's price, in minor units. */
export const leftOfItem = ({
  priceAmount,
  refundedAmount,
  refundedAt,
}: Pick<OrderItemRow, 'priceAmount' | 'refundedAmount' | 'refundedAt'>): number =>
  refundedAt === null ? priceAmount - refundedAmount : 0

/** Refunds a part of an item's price, which the member keeps. Requires the order's lock. */
export const refundPartOfItem = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, id: OrderItemId, amount: number) =>
  addItemRefund(db, customer.id, id, amount)

/** Marks items as refunded and ends the rights they granted. Requires the order's lock. */
export const endRefundedItems = async (ctx: Ctx, itemIds: readonly OrderItemId[]) => {
  await markRefunded(ctx.db, ctx.customer.id, itemIds, ctx.clock.now())
  await revokeEntitlements(ctx, itemIds)
}

/** Marks a bought item as opened after its content was played or downloaded first. */
export const markItemOpened: EventHandler<'entitlementStarted'> = ({ db, customer }, { orderItemId, at }) =>
  markOrderItemOpened(db, customer.id, orderItemId, at)

/**
 * A new order's code: the day in the tenant's time zone and six random characters,
 * `20261121-7F3K9Q`.
 */
export const newOrderCode = (now: Date, timeZone: string): OrderCode => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return orderCode.parse(`${day.format(now).replaceAll('-', '')}-${randomCode(6)}`)
}

type OrderPlace = z.output<typeof orderPlace>

/** Minutes a draft waits for its payment. */
const draftMinutes = 30

/**
 * Creates an order draft from the chosen lines. Prices and names come from the server at this
 * moment; `expectedTotal`, the total the member saw, is only compared. The cart retains its lines
 * until they are paid, so that a declined card does not empty it.
 *
 * Fails with PAYMENT_DISABLED, NOT_FOUND, PRICE_CHANGED (`data` holds the total), VALIDATION_FAILED
 * (an outdated refund policy, or nothing to buy), and with the reason why an item cannot be bought:
 * GONE, NOT_READY, ALREADY_OWNED or INCLUDED_IN_PLAN.
 */
export const placeOrder = async (ctx: MemberCtx, input: OrderPlace): Promise<OrderRow | Failure> => {
  const { order: rules, base } = ctx.customer.settings
  if (!rules.usePayment && !rules.useFree) return failure('PAYMENT_DISABLED')
  const i18n = messagesOf(ctx.locale)
  if (input.refundPolicyVersion !== rules.refundPolicy.version)
    return invalidField('refundPolicyVersion', i18n._('The refund policy has changed. Review it before you pay.'))
  const offers = input.buyNow ? await offerAtOnce(ctx, input) : await offersOfCart(ctx, input)
  if (isFailure(offers)) return offers

  const total = offers.reduce((sum, { option }) => sum + option.priceAmount, 0)
  const expectedTotal = input.expectedTotal
  if (expectedTotal && (expectedTotal.amount !== total || expectedTotal.currency !== base.currency)) {
    return failure('PRICE_CHANGED', { data: { total: { amount: total, currency: base.currency } } })
  }
  if (total > 0 ? !rules.usePayment : !rules.useFree) return failure('PAYMENT_DISABLED')
  return writeDraft(ctx, { memberId: ctx.actor.memberId, offers, total })
}

const offerAtOnce = async (ctx: MemberCtx, input: OrderPlace): Promise<Offer[] | Failure> => {
  const i18n = messagesOf(ctx.locale)
  if (input.cartItemIds || !input.buyNow)
    return invalidField('buyNow', i18n._('Order items from the cart or a single option, not both.'))
  const offer = await buyableOffer(ctx, input.buyNow.productId, input.buyNow.optionId)
  return isFailure(offer) ? offer : [offer]
}

/**
 * The chosen cart lines, all of which must be for sale. Without a choice, every line that is for
 * sale.
 */
const offersOfCart = async (ctx: MemberCtx, input: OrderPlace): Promise<Offer[] | Failure> => {
  const cart = await findCart(ctx.db, ctx.customer.id, { memberId: ctx.actor.memberId })
  const lines = cart ? await cartLines(ctx.db, cart, { lock: true }) : []
  const chosen = input.cartItemIds && new Set<string>(input.cartItemIds)
  const chosenLines = chosen ? lines.filter((line) => chosen.has(line.item.id)) : lines
  if (chosen && chosenLines.length < chosen.size) return failure('NOT_FOUND')

  const offers: Offer[] = []
  for (const offer of await checkOffers(ctx, chosenLines)) {
    if (!isFailure(offer)) offers.push(offer)
    else if (chosen) return offer
  }
  if (offers.length > 0) return offers
  const i18n = messagesOf(ctx.locale)
  return invalidField('cartItemIds', i18n._('None of the items in the cart can be bought right now.'))
}

interface Draft {
  memberId: MemberId
  offers: readonly Offer[]
  /** Minor units. A complimentary order costs nothing. */
  total: number
  complimentary?: boolean
}

/** Writes a draft with its items, in the texts of the context's language. */
export const writeDraft = async (
  ctx: Ctx,
  { memberId, offers, total, complimentary = false }: Draft,
): Promise<OrderRow> => {
  const { customer, clock, db } = ctx
  const { base, order: rules } = customer.settings
  const now = clock.now()
  const draft = {
    customerId: customer.id,
    id: newId<OrderId>(),
    memberId,
    complimentary,
    totalAmount: total,
    currency: base.currency,
    refundPolicyVersion: rules.refundPolicy.version,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + draftMinutes * 60_000).toISOString(),
  }
  let order: OrderRow | null = null
  // Six characters per day allow a billion codes. A collision draws a new code.
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
      priceAmount: complimentary ? 0 : option.priceAmount,
      currency: base.currency,
      sort,
    })),
  )
  await recordOrderEvent(ctx, order, { type: 'PLACED', amount: total })
  return order
}

/**
 * The texts the buyer read at the time of purchase. Later catalogue changes do not alter the order.
 */
const textsAtPlacing = (ctx: Ctx, product: Offer['product'], option: Offer['option']) => {
  const title = textFor(ctx, product.title, product.translations, 'title')
  const name = textFor(ctx, option.name, option.translations, 'name')
  return {
    productTitle: title.text,
    titleLanguage: title.language,
    optionName: name.text,
    optionLanguage: name.language,
  }
}

/** Grants a member the items of an order, in the transaction that settles it. Safe to repeat. */
export const grantOrder = (
  ctx: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Ctx['customer'], 'id'> },
  memberId: MemberId,
  items: readonly OrderItemRow[],
) => {
  const now = ctx.clock.now()
  const grants = items.map((item) => ({
    memberId,
    productId: item.productId,
    orderItemId: item.id,
    source: item.optionType,
    rentalDays: item.days,
    startBy:
      item.startWithinDays === null
        ? null
        : new Date(now.getTime() + item.startWithinDays * dayMilliseconds).toISOString(),
  }))
  return grantEntitlements(ctx, grants)
}

/**
 * Changes the price of an order to `total` minor units: refunds never exceed it. Its items get
 * their part of `prices`, or else prices in proportion. Requires the order's lock.
 */
export const changePrice = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  order: OrderRow,
  total: number,
  prices: readonly number[] = [],
) => {
  let [remaining, before] = [total, order.totalAmount]
  for (const [at, item] of (await itemsOf(db, customer.id, [order.id])).entries()) {
    const price = prices[at] ?? (before === 0 ? 0 : Math.round((item.priceAmount * remaining) / before))
    before -= item.priceAmount
    remaining -= price
    if (price !== item.priceAmount) await setItemPrice(db, item, price)
  }
  await updateOrder(db, order, { totalAmount: total })
}
