import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { productOptions } from '#api/modules/catalog/catalog.schema.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { OrderStatus } from '#contract/enumerations.ts'
import type {
  CustomerId,
  MemberId,
  OptionId,
  OrderCode,
  OrderId,
  OrderItemId,
  ProductCode,
  ProductId,
} from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { orderEvents, orderItems, orders } from './orders.schema.ts'

export type OrderRow = typeof orders.$inferSelect
export type OrderItemRow = typeof orderItems.$inferSelect
export type OrderEventType = Order['timeline'][number]['type']

const byId = (order: Pick<OrderRow, 'customerId' | 'id'>) =>
  and(eq(orders.customerId, order.customerId), eq(orders.id, order.id))

/** Inserts a draft with a new code. Returns null if the code is taken. */
export const insertOrder = async (db: TenantDb, order: typeof orders.$inferInsert): Promise<OrderRow | null> => {
  const [row] = await db
    .insert(orders)
    .values(order)
    .onConflictDoNothing({ target: [orders.customerId, orders.code] })
    .returning()
  return row ?? null
}

/** Inserts the lines of a new order, with their prices in minor units. */
export const insertOrderItems = (db: TenantDb, items: (typeof orderItems.$inferInsert)[]) =>
  db.insert(orderItems).values(items)

/** Appends an event to the timeline of an order. `amount` is in minor units. */
export const appendOrderEvent = (
  db: TenantDb,
  order: Pick<OrderRow, 'customerId' | 'id'>,
  event: { type: OrderEventType; amount?: number; detail?: string | null; at: Date },
) =>
  db.insert(orderEvents).values({
    customerId: order.customerId,
    id: newId(),
    orderId: order.id,
    type: event.type,
    amount: event.amount ?? null,
    detail: event.detail ?? null,
    at: event.at.toISOString(),
  })

/** Returns one of a member's own orders by its code, or null. */
export const findOrder = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, code: OrderCode) => {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.customerId, customerId), eq(orders.code, code), eq(orders.memberId, memberId)))
  return order ?? null
}

/** Returns an order of any owner, for rules and operators. */
export const findOrderById = async (db: TenantDb, customerId: CustomerId, id: OrderId): Promise<OrderRow | null> => {
  const [order] = await db.select().from(orders).where(byId({ customerId, id }))
  return order ?? null
}

/** Returns an order of any member by its code, or null. */
export const findOrderByCode = async (
  db: TenantDb,
  customerId: CustomerId,
  code: OrderCode,
): Promise<OrderRow | null> => {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.customerId, customerId), eq(orders.code, code)))
  return order ?? null
}

/** Returns an order and locks it against other settlements until the transaction ends. */
export const lockOrder = async (db: TenantDb, customerId: CustomerId, id: OrderId): Promise<OrderRow | null> => {
  const [order] = await db.select().from(orders).where(byId({ customerId, id })).for('update')
  return order ?? null
}

/** Returns an order by its code and locks it like `lockOrder`, or null. */
export const lockOrderByCode = async (
  db: TenantDb,
  customerId: CustomerId,
  code: OrderCode,
): Promise<OrderRow | null> => {
  const order = await findOrderByCode(db, customerId, code)
  return order && lockOrder(db, customerId, order.id)
}

/** The columns that change after an order was placed. */
export type OrderValues = Partial<
  Pick<
    OrderRow,
    | 'status'
    | 'method'
    | 'paidAt'
    | 'expiresAt'
    | 'depositDeadline'
    | 'totalAmount'
    | 'refundedAmount'
    | 'refundStep'
    | 'refundReason'
    | 'recordedAs'
  >
>

/** Updates the given columns of an order. */
export const updateOrder = async (db: TenantDb, order: Pick<OrderRow, 'customerId' | 'id'>, change: OrderValues) => {
  await db.update(orders).set(change).where(byId(order))
}

/** Sets the price of an item, in minor units. Requires the order's lock. */
export const setItemPrice = async (
  db: TenantDb,
  item: Pick<OrderItemRow, 'customerId' | 'id'>,
  priceAmount: number,
) => {
  await db
    .update(orderItems)
    .set({ priceAmount })
    .where(and(eq(orderItems.customerId, item.customerId), eq(orderItems.id, item.id)))
}

/** Returns the items of orders in the order of their lines. */
export const itemsOf = (db: TenantDb, customerId: CustomerId, orderIds: readonly OrderId[]): Promise<OrderItemRow[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(orderItems)
        .where(and(eq(orderItems.customerId, customerId), inArray(orderItems.orderId, [...orderIds])))
        .orderBy(asc(orderItems.sort))

export type OptionName = Pick<typeof productOptions.$inferSelect, 'id' | 'name' | 'translations'>

/** Returns the current names of options by id. Options that no longer exist are omitted. */
export const optionNamesById = async (db: TenantDb, customerId: CustomerId, ids: readonly OptionId[]) => {
  if (ids.length === 0) return new Map<string, OptionName>()
  const { id, name, translations } = productOptions
  const rows = await db
    .select({ id, name, translations })
    .from(productOptions)
    .where(and(eq(productOptions.customerId, customerId), inArray(id, [...ids])))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns an order's items with the rights they granted. */
export const itemsWithRights = (db: TenantDb, order: OrderRow) =>
  db
    .select({ item: orderItems, right: entitlements })
    .from(orderItems)
    .leftJoin(
      entitlements,
      and(eq(entitlements.customerId, orderItems.customerId), eq(entitlements.orderItemId, orderItems.id)),
    )
    .where(and(eq(orderItems.customerId, order.customerId), eq(orderItems.orderId, order.id)))
    .orderBy(asc(orderItems.sort))

/** Returns the events of an order, the oldest first. */
export const timelineOf = (db: TenantDb, order: OrderRow) =>
  db
    .select()
    .from(orderEvents)
    .where(and(eq(orderEvents.customerId, order.customerId), eq(orderEvents.orderId, order.id)))
    .orderBy(asc(orderEvents.at), asc(orderEvents.id))

export interface OrderFilter {
  status?: OrderStatus | undefined
  /** `from` is inclusive, `to` is exclusive. */
  from?: Date | undefined
  to?: Date | undefined
}

/**
 * Returns a member's orders, newest first. Drafts without a payment are excluded, because the
 * member never considered them orders.
 */
export const selectOrders = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  filter: OrderFilter,
  paging: { page: number; size: number },
) => {
  const matching: SQL | undefined = and(
    eq(orders.customerId, customerId),
    eq(orders.memberId, memberId),
    isNotNull(orders.method),
    filter.status ? eq(orders.status, filter.status) : undefined,
    filter.from ? gte(orders.createdAt, filter.from.toISOString()) : undefined,
    filter.to ? lt(orders.createdAt, filter.to.toISOString()) : undefined,
  )
  const rows = await db
    .select()
    .from(orders)
    .where(matching)
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(paging.size)
    .offset((paging.page - 1) * paging.size)
  const [counted] = await db.select({ total: count() }).from(orders).where(matching)
  return { rows, total: counted?.total ?? 0 }
}

/** Records when items were refunded. The time of items refunded before stays. */
export const markRefunded = async (
  db: TenantDb,
  customerId: CustomerId,
  itemIds: readonly OrderItemId[],
  now: Date,
) => {
  if (itemIds.length === 0) return
  await db
    .update(orderItems)
    .set({ refundedAt: now.toISOString() })
    .where(
      and(eq(orderItems.customerId, customerId), inArray(orderItems.id, [...itemIds]), isNull(orderItems.refundedAt)),
    )
}

/** Adds to what was refunded of the price of an item that the member keeps. Minor units. */
export const addItemRefund = async (db: TenantDb, customerId: CustomerId, id: OrderItemId, amount: number) => {
  await db
    .update(orderItems)
    .set({ refundedAmount: sql`${orderItems.refundedAmount} + ${amount}` })
    .where(and(eq(orderItems.customerId, customerId), eq(orderItems.id, id)))
}

/**
 * Marks an item as opened, after its content has been played or downloaded. Only the first time
 * counts.
 */
export const markOrderItemOpened = async (db: TenantDb, customerId: CustomerId, id: OrderItemId, at: Date) => {
  await db
    .update(orderItems)
    .set({ openedAt: at.toISOString() })
    .where(and(eq(orderItems.customerId, customerId), eq(orderItems.id, id), isNull(orderItems.openedAt)))
}

type OrderOfMember = Pick<OrderRow, 'customerId' | 'id' | 'memberId'>

/** SQL: other orders of the member with an item of one of these products. */
const isOtherOrderOf = (order: OrderOfMember, productIds: readonly ProductId[]) =>
  and(
    eq(orders.customerId, order.customerId),
    eq(orders.memberId, order.memberId),
    ne(orders.id, order.id),
    inArray(orderItems.productId, [...productIds]),
  )

/**
 * Returns the code of another order of the member that waits for a deposit and contains one of
 * these products, or null.
 */
export const findCompetingOrder = async (
  db: TenantDb,
  order: OrderOfMember,
  productIds: readonly ProductId[],
): Promise<string | null> => {
  const [row] = await db
    .select({ code: orders.code })
    .from(orders)
    .innerJoin(orderItems, and(eq(orderItems.customerId, orders.customerId), eq(orderItems.orderId, orders.id)))
    .where(and(eq(orders.status, 'DEPOSIT_WAITING'), isOtherOrderOf(order, productIds)))
    .limit(1)
  return row?.code ?? null
}

/** Returns other drafts of a member that contain one of these products. */
export const competingDrafts = (db: TenantDb, order: OrderOfMember, productIds: readonly ProductId[]) =>
  db
    .selectDistinct({ id: orders.id })
    .from(orders)
    .innerJoin(orderItems, and(eq(orderItems.customerId, orders.customerId), eq(orderItems.orderId, orders.id)))
    .where(and(isNull(orders.status), isOtherOrderOf(order, productIds)))

/** Returns the product codes of an order's items by item id. */
export const productCodesOf = async (db: TenantDb, customerId: CustomerId, orderId: OrderId) => {
  const { rows } = await db.$client.query<{ id: OrderItemId; code: ProductCode }>(
    `SELECT i.id, p.code FROM order_items i JOIN products p ON p.customer_id = i.customer_id AND p.id = i.product_id
      WHERE i.customer_id = $1 AND i.order_id = $2`,
    [customerId, orderId],
  )
  return new Map(rows.map(({ id, code }) => [id, code]))
}
