import { manualProvider, noProvider } from '#api/modules/billing/payments.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { AnalyticsPeriod, MoneyMethod, TitleRevenueSort } from '#contract/analytics.ts'
import type { CustomerId, OrderCode, PlanCode } from '#contract/ids.ts'

/** Sums of money in minor units of a currency. */
export interface MoneySums extends Record<string, unknown> {
  currency: string
  orders: number
  charges: number
  revenue: number
  refunds: number
  refunded: number
}

/** What moved money, each with its time and its id. `$1` is the customer. */
const movementKinds = [
  {
    at: 'o.paid_at',
    id: 'o.id',
    columns: `o.currency, 1 AS orders, 0 AS charges, o.total_amount AS revenue, 0 AS refunds, 0 AS refunded, o.id AS order_id, NULL::uuid AS charge_id`,
    rows: 'orders o WHERE o.customer_id = $1 AND NOT o.complimentary',
    ofMoney: 'o.total_amount > 0',
  },
  {
    at: 'c.settled_at',
    id: 'c.id',
    // A charge that came after the end of its subscription is refunded at once and never counts.
    columns: 'c.currency, 0, 1, c.amount, 0, 0, NULL, c.id',
    rows: `subscription_charges c WHERE c.customer_id = $1 AND c.status = 'PAID' AND c.failure IS NULL AND c.amount > 0`,
    ofMoney: 'true',
  },
  {
    at: 'r.refunded_at',
    id: 'r.id',
    columns: 'r.currency, 0, 0, 0, 1, r.amount, r.order_id, NULL',
    rows: `cancel_requests r WHERE r.customer_id = $1 AND r.outcome = 'REFUNDED' AND r.amount > 0`,
    ofMoney: 'true',
  },
  {
    at: 'e.at',
    id: 'e.id',
    // An earlier release did not note the charge.
    columns: `s.currency, 0, 0, 0, 1, e.amount, NULL, coalesce(e.charge_id, (
      SELECT c.id FROM subscription_charges c WHERE c.customer_id = $1 AND c.subscription_id = s.id AND c.refunded_amount > 0
       ORDER BY c.settled_at DESC LIMIT 1))`,
    rows: `subscription_events e JOIN subscriptions s ON s.customer_id = $1 AND s.id = e.subscription_id
           WHERE e.customer_id = $1 AND e.type = 'REFUNDED' AND e.detail IS DISTINCT FROM 'UNAPPLIED'`,
    ofMoney: 'e.amount > 0',
  },
]

/** All that moved money from `$2` until before `$3`, by its time. */
const moneyMovements = movementKinds
  .map(
    ({ at, id, columns, rows }) =>
      `SELECT ${at} AS at, ${id} AS id, ${columns} FROM ${rows} AND ${at} >= $2 AND ${at} < $3`,
  )
  .join(' UNION ALL ')

/** The provider, the way of payment and the references of movements `m`, one look-up each. */
const movementDetails = `coalesce(p.provider, c.provider, '${noProvider}') AS provider, p.provider_ref AS "orderRef", c.provider_ref AS "chargeRef",
  coalesce(o.recorded_as, CASE WHEN p.provider = '${manualProvider}' THEN 'TRANSFER' ELSE coalesce(p.method, o.method) END, 'CARD') AS method,
  o.code AS "order", o.recorded_as AS "recordedAs", (SELECT code FROM plans WHERE customer_id = $1 AND id = c.plan_id) AS plan`
const movementSources = `LEFT JOIN orders o ON o.customer_id = $1 AND o.id = m.order_id
  LEFT JOIN subscription_charges c ON c.customer_id = $1 AND c.id = m.charge_id
  LEFT JOIN LATERAL (
    SELECT provider, provider_ref, method FROM payments WHERE customer_id = $1 AND order_id = m.order_id AND settled_at IS NOT NULL
     ORDER BY (status = 'PAID') DESC, settled_at DESC, id LIMIT 1) p ON true`
const moneySums = `sum(orders)::int AS orders, sum(charges)::int AS charges, sum(revenue)::bigint AS revenue,
                   sum(refunds)::int AS refunds, sum(refunded)::bigint AS refunded`

/** A part of time: `until` is exclusive. */
export interface TimeRange {
  since: Date
  until: Date
}

/** Returns the money that moved in a range, per currency. */
export const sumMoney = async (db: TenantDb, customerId: CustomerId, { since, until }: TimeRange) => {
  const { rows } = await db.$client.query<MoneySums>(
    `SELECT currency, ${moneySums} FROM (${moneyMovements}) m GROUP BY currency`,
    [customerId, since, until],
  )
  return rows
}

interface PeriodRange extends TimeRange {
  period: AnalyticsPeriod
  timeZone: string
}

/** Returns the money that moved in each period with any, per currency. */
export const moneyByPeriod = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until, period, timeZone }: PeriodRange,
) => {
  const { rows } = await db.$client.query<MoneySums & { from: string }>(
    `SELECT to_char(date_trunc($4, at AT TIME ZONE $5), 'YYYY-MM-DD') AS "from", currency, ${moneySums}
       FROM (${moneyMovements}) m GROUP BY 1, currency`,
    [customerId, since, until, period, timeZone],
  )
  return rows
}

export interface SettlementRow {
  from: string
  currency: string
  provider: string
  method: MoneyMethod
  payments: number
  paid: number
  refunds: number
  refunded: number
}

/** Returns the money of each period by provider and way of payment, the latest period first. */
export const settledByPeriod = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until, period, timeZone }: PeriodRange,
) => {
  const { rows } = await db.$client.query<SettlementRow>(
    `SELECT to_char(date_trunc($4, at AT TIME ZONE $5), 'YYYY-MM-DD') AS "from", currency, provider, method,
            sum(orders + charges)::int AS payments, sum(revenue)::bigint AS paid, sum(refunds)::int AS refunds, sum(refunded)::bigint AS refunded
       FROM (SELECT m.*, ${movementDetails} FROM (${moneyMovements}) m ${movementSources} WHERE m.revenue > 0 OR m.refunded > 0) d
      GROUP BY 1, currency, provider, method ORDER BY 1 DESC, currency, provider, method`,
    [customerId, since, until, period, timeZone],
  )
  return rows
}

export interface MovementRow {
  keyset: KeysetPosition
  at: string
  currency: string
  revenue: number
  refunded: number
  provider: string
  method: MoneyMethod
  order: OrderCode | null
  plan: PlanCode | null
  orderRef: string | null
  chargeRef: string | null
  recordedAs: MoneyMethod | null
}

/** One more movement of money than the page has, the earliest first. */
export const readMovementPage = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until, after, size }: TimeRange & { after: KeysetPosition | null; size: number },
) => {
  // Each kind ends its page itself, so that a page costs the same however deep it is.
  const kinds = movementKinds.map(
    ({ at, id, columns, rows, ofMoney }) =>
      `(SELECT ${at} AS at, ${id} AS id, ${columns} FROM ${rows} AND ${ofMoney} AND ${at} >= $2 AND ${at} < $3
        AND ($4::timestamptz IS NULL OR (${at}, ${id}) > ($4::timestamptz, $5::uuid)) ORDER BY ${at}, ${id} LIMIT $6)`,
  )
  const { rows } = await db.$client.query<MovementRow>(
    `SELECT jsonb_build_object('at', m.at::text, 'id', m.id) AS keyset, m.at, m.currency, m.revenue, m.refunded, ${movementDetails}
       FROM (SELECT * FROM (${kinds.join(' UNION ALL ')}) k ORDER BY at, id LIMIT $6) m ${movementSources} ORDER BY m.at, m.id`,
    [customerId, after?.at ?? since, until, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

export interface TitleRevenueRow {
  kind: 'PRODUCT' | 'PLAN'
  code: string
  title: string
  currency: string
  sales: number
  paid: number
  refunded: number
  salesBefore: number
  paidBefore: number
  refundedBefore: number
  /** Rows of all pages. */
  total: number
}

/** In a range, or in the one that it is compared with. */
const inEither = (at: string) => `(${at} >= $2 AND ${at} < $3 OR ${at} >= $4 AND ${at} < $5)`

/**
 * What was paid for each item and refunded of it. A refund of several items is divided by what was
 * left of their prices; sums are rounded, so that the parts add up to the refund.
 */
const titleMoney = `
  SELECT i.product_id, NULL::uuid AS plan_id, o.currency, o.paid_at AS at, 1 AS sales, i.price_amount AS paid, 0 AS refunded
    FROM orders o JOIN order_items i ON i.customer_id = $1 AND i.order_id = o.id
   WHERE o.customer_id = $1 AND NOT o.complimentary AND ${inEither('o.paid_at')}
  UNION ALL
  SELECT NULL, c.plan_id, c.currency, c.settled_at, 1, c.amount, 0 FROM subscription_charges c
   WHERE c.customer_id = $1 AND c.status = 'PAID' AND c.failure IS NULL AND c.amount > 0 AND ${inEither('c.settled_at')}
  UNION ALL
  SELECT product_id, NULL, currency, refunded_at, 0, 0, upto - lag(upto, 1, 0::bigint) OVER (PARTITION BY id ORDER BY sort, item_id)
    FROM (SELECT r.id, r.currency, r.refunded_at, i.product_id, i.sort, i.id AS item_id,
                 coalesce(round(r.amount * sum(w.part) OVER (PARTITION BY r.id ORDER BY i.sort, i.id)
                   / nullif(sum(w.part) OVER (PARTITION BY r.id), 0)), r.amount)::bigint AS upto
            FROM cancel_requests r JOIN order_items i ON i.customer_id = $1 AND i.order_id = r.order_id AND i.id = ANY (r.item_ids)
           CROSS JOIN LATERAL (SELECT (i.price_amount - CASE WHEN r.keeps_items THEN 0 ELSE i.refunded_amount END)::numeric AS part) w
           WHERE r.customer_id = $1 AND r.outcome = 'REFUNDED' AND r.amount > 0 AND ${inEither('r.refunded_at')}) parts
  UNION ALL
  SELECT NULL, e.plan_id, s.currency, e.at, 0, 0, e.amount
    FROM subscription_events e JOIN subscriptions s ON s.customer_id = $1 AND s.id = e.subscription_id
   WHERE e.customer_id = $1 AND e.type = 'REFUNDED' AND e.detail IS DISTINCT FROM 'UNAPPLIED' AND ${inEither('e.at')}`

const titleSorts = {
  title: 'lower(title)',
  sales: 'sales DESC, paid DESC',
  paid: 'paid DESC',
  refunded: 'refunded DESC',
  net: 'paid - refunded DESC',
} as const satisfies Record<TitleRevenueSort, string>

/** Returns a page of the money of each product and plan in a range, and in the one compared. */
export const revenueByTitle = async (
  db: TenantDb,
  customerId: CustomerId,
  {
    before,
    since,
    until,
    sort,
    page,
    size,
  }: TimeRange & { before: TimeRange; sort: TitleRevenueSort; page: number; size: number },
) => {
  const sums = ['sales', 'paid', 'refunded'].map(
    (name) => `coalesce(sum(t.${name}) FILTER (WHERE t.at >= $2 AND t.at < $3), 0)::bigint AS ${name},
               coalesce(sum(t.${name}) FILTER (WHERE t.at >= $4 AND t.at < $5), 0)::bigint AS "${name}Before"`,
  )
  const { rows } = await db.$client.query<TitleRevenueRow>(
    `SELECT *, (count(*) OVER ())::int AS total FROM (
       SELECT CASE WHEN t.plan_id IS NULL THEN 'PRODUCT' ELSE 'PLAN' END AS kind, coalesce(p.code, plan.code) AS code,
              coalesce(p.title, plan.name) AS title, t.currency, ${sums.join(', ')}
         FROM (${titleMoney}) t
         LEFT JOIN products p ON p.customer_id = $1 AND p.id = t.product_id
         LEFT JOIN plans plan ON plan.customer_id = $1 AND plan.id = t.plan_id
        GROUP BY t.plan_id, p.code, p.title, plan.code, plan.name, t.currency) titles
      ORDER BY ${titleSorts[sort]}, kind, code, currency LIMIT $6 OFFSET $7`,
    [customerId, since, until, before.since, before.until, size, (page - 1) * size],
  )
  return rows
}

export interface CheckoutRange extends TimeRange {
  /** Without the orders that still wait for their deposit. */
  isDecided?: boolean
}

/**
 * Returns the number of orders of a range whose buyers began to pay, and of those that were paid
 * since. Free orders do not count, and neither does an order that its buyer replaced by another.
 */
export const countCheckouts = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until, isDecided = false }: CheckoutRange,
) => {
  const { rows } = await db.$client.query<{ begun: number; paid: number }>(
    `SELECT count(*)::int AS begun, count(o.paid_at)::int AS paid FROM orders o
      WHERE o.customer_id = $1 AND NOT o.complimentary AND o.total_amount > 0 AND o.created_at >= $2 AND o.created_at < $3
        AND (NOT $4::boolean OR o.status IS DISTINCT FROM 'DEPOSIT_WAITING')
        AND EXISTS (SELECT FROM payments p WHERE p.customer_id = $1 AND p.order_id = o.id
                       AND (o.paid_at IS NOT NULL OR p.failure IS DISTINCT FROM 'SUPERSEDED'))`,
    [customerId, since, until, isDecided],
  )
  return rows[0] ?? { begun: 0, paid: 0 }
}

/** Returns the number of members who joined in a range. */
export const countJoined = async (db: TenantDb, customerId: CustomerId, { since, until }: TimeRange) => {
  const { rows } = await db.$client.query<{ joined: number }>(
    'SELECT count(*)::int AS joined FROM members WHERE customer_id = $1 AND created_at >= $2 AND created_at < $3',
    [customerId, since, until],
  )
  return rows[0]?.joined ?? 0
}

/** Returns the number of members who joined in each period with any. */
export const joinedByPeriod = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until, period, timeZone }: PeriodRange,
) => {
  const { rows } = await db.$client.query<{ from: string; joined: number }>(
    `SELECT to_char(date_trunc($4, created_at AT TIME ZONE $5), 'YYYY-MM-DD') AS "from", count(*)::int AS joined
       FROM members WHERE customer_id = $1 AND created_at >= $2 AND created_at < $3 GROUP BY 1`,
    [customerId, since, until, period, timeZone],
  )
  return rows
}
