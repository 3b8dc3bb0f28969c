import { heldRights } from '#api/modules/entitlements/entitlements.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findOwnOffers, type Offer } from '#api/modules/orders/cart.queries.ts'
import { findCompetingOrder, lockOrder, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, reducePrice, writeDraft } from '#api/modules/orders/orders.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberId, OrderCode, OrderId, ProductCode } from '#contract/ids.ts'
import { moneyText } from '#contract/money.ts'
import { refuseDay } from './manual-deposits.ts'
import { hasManualPayment, insertManualPayment, lockBuyer, noProvider } from './payments.queries.ts'
import { createPayment } from './payments.ts'
import { completeOrder } from './settle-payment.ts'

interface StaffOrder {
  memberId: MemberId
  productCodes: readonly ProductCode[]
}

interface ComplimentaryOrder extends StaffOrder {
  /** For the history. The member does not see it. */
  reason: string
}

/**
 * Gives a member titles for nothing, as an order with a total of zero. Failures: NOT_FOUND without
 * the member, VALIDATION_FAILED for a title that cannot be owned or that the member has.
 */
export const createComplimentaryOrder = async (
  ctx: Ctx,
  by: AuditActor,
  { memberId, productCodes, reason }: ComplimentaryOrder,
): Promise<{ code: OrderCode } | Failure> => {
  const placed = await placeFor(ctx, { memberId, productCodes }, { complimentary: true })
  if (isFailure(placed)) return placed
  const { order, codes } = placed
  await createPayment(ctx, order, 'CARD', noProvider)
  await audit(ctx, {
    actor: by,
    action: 'order.given',
    subject: `order:${order.code}`,
    changes: changesOf({}, { titles: codes, member: memberId }),
    detail: { reason },
  })
  return { code: order.code }
}

export interface PaidOrder extends StaffOrder {
  /** What was received, in minor units of the store's currency. */
  amount: number
  /** What proves the payment: a number on a statement, a receipt, an invoice. It counts once. */
  reference: string
  /** The day of the payment in the store's time zone. */
  day: string
  /** For the history. The member does not see it. */
  reason: string
}

/**
 * Records a sale that was paid outside of the store, as a paid order of the member. A smaller
 * amount than the titles cost becomes their price. Failures: NOT_FOUND without the member,
 * VALIDATION_FAILED for a title that cannot be owned, that the member has or that another order is
 * to be paid for, an amount above the price, a reference that was recorded before, and a day in the
 * future.
 */
export const createPaidOrder = async (
  ctx: Ctx,
  by: AuditActor,
  { amount, reference, day, reason, ...wanted }: PaidOrder,
): Promise<{ code: OrderCode } | Failure> => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  // Banks and tills repeat references on other days.
  const providerRef = `${day} ${reference}`
  const isRecorded = () =>
    invalidField('reference', i18n._('A payment with this reference and day was recorded before.'))
  const refused = refuseDay(ctx, { reference, day })
  if (refused) return refused
  if (await hasManualPayment(db, customer.id, providerRef)) return isRecorded()
  const placed = await placeFor(ctx, wanted, { amount })
  if (isFailure(placed)) return placed
  const { order, codes } = placed
  const { currency } = order
  const now = clock.now().toISOString()
  const payment = await insertManualPayment(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    providerRef,
    amount,
    currency,
    createdAt: now,
    settledAt: now,
  })
  // Recorded by somebody else in this moment. The draft expires.
  if (!payment) return isRecorded()
  await changeOrder(ctx, order, { method: 'BANK' }, { type: 'PAYMENT_STARTED', amount })
  if (amount < order.totalAmount) await reducePrice(ctx, order, amount)
  await completeOrder(ctx, { ...order, method: 'BANK', totalAmount: amount }, reference)
  await audit(ctx, {
    actor: by,
    action: 'order.recorded',
    subject: `order:${order.code}`,
    changes: changesOf({}, { titles: codes, member: wanted.memberId, total: amount }),
    detail: { amount, currency, reference, day, reason },
  })
  return { code: order.code }
}

/**
 * Writes a draft of titles for a member, and returns it locked. Failures: NOT_FOUND without the
 * member, VALIDATION_FAILED as its callers say.
 */
const placeFor = async (
  ctx: Ctx,
  { memberId, productCodes }: StaffOrder,
  terms: { complimentary: true } | { amount: number },
): Promise<{ order: OrderRow; codes: ProductCode[] } | Failure> => {
  const { db, customer } = ctx
  const i18n = messagesOf(ctx.locale)
  const member = await findMember(db, customer.id, memberId)
  if (!member) return failure('NOT_FOUND')
  await lockBuyer(db, memberId)
  const offers = await offersToGive(ctx, memberId, [...new Set(productCodes)])
  if (isFailure(offers)) return offers
  const isFree = 'complimentary' in terms
  const total = isFree ? 0 : offers.reduce((sum, { option }) => sum + option.priceAmount, 0)
  const products = offers.map(({ product }) => product.id)
  const other = { customerId: customer.id, id: newId<OrderId>(), memberId }
  const waiting = isFree ? null : await findCompetingOrder(db, other, products)
  if (waiting)
    return invalidField(
      'productCodes',
      i18n._('The order {code} of these titles waits for its deposit. Mark that order as paid.', { code: waiting }),
    )
  if (!isFree && terms.amount > total)
    return invalidField(
      'amount',
      i18n._('These titles cost {total}. Enter no more than that.', {
        total: moneyText({ amount: total, currency: customer.settings.base.currency }, ctx.locale),
      }),
    )
  // The order keeps the words of the day, in the language of its owner.
  const locale = member.locale ?? customer.settings.base.locale
  const placed = await writeDraft({ ...ctx, locale }, { memberId, offers, total, complimentary: isFree })
  const order = await lockOrder(db, customer.id, placed.id)
  if (!order) throw new Error('A new order is not there')
  return { order, codes: offers.map(({ product }) => product.code) }
}

const offersToGive = async (
  { db, customer, clock, locale }: Ctx,
  memberId: MemberId,
  codes: readonly ProductCode[],
): Promise<Offer[] | Failure> => {
  const i18n = messagesOf(locale)
  const unsorted = await findOwnOffers(db, customer.id, codes)
  const offers = codes.flatMap((code) => unsorted.find(({ product }) => product.code === code) ?? [])
  if (offers.length < codes.length || offers.some(({ product }) => product.status === 'DRAFT'))
    return invalidField('productCodes', i18n._('Enter codes of titles that can be bought to own and are not drafts.'))
  const productIds = offers.map(({ product }) => product.id)
  const rights = await heldRights(db, customer.id, { memberId, productIds, onPlan: [] }, clock.now())
  // A rental ends. The title stays after it.
  const owned = rights.entitlements.find(({ source }) => source !== 'RENT')
  const title = offers.find(({ product }) => product.id === owned?.productId)?.product.title
  return title === undefined ? offers : invalidField('productCodes', i18n._('The member has {title}.', { title }))
}
