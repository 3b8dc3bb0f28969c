import type * as z from 'zod/mini'
import type { MovementRow } from '#api/modules/analytics/sales.queries.ts'
import { enteredReference, manualProvider } from '#api/modules/billing/payments.queries.ts'
import { cancelTerms, givenByRule, needsAccount } from '#api/modules/billing/refund-terms.ts'
import { latestRequest, openRequest } from '#api/modules/billing/refunds.queries.ts'
import { readyProducts } from '#api/modules/catalog/products.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findOrderByCode, itemsOf, productCodesOf, timelineOf } from '#api/modules/orders/orders.queries.ts'
import { type AuditActor, audit, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { dayAfter, dayAt, startOfDay, timesOfDays } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { codeEndOf, codesFrom } from '#api/platform/crypto.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { StoreOrder, storeOrderExport } from '#contract/admin/orders.ts'
import type { MemberId, OrderCode } from '#contract/ids.ts'
import { type OrderListFilter, paymentsOf, readOpenCancelRequests, readStoreOrders } from './admin.queries.ts'
import { type OrderPageFilter, readOrderPage } from './admin-lists.queries.ts'

export interface OrderFilter extends Omit<OrderListFilter, 'from' | 'until'> {
  /** The first and the last day (`2026-11-21`) in the store's time zone; null without a limit. */
  firstDay: string | null
  lastDay: string | null
}

/** Orders of all members, latest first; drafts without a started payment are left out. */
export const listStoreOrders = ({ db, customer }: Ctx, { firstDay, lastDay, ...filter }: OrderFilter) => {
  const { timeZone } = customer.settings.base
  return readStoreOrders(db, customer.id, {
    ...filter,
    from: firstDay === null ? null : startOfDay(firstDay, timeZone),
    until: lastDay === null ? null : startOfDay(dayAfter(lastDay), timeZone),
  })
}

/** Refunds that wait for a decision or for their transfer, oldest first. */
export const listOpenCancelRequests = ({ db, customer }: Ctx) => readOpenCancelRequests(db, customer.id)

/**
 * An order as operators see it: items, every payment, the latest refund, the timeline. Failure:
 * NOT_FOUND.
 */
export const showStoreOrder = async ({ db, customer }: Ctx, code: OrderCode) => {
  const order = await findOrderByCode(db, customer.id, code)
  if (!order) return failure('NOT_FOUND')
  const codes = await productCodesOf(db, customer.id, order.id)
  const items = await itemsOf(db, customer.id, [order.id])
  return {
    order,
    member: await findMember(db, customer.id, order.memberId),
    items: items.map((item) => ({ ...item, productCode: codes.get(item.id) ?? '' })),
    payments: await paymentsOf(db, customer.id, order.id),
    refund: await latestRequest(db, customer.id, order.id),
    timeline: await timelineOf(db, order),
  }
}

/** Days of a range in the store's time zone, both inclusive. */
export interface Days {
  from?: string | undefined
  to?: string | undefined
}

/** Returns the times of a range of days: its start, and its end, which is not part of it. */
export const timesOf = ({ customer }: Pick<Ctx, 'customer'>, days: Days) =>
  timesOfDays(days, customer.settings.base.timeZone)

/** The page of a list that is asked for. */
export interface Paging {
  cursor?: string | undefined
  size: number
}

interface MemberColumns {
  memberId: MemberId | null
  email: string | null
  name: string | null
}

/** The member of a row as lists show them; null for a withdrawn account. */
export const buyerOf = ({ memberId: id, email, name }: MemberColumns) =>
  id === null || email === null || name === null ? null : { id, email, name }

/** The reference of the provider, or the one that staff entered. */
export const referenceOf = ({ provider, providerRef }: { provider: string | null; providerRef: string | null }) =>
  provider === manualProvider ? enteredReference(providerRef) : providerRef

type OrderFilters = Omit<z.output<typeof storeOrderExport>, 'columns'>

/**
 * Returns what a list of orders is filtered by. `q` is the start of a code, with its day, or its
 * end, for which the database reads the indexes of codes, or a part of the member's name or email
 * address, which may look like a day or like the end of a code.
 */
export const orderFilterOf = (ctx: Pick<Ctx, 'customer'>, { status, memberId, q: typed, ...filters }: OrderFilters) => {
  // As the ends of codes are shown to members.
  const q = typed.replace(/^#/, '')
  const codes = codesFrom(q.toUpperCase(), '99999999-ZZZZZZ', '20261128'.length)
  return {
    status: status ?? null,
    way: filters.way ?? null,
    product: filters.product ?? null,
    min: filters.min ?? null,
    max: filters.max ?? null,
    sort: filters.sort,
    memberId: memberId ?? null,
    codes: codes ?? codeEndOf(q),
    memberText: q === '' || (codes && q.length > '20261128'.length) ? null : q.toLowerCase(),
    ...timesOf(ctx, filters),
  }
}

/** A page of the orders of all members. Failure: VALIDATION_FAILED for an invalid cursor. */
export const pageOrders = async (ctx: Ctx, { cursor, size, ...filters }: Paging & OrderFilters) => {
  const after = readCursor(cursor, filters.sort === 'TOTAL' ? 'AMOUNT' : 'TIME')
  if (isFailure(after)) return after
  const rows = await readOrderPage(ctx.db, ctx.customer.id, { ...orderFilterOf(ctx, filters), after, size })
  const { items, nextCursor } = keysetPageOf(rows, size)
  return {
    items: items.map(({ totalAmount, refundedAmount, currency, memberId, email, name, providerRef, ...row }) => ({
      ...row,
      reference: referenceOf({ ...row, providerRef }),
      total: { amount: totalAmount, currency },
      refunded: { amount: refundedAmount, currency },
      member: buyerOf({ memberId, email, name }),
    })),
    nextCursor,
  }
}

/** The latest orders that a text finds as in the list, those with such a code first. */
export const findOrders = async (ctx: Ctx, { q, size }: { q: string; size: number }) => {
  const { codes, memberText, ...others } = orderFilterOf(ctx, { q, sort: 'NEWEST' })
  const find = (by: Pick<OrderPageFilter, 'codes' | 'memberText'>) =>
    readOrderPage(ctx.db, ctx.customer.id, { ...others, ...by, after: null, size: size - 1 })
  // A day, or the end of a code, may be a part of a name or an address too.
  const found = [
    ...(codes ? await find({ codes, memberText: null }) : []),
    ...(memberText === null ? [] : await find({ codes: null, memberText })),
  ]
  const rows = [...new Map(found.map((row) => [row.code, row])).values()].slice(0, size)
  return {
    items: rows.map(({ code, memberId, email, name }) => ({ code, member: buyerOf({ memberId, email, name }) })),
  }
}

type ShownOrder = Exclude<Awaited<ReturnType<typeof showStoreOrder>>, Failure>

/** The version of an order, which changes with its money, its items and its refund. */
const versionOfOrder = ({ order, items, refund }: ShownOrder) => {
  return versionOf({
    status: order.status,
    refunded: order.refundedAmount,
    items: items.map(({ openedAt, refundedAt }) => [openedAt, refundedAt]),
    refund: refund && [refund.id, refund.step, refund.outcome],
  })
}

/**
 * Refuses a change of an order that is not as the caller saw it. `expected` is the value of
 * `If-Match`. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT with the present version and
 * the latest changes.
 */
export const refuseOldOrder = async (ctx: Ctx, code: OrderCode, expected: string | null) => {
  const shown = await showStoreOrder(ctx, code)
  if (isFailure(shown)) return shown
  return refuseOldVersion(ctx, { expected, version: versionOfOrder(shown), subject: `order:${code}` })
}

/** An order as the console shows it. Failure: NOT_FOUND. */
export const viewStoreOrder = async (ctx: Ctx, code: OrderCode): Promise<StoreOrder | Failure> => {
  const shown = await showStoreOrder(ctx, code)
  if (isFailure(shown)) return shown
  const { order, member, items, payments, refund, timeline } = shown
  const { currency } = order
  const money = (amount: number) => ({ amount, currency })
  const { db, customer, clock } = ctx
  const ready = await readyProducts(
    db,
    customer.id,
    items.map(({ productId }) => productId),
  )
  const open = await openRequest(db, customer.id, order.id)
  const { refundDays } = customer.settings.order
  const rule = cancelTerms({ order, items, ready, request: open, refundDays, now: clock.now() })
  const given = givenByRule(rule)
  return {
    code: order.code,
    version: versionOfOrder(shown),
    status: order.status,
    method: order.method,
    total: money(order.totalAmount),
    refunded: money(order.refundedAmount),
    complimentary: order.complimentary,
    recordedAs: order.recordedAs,
    member: member && { id: member.id, email: member.email, name: member.name },
    items: items.map((item) => ({
      id: item.id,
      productId: item.productId,
      productCode: item.productCode,
      title: item.productTitle,
      option: item.optionName,
      optionType: item.optionType,
      price: money(item.priceAmount),
      refundedPart: money(item.refundedAmount),
      openedAt: item.openedAt,
      refundedAt: item.refundedAt,
    })),
    payments: payments.map(({ amount, refundedAmount, currency: of, ...payment }) => ({
      ...payment,
      amount: { amount, currency: of },
      refunded: { amount: refundedAmount, currency: of },
    })),
    refund: refund && {
      step: refund.step,
      byStore: refund.byStore,
      reason: refund.reason,
      amount: money(refund.amount),
      itemIds: refund.itemIds,
      outcome: refund.outcome,
      rejection: refund.rejection,
      failure: refund.failure,
      needsAccount: needsAccount(order, refund),
      createdAt: refund.createdAt,
    },
    rule: {
      action: rule.action,
      why: rule.why,
      itemIds: given.itemIds,
      amount: money(given.amount),
      until: rule.until,
    },
    timeline: timeline.map(({ at, type, amount, detail }) => ({
      at,
      type,
      amount: amount === null ? null : money(amount),
      detail,
    })),
    history: await historyOf(ctx, `order:${code}`),
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    depositDeadline: order.depositDeadline,
  }
}

/** Adds a note to an order or a member. It is part of the history. Failure: NOT_FOUND. */
export const addNote = async (
  ctx: Ctx,
  by: AuditActor,
  to: { order: OrderCode } | { member: MemberId },
  text: string,
) => {
  const { db, customer } = ctx
  const target =
    'order' in to ? await findOrderByCode(db, customer.id, to.order) : await findMember(db, customer.id, to.member)
  if (!target) return failure('NOT_FOUND')
  const subject = 'order' in to ? `order:${to.order}` : `member:${to.member}`
  await audit(ctx, { actor: by, action: 'note.added', subject, detail: { text } })
  return undefined
}

/** The columns of a file of payments and refunds. */
export const movementColumns = [
  ...['day', 'time', 'order', 'plan', 'type', 'provider', 'method', 'reference', 'receipt number'],
  ...['paid', 'refunded', 'currency'],
]

/** Returns a line of these columns, with its day and time in the store's time zone. */
export const movementLine = (row: MovementRow, timeZone: string) => {
  const at = new Date(row.at)
  const isManual = row.provider === manualProvider
  return [
    dayAt(at, timeZone),
    at.toLocaleTimeString('en-GB', { timeZone }),
    row.order,
    row.plan,
    row.refunded > 0 ? 'REFUND' : 'PAYMENT',
    row.provider,
    row.method,
    isManual ? (row.recordedAs === null ? enteredReference(row.orderRef) : null) : (row.chargeRef ?? row.orderRef),
    row.recordedAs === null ? null : enteredReference(row.orderRef),
    writeMoney(row.revenue, row.currency),
    writeMoney(row.refunded, row.currency),
    row.currency,
  ]
}
