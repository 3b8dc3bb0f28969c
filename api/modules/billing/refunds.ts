import { readyProducts } from '#api/modules/catalog/products.queries.ts'
import { suspendEntitlements } from '#api/modules/entitlements/entitlements.ts'
import {
  itemsOf,
  lockOrderByCode,
  type OrderItemRow,
  type OrderRow,
  productCodesOf,
} from '#api/modules/orders/orders.queries.ts'
import { changeOrder, leftOfItem, nextOrderState } from '#api/modules/orders/orders.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import type { OrderCode, OrderItemId } from '#contract/ids.ts'
import { moneyText } from '#contract/money.ts'
import { type PaymentCtx, stateOf } from './payment-states.ts'
import { noProvider, paidPayment } from './payments.queries.ts'
import { refundPayment } from './refund-payments.ts'
import { finishRequest } from './refund-states.ts'
import { cancelTerms, givenByRule, notifyAccountWanted } from './refund-terms.ts'
import { insertCancelRequest, openRequest } from './refunds.queries.ts'

export interface StoreRefund {
  code: OrderCode
  /** Product codes to refund. Empty: every item that has not been refunded. */
  productCodes: readonly string[]
  /** The items to refund, in place of `productCodes`. */
  itemIds?: readonly OrderItemId[]
  /**
   * A part of the price of one item, in minor units: the member keeps it. All that is left of the
   * price refunds the item. Without it, all that is left is refunded.
   */
  amount?: number | undefined
  /** False refuses items that the refund rule does not refund. */
  overridesRule?: boolean
  /** The reason for the audit log. The member does not see it. */
  reason: string
  by: AuditActor
}

export interface StoreRefundAnswer {
  /**
   * REFUND: refunded. ACCEPT: the provider is asked again later. ACCOUNT: the member is asked for
   * an account.
   */
  step: 'REFUND' | 'ACCEPT' | 'ACCOUNT'
  /** Minor units of the order's currency. */
  amount: number
  currency: string
  titles: string[]
}

const longestReason = 500

/**
 * Refunds an order or some of its products on the store's own decision. Opened items and items past
 * the refund period are allowed; the audit log records where the rule would have refused. Fails
 * with NOT_FOUND if there is no such order, CANCEL_NOT_POSSIBLE if nothing of it is paid,
 * REFUND_AGAINST_RULE where the rule may not be overridden, and VALIDATION_FAILED if a product is
 * not in the order, the amount is more than what is left of the item's price, or the member's own
 * request waits for a decision. An order that cost nothing is revoked.
 */
export const refundOrder = async (ctx: PaymentCtx, refund: StoreRefund): Promise<StoreRefundAnswer | Failure> => {
  const written = await ctx.inTransaction((tx) => writeRefund(tx, refund))
  if (isFailure(written)) return written
  const { paymentId, orderId, ...answer } = written
  if (answer.step !== 'ACCEPT') return answer
  await refundPayment(ctx, paymentId)
  const remaining = await ctx.inTransaction((tx) => openRequest(tx.db, tx.customer.id, orderId))
  return { ...answer, step: remaining ? 'ACCEPT' : 'REFUND' }
}

const writeRefund = async (
  ctx: Ctx,
  { code, productCodes, itemIds = [], amount: part, overridesRule = true, reason, by }: StoreRefund,
) => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  const why = reason.trim()
  if (why === '' || why.length > longestReason)
    return invalidField('reason', i18n._('Enter a reason of 1 to {max} characters.', { max: longestReason }))
  const order = await lockOrderByCode(db, customer.id, code)
  if (!order) return failure('NOT_FOUND')
  const request = await openRequest(db, customer.id, order.id)
  if (request?.step === 'PENDING')
    return failure('VALIDATION_FAILED', {
      errors: { code: [i18n._('The member has requested a refund of this order. Approve or reject the request.')] },
      data: { request: request.id },
    })
  if (request) return invalidField('code', i18n._('A refund of this order is already in progress.'))
  const payment = await paidPayment(db, customer.id, order.id)
  const status = nextOrderState(stateOf(order), 'CANCEL_REQUESTED')
  if (order.status === 'CANCEL_COMPLETE' && payment)
    return invalidField('code', i18n._('Order {code} is already refunded.', { code }))
  if (!payment || status === null) return failure('CANCEL_NOT_POSSIBLE')

  const items = await itemsOf(db, customer.id, [order.id])
  const chosen =
    itemIds.length > 0
      ? chooseIds(i18n, items, itemIds)
      : chooseItems(i18n, items, productCodes, await productCodesOf(db, customer.id, order.id))
  if (isFailure(chosen)) return chosen
  const refundable = chosen.reduce((sum, item) => sum + leftOfItem(item), 0)
  const refused = part === undefined ? null : refusePart(ctx, order, { part, refundable, items: chosen.length })
  if (refused) return refused
  const amount = part ?? refundable
  const keepsItems = amount < refundable
  const now = clock.now()
  const ready = await readyProducts(
    db,
    customer.id,
    items.map(({ productId }) => productId),
  )
  const { refundDays } = customer.settings.order
  const terms = cancelTerms({ order, items, ready, request: null, refundDays, now })
  const isFree = payment.provider === noProvider
  const given = givenByRule(terms)
  const againstRule = !isFree && chosen.some(({ id }) => !given.itemIds.includes(id))
  if (againstRule && !overridesRule) return failure('REFUND_AGAINST_RULE', { data: { why: terms.why, ...given } })
  const refundedIds = chosen.map((item) => item.id)
  if (!keepsItems) await suspendEntitlements(ctx, refundedIds)
  const written = await insertCancelRequest(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    memberId: order.memberId,
    byStore: true,
    step: 'ACCEPT',
    keepsItems,
    itemIds: refundedIds,
    amount,
    currency: order.currency,
    reason: why,
    createdAt: now.toISOString(),
    decidedAt: now.toISOString(),
    nextAttemptAt: now.toISOString(),
  })
  const change = { status, refundStep: 'ACCEPT', refundReason: null } as const
  await changeOrder(ctx, order, change, { type: 'REFUND_BY_STORE', amount })
  await audit(ctx, {
    actor: by,
    action: 'order.refunded',
    subject: `order:${code}`,
    changes: changesOf<Pick<typeof order, 'status'>>({ status: order.status }, { status }),
    detail: {
      amount,
      currency: order.currency,
      titles: chosen.map((item) => item.productTitle),
      reason: why,
      againstRule,
      keepsItems,
    },
  })
  // No provider has anything to refund.
  if (isFree) await finishRequest(ctx, { ...order, status }, written, 'REQUESTED')
  else if (order.method === 'BANK') await notifyAccountWanted(ctx, order, written)
  return {
    orderId: order.id,
    paymentId: payment.id,
    step: isFree ? ('REFUND' as const) : order.method === 'BANK' ? ('ACCOUNT' as const) : ('ACCEPT' as const),
    amount,
    currency: order.currency,
    titles: chosen.map((item) => item.productTitle),
  }
}

/** Refuses an amount of several items, and one that is not left of the price. */
const refusePart = (
  { locale }: Ctx,
  { currency }: OrderRow,
  { part, refundable, items }: { part: number; refundable: number; items: number },
) => {
  const i18n = messagesOf(locale)
  if (items !== 1) return invalidField('amount', i18n._('Choose one title to refund a part of its price.'))
  if (part > 0 && part <= refundable) return null
  const limit = moneyText({ amount: refundable, currency }, locale)
  return invalidField('amount', i18n._('Enter more than 0 and at most {limit}.', { limit }))
}

const chooseItems = (
  i18n: I18n,
  items: readonly OrderItemRow[],
  productCodes: readonly string[],
  codes: ReadonlyMap<string, string>,
): readonly OrderItemRow[] | Failure => {
  const remaining = items.filter((item) => item.refundedAt === null)
  if (remaining.length === 0) return failure('CANCEL_NOT_POSSIBLE')
  if (productCodes.length === 0) return remaining
  const codeOf = (item: OrderItemRow) => codes.get(item.id) ?? ''
  const unknown = productCodes.find((code) => !remaining.some((item) => codeOf(item) === code))
  if (unknown === undefined) return remaining.filter((item) => productCodes.includes(codeOf(item)))
  const right = remaining.map(codeOf).join(', ')
  return invalidField(
    'title',
    i18n._('This order has no refundable title {unknown}. Its refundable titles are: {right}.', { unknown, right }),
  )
}

const chooseIds = (
  i18n: I18n,
  items: readonly OrderItemRow[],
  ids: readonly OrderItemId[],
): readonly OrderItemRow[] | Failure => {
  const chosen = items.filter((item) => item.refundedAt === null && ids.includes(item.id))
  if (chosen.length === new Set(ids).size) return chosen
  return invalidField('itemIds', i18n._('Choose items of this order that are not refunded yet.'))
}
