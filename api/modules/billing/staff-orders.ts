import { readyProducts } from '#api/modules/catalog/products.queries.ts'
import { heldRights } from '#api/modules/entitlements/entitlements.queries.ts'
import { checkGrant, type TitleGrant, writeGrant } from '#api/modules/entitlements/granted-titles.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findOwnOffers, type Offer } from '#api/modules/orders/cart.queries.ts'
import { lockOrder, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, changePrice, writeDraft } from '#api/modules/orders/orders.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { dayAfter, dayAt, startOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { RecordedMethod } from '#contract/enumerations.ts'
import type { MemberId, OptionId, OrderCode, OrderId, ProductCode } from '#contract/ids.ts'
import { moneyText } from '#contract/money.ts'
import { refuseDay, refuseRecorded } from './manual-deposits.ts'
import type { PaymentCtx } from './payment-states.ts'
import { insertManualPayment, lockBuyer, noProvider } from './payments.queries.ts'
import { type BlockingPayments, closeOthersAndBegin, createPayment, findCompetingPayments } from './payments.ts'
import { completeOrder } from './settle-payment.ts'

interface StaffOrder {
  memberId: MemberId
  productCodes: readonly ProductCode[]
  /** Options to own, where a title has several. */
  optionIds?: readonly OptionId[]
}

interface ComplimentaryOrder extends StaffOrder {
  /** For the history. The member does not see it. */
  reason: string
}

/**
 * Gives a member titles for nothing, as an order with a total of zero. Open card payments of the
 * member for these titles are closed. Failures: NOT_FOUND without the member, VALIDATION_FAILED for
 * a title that cannot be owned, that the member has, is paying for, or has another order of that
 * waits for its deposit.
 */
export const createComplimentaryOrder = (
  ctx: PaymentCtx,
  by: AuditActor,
  { reason, ...wanted }: ComplimentaryOrder,
): Promise<{ code: OrderCode } | Failure> =>
  closeOthersAndCreate(ctx, async (tx) => {
    const placed = await placeStaffOrder(tx, wanted, { complimentary: true })
    if (!('order' in placed)) return placed
    const { order, codes } = placed
    await createPayment(tx, order, 'CARD', noProvider)
    await audit(tx, {
      actor: by,
      action: 'order.given',
      subject: `order:${order.code}`,
      changes: changesOf({}, { titles: codes, member: wanted.memberId }),
      detail: { reason },
    })
    return { code: order.code }
  })

export interface PaidOrder extends StaffOrder {
  /** What was received, in minor units of the store's currency. */
  amount: number
  method: RecordedMethod
  /** What proves the payment: a number on a statement, a receipt, an invoice. It counts once. */
  reference: string
  /** The day of the payment in the store's time zone, of whose revenue the sale is. */
  day: string
  /** For the history. The member does not see it. */
  reason: string
}

/**
 * Records a sale that was paid outside of the store, as a paid order of the member. Revenue and
 * the period of refunds begin with the day of the payment. A smaller amount than the titles cost
 * becomes their price. Open card payments of the member for these titles are closed. Failures:
 * NOT_FOUND without the member, VALIDATION_FAILED for a title that cannot be owned, has nothing to
 * watch or download, that the member has, is paying for, or has another order of that waits for
 * its deposit, an amount above the price, an option of another title, a reference that was
 * recorded before, and a day in the future or more than a year ago.
 */
export const createPaidOrder = (
  ctx: PaymentCtx,
  by: AuditActor,
  sale: PaidOrder,
): Promise<{ code: OrderCode } | Failure> => closeOthersAndCreate(ctx, (tx) => writePaidOrder(tx, by, sale))

/** Now, or the last second of an earlier day, so that no day of the period of refunds is lost. */
const timeOfPayment = ({ customer, clock }: Pick<Ctx, 'customer' | 'clock'>, day: string): Date => {
  const { timeZone } = customer.settings.base
  const isToday = day === dayAt(clock.now(), timeZone)
  return isToday ? clock.now() : new Date(startOfDay(dayAfter(day), timeZone).getTime() - 1_000)
}

const writePaidOrder = async (
  ctx: Ctx,
  by: AuditActor,
  { amount, method, reference, day, reason, ...wanted }: PaidOrder,
): Promise<{ code: OrderCode } | BlockingPayments | Failure> => {
  const { db, customer, clock } = ctx
  // Banks and tills repeat references on other days.
  const providerRef = `${day} ${reference}`
  const refused = refuseDay(ctx, { reference, day }) ?? (await refuseRecorded(ctx, providerRef))
  if (refused) return refused
  const placed = await placeStaffOrder(ctx, wanted, { amount })
  if (!('order' in placed)) return placed
  const { order, codes } = placed
  const { currency } = order
  const paidAt = timeOfPayment(ctx, day)
  const payment = await insertManualPayment(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    providerRef,
    amount,
    currency,
    createdAt: clock.now().toISOString(),
    settledAt: paidAt.toISOString(),
  })
  // Recorded by somebody else in this moment. The draft expires.
  if (!payment) return (await refuseRecorded(ctx, providerRef)) ?? failure('CONFLICT')
  await changeOrder(ctx, order, { method: 'BANK', recordedAs: method }, { type: 'PAYMENT_STARTED', amount })
  if (amount < order.totalAmount) await changePrice(ctx, order, amount)
  await completeOrder(ctx, { ...order, method: 'BANK', totalAmount: amount }, reference, paidAt)
  await audit(ctx, {
    actor: by,
    action: 'order.recorded',
    subject: `order:${order.code}`,
    changes: changesOf({}, { titles: codes, member: wanted.memberId, total: amount }),
    detail: { amount, currency, method, day, reason },
  })
  return { code: order.code }
}

/**
 * Grants a member a title without an order, on the decision of staff. Open card payments of the
 * member for it are closed. Failures: NOT_FOUND without the member, VALIDATION_FAILED for a past
 * day, an unknown product or a draft, and a title that the member has, is paying for, or has an
 * order of that waits for its deposit.
 */
export const grantTitle = (ctx: PaymentCtx, by: AuditActor, grant: TitleGrant): Promise<Failure | undefined> =>
  closeOthersAndCreate<undefined>(
    ctx,
    async (tx) => {
      const { db, customer } = tx
      await lockBuyer(db, grant.id)
      const wanted = await checkGrant(tx, grant)
      if (isFailure(wanted)) return wanted
      const other = { customerId: customer.id, id: newId<OrderId>(), memberId: grant.id }
      const competing = await findCompetingPayments(tx, other, [wanted.productId])
      if ('blocking' in competing) return competing
      return refuseWaiting(tx, competing.waiting, true, 'productCode') ?? (await writeGrant(tx, by, grant, wanted))
    },
    'productCode',
  )

/** Creates an order or a grant after closing what the member has open for its titles. */
const closeOthersAndCreate = async <Created extends { code: OrderCode } | undefined>(
  ctx: PaymentCtx,
  create: (tx: Ctx) => Promise<Created | BlockingPayments | Failure>,
  field = 'productCodes',
): Promise<Created | Failure> => {
  const i18n = messagesOf(ctx.locale)
  const isPaying = () =>
    invalidField(
      field,
      i18n._('The member is paying for these titles at this moment. Look at the member’s orders in a few minutes.'),
    )
  const created = await closeOthersAndBegin(ctx, create)
  return created === null ? isPaying() : created
}

/**
 * Writes a draft of titles for a member, and returns it locked, or the payments to close first.
 * Failures: NOT_FOUND without the member, VALIDATION_FAILED as its callers say.
 */
const placeStaffOrder = async (
  ctx: Ctx,
  { memberId, productCodes, optionIds = [] }: StaffOrder,
  terms: { complimentary: true } | { amount: number },
): Promise<{ order: OrderRow; codes: ProductCode[] } | BlockingPayments | Failure> => {
  const { db, customer } = ctx
  const member = await findMember(db, customer.id, memberId)
  if (!member) return failure('NOT_FOUND')
  await lockBuyer(db, memberId)
  const offers = await findOffers(ctx, [...new Set(productCodes)], optionIds)
  if (isFailure(offers)) return offers
  const isFree = 'complimentary' in terms
  const total = isFree ? 0 : offers.reduce((sum, { option }) => sum + option.priceAmount, 0)
  // What no payment changes comes first, so that a mistake of staff closes no card page.
  const wrong = isFree ? null : ((await refuseEmpty(ctx, offers)) ?? refuseAmount(ctx, terms.amount, total))
  if (wrong) return wrong
  const products = offers.map(({ product }) => product.id)
  const other = { customerId: customer.id, id: newId<OrderId>(), memberId }
  const competing = await findCompetingPayments(ctx, other, products)
  if ('blocking' in competing) return competing
  const refused = refuseWaiting(ctx, competing.waiting, isFree) ?? (await refuseOwned(ctx, memberId, offers))
  if (refused) return refused
  // The order keeps the words of the day, in the language of its owner.
  const locale = member.locale ?? customer.settings.base.locale
  const placed = await writeDraft({ ...ctx, locale }, { memberId, offers, total, complimentary: isFree })
  const order = await lockOrder(db, customer.id, placed.id)
  if (!order) throw new Error('A new order is not there')
  return { order, codes: offers.map(({ product }) => product.code) }
}

/** The chosen option of each title, or its first. */
const findOffers = async (
  { db, customer, locale }: Ctx,
  codes: readonly ProductCode[],
  chosen: readonly OptionId[],
): Promise<Offer[] | Failure> => {
  const i18n = messagesOf(locale)
  const found = await findOwnOffers(db, customer.id, codes)
  if (chosen.some((id) => !found.some(({ option }) => option.id === id)))
    return invalidField('optionIds', i18n._('Choose options of these titles.'))
  const isChosen = ({ option }: Offer) => chosen.includes(option.id)
  const sorted = [...found.filter(isChosen), ...found]
  const offers = codes.flatMap((code) => sorted.find(({ product }) => product.code === code) ?? [])
  return offers.length < codes.length || offers.some(({ product }) => product.status === 'DRAFT')
    ? invalidField('productCodes', i18n._('Enter codes of titles that can be bought to own and are not drafts.'))
    : offers
}

const refuseWaiting = (
  { locale }: Ctx,
  code: string | null,
  isFree: boolean,
  field = 'productCodes',
): Failure | null => {
  if (!code) return null
  const i18n = messagesOf(locale)
  return invalidField(
    field,
    isFree
      ? i18n._('The order {code} of these titles waits for its deposit. Cancel that order first.', { code })
      : i18n._('The order {code} of these titles waits for its deposit. Mark that order as paid.', { code }),
  )
}

const refuseOwned = async (
  { db, customer, clock, locale }: Ctx,
  memberId: MemberId,
  offers: readonly Offer[],
): Promise<Failure | null> => {
  const productIds = offers.map(({ product }) => product.id)
  const rights = await heldRights(db, customer.id, { memberId, productIds, onPlan: [] }, clock.now())
  // A rental ends. The title stays after it.
  const owned = rights.entitlements.find(({ source }) => source !== 'RENT')
  const title = offers.find(({ product }) => product.id === owned?.productId)?.product.title
  const i18n = messagesOf(locale)
  return title === undefined ? null : invalidField('productCodes', i18n._('The member has {title}.', { title }))
}

/** Refuses a title that has nothing to watch or download yet, as members cannot buy it either. */
const refuseEmpty = async ({ db, customer, locale }: Ctx, offers: readonly Offer[]): Promise<Failure | null> => {
  const productIds = offers.map(({ product }) => product.id)
  const ready = await readyProducts(db, customer.id, productIds)
  const title = offers.find(({ product }) => !ready.has(product.id))?.product.title
  const i18n = messagesOf(locale)
  return title === undefined
    ? null
    : invalidField('productCodes', i18n._('{title} has nothing to watch or download yet.', { title }))
}

const refuseAmount = ({ customer, locale }: Ctx, amount: number, total: number): Failure | null => {
  if (amount <= total) return null
  const i18n = messagesOf(locale)
  const price = moneyText({ amount: total, currency: customer.settings.base.currency }, locale)
  return invalidField('amount', i18n._('These titles cost {total}. Enter no more than that.', { total: price }))
}
