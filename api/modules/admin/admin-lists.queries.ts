import type pg from 'pg'
import { manualProvider } from '#api/modules/billing/payments.queries.ts'
import type { UnappliedPayment } from '#api/modules/billing/unapplied-payments.queries.ts'
import { orderWay } from '#api/modules/orders/orders.schema.ts'
import type { CodeRange } from '#api/platform/crypto.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { StoreListing } from '#contract/admin/stores.ts'
import type { OrderSort, OrderStatus, OrderWay, PaymentMethod, RecordedMethod } from '#contract/enumerations.ts'
import type { CaseId, CustomerCode, CustomerId, MemberId, OrderCode, ProductCode } from '#contract/ids.ts'
import type { StoreState } from '#contract/store-state.ts'

// Lists of the console. `keyset` is the position of a row: its time with microseconds, and its id.
// The indexes have NULLS LAST, so the orders name it.

export interface OrderPageRow {
  keyset: KeysetPosition
  code: OrderCode
  status: OrderStatus
  method: PaymentMethod
  way: OrderWay
  recordedAs: RecordedMethod | null
  provider: string | null
  providerRef: string | null
  totalAmount: number
  refundedAmount: number
  currency: string
  complimentary: boolean
  /** Null for a withdrawn account. */
  memberId: MemberId | null
  email: string | null
  name: string | null
  titles: string[]
  createdAt: string
  paidAt: string | null
}

export interface OrderPageFilter {
  status: OrderStatus | null
  way: OrderWay | null
  product: ProductCode | null
  /** Minor units, both inclusive. */
  min: number | null
  max: number | null
  memberId: MemberId | null
  codes: CodeRange | null
  /** A part of the member's name or email address in lower case; null without one. */
  memberText: string | null
  since: Date | null
  until: Date | null
  sort: OrderSort
  after: KeysetPosition | null
  size: number
}

/** Above this number of matching members, orders are read in list order and filtered. */
const fewMembers = 5_000

/** Each has an index, which is read in its direction. */
const orderSorts = {
  NEWEST: { key: 'o.created_at', type: 'timestamptz', sign: '<', order: 'o.created_at DESC NULLS LAST, o.id DESC' },
  OLDEST: { key: 'o.created_at', type: 'timestamptz', sign: '>', order: 'o.created_at NULLS FIRST, o.id' },
  TOTAL: {
    key: 'o.total_amount',
    type: 'bigint',
    sign: '<',
    order: 'o.total_amount DESC NULLS LAST, o.id DESC NULLS LAST',
  },
} as const satisfies Record<OrderSort, object>

/**
 * One more order than the page has, without drafts that have no payment. A text of members finds
 * them first. If few match, the orders of each are read. If many members match, orders are read in
 * list order until a page is full. Each search reads its own index, where one with OR would read
 * all orders.
 */
export const readOrderPage = async (db: TenantDb, customerId: CustomerId, filter: OrderPageFilter) => {
  const { status, way, product, min, max, memberId, codes, memberText, since, until, sort, after, size } = filter
  const values: unknown[] = [customerId]
  const param = (value: unknown) => `$${values.push(value)}`
  const { key, type, sign, order } = orderSorts[sort]
  const byCode =
    codes && `${codes.isEnd ? 'right(o.code, 6)' : 'o.code'} BETWEEN ${param(codes.first)} AND ${param(codes.last)}`
  const fits = memberText && `m.withdrawn_at IS NULL AND strpos(m.search_text, ${param(memberText)}) > 0`
  const byMember = fits
    ? [
        `(SELECT count(*) FROM found) <= ${fewMembers} AND o.member_id = ANY (ARRAY(SELECT id FROM found))`,
        `(SELECT count(*) FROM found) > ${fewMembers} AND o.member_id IN (SELECT m.id FROM members m WHERE m.customer_id = $1 AND ${fits})`,
      ]
    : []
  const ofProduct =
    product &&
    `SELECT i.order_id FROM order_items i WHERE i.customer_id = $1
        AND i.product_id = (SELECT p.id FROM products p WHERE p.customer_id = $1 AND p.code = ${param(product)})`
  const conditions = [
    'o.customer_id = $1 AND o.status IS NOT NULL AND o.method IS NOT NULL',
    status && `o.status = ${param(status)}`,
    way && `(${orderWay}) = ${param(way)}`,
    ofProduct && `o.id IN (${ofProduct})`,
    min !== null && `o.total_amount >= ${param(min)}::bigint`,
    max !== null && `o.total_amount <= ${param(max)}::bigint`,
    memberId && `o.member_id = ${param(memberId)}`,
    since && `o.created_at >= ${param(since)}`,
    until && `o.created_at < ${param(until)}`,
    after && `(${key}, o.id) ${sign} (${param(after.at)}::${type}, ${param(after.id)}::uuid)`,
  ]
  const limit = param(size + 1)
  const ordersOf = (columns: string, ...where: (string | null)[]) =>
    `(SELECT ${columns} FROM orders o WHERE ${[...where, ...conditions].filter(Boolean).join(' AND ')} ORDER BY ${order} LIMIT ${limit})`
  const page = fits
    ? `found AS MATERIALIZED (SELECT m.id FROM members m WHERE m.customer_id = $1 AND ${fits} LIMIT ${fewMembers + 1}),
       hits AS (${[...(byCode ? [byCode] : []), ...byMember].map((search) => ordersOf('o.id', search)).join(' UNION ')}),
       page AS ${ordersOf('o.*', 'o.id = ANY (ARRAY(SELECT id FROM hits))')}`
    : `page AS ${ordersOf('o.*', byCode)}`
  const { rows } = await db.$client.query<OrderPageRow>(
    `WITH ${page}
     SELECT jsonb_build_object('at', ${key}::text, 'id', o.id) AS keyset, o.code, o.status, o.method, ${orderWay} AS way,
            o.recorded_as AS "recordedAs", p.provider, p.provider_ref AS "providerRef", o.paid_at AS "paidAt",
            o.total_amount AS "totalAmount", o.refunded_amount AS "refundedAmount", o.currency, o.complimentary,
            m.id AS "memberId", m.email, m.name, o.created_at AS "createdAt",
            ARRAY(SELECT i.product_title FROM order_items i WHERE i.customer_id = $1 AND i.order_id = o.id ORDER BY i.sort) AS titles
       FROM page o
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = o.member_id AND m.withdrawn_at IS NULL
       LEFT JOIN LATERAL (
         SELECT p.provider, p.provider_ref FROM payments p WHERE p.customer_id = $1 AND p.order_id = o.id
          ORDER BY (p.status = 'PAID') DESC, p.created_at DESC, p.id LIMIT 1) p ON true
      ORDER BY ${order}`,
    values,
  )
  return rows
}

/** Open unapplied payments among the cases `c`. */
const isUnapplied = `c.customer_id = $1 AND c.status = 'WAIT' AND c.type = 'ORDER_CANCEL' AND c.data->>'kind' = 'UNAPPLIED_PAYMENT'`

/**
 * Accepted refunds that staff transfer: of payments that they had received, and of bank payments
 * whose members have not given an account.
 */
const refundsByStaff = `(SELECT * FROM cancel_requests WHERE customer_id = $1 AND outcome IS NULL AND step = 'ACCEPT') r
       JOIN orders o ON o.customer_id = $1 AND o.id = r.order_id
       JOIN payments p ON p.customer_id = $1 AND p.order_id = r.order_id AND p.status = 'PAID'
        AND (p.provider = $2 OR (p.method = 'BANK' AND r.refund_account IS NULL))`

const nothingWaits = {
  refundRequests: 0,
  refundsToTransfer: 0,
  unappliedPayments: 0,
  deposits: 0,
  inquiries: 0,
  cases: 0,
  failedVideos: 0,
  failedMails: 0,
  overdueSubscriptions: 0,
  disabledWebhooks: 0,
}

/** Cases that stand elsewhere on Home: answered, decided or settled there. */
const countedElsewhere = `(type = 'INQUIRY' OR (type = 'ORDER_CANCEL' AND coalesce(data->>'kind', '') IN ('CANCEL_REQUEST', 'UNAPPLIED_PAYMENT')))`

/**
 * What waits for a person, each counted once. A failed video counts until a later job of its
 * target.
 */
export const countWaiting = async (db: TenantDb, customerId: CustomerId) => {
  const { rows } = await db.$client.query<typeof nothingWaits>(
    `SELECT (SELECT count(*)::int FROM cancel_requests WHERE customer_id = $1 AND outcome IS NULL AND step = 'PENDING') AS "refundRequests",
            (SELECT count(*)::int FROM ${refundsByStaff}) AS "refundsToTransfer",
            (SELECT count(*)::int FROM cases c WHERE ${isUnapplied}) AS "unappliedPayments",
            (SELECT count(*)::int FROM orders WHERE customer_id = $1 AND status = 'DEPOSIT_WAITING') AS deposits,
            (SELECT count(*)::int FROM inquiries WHERE customer_id = $1 AND status = 'WAIT') AS inquiries,
            (SELECT count(*)::int FROM cases WHERE customer_id = $1 AND status = 'WAIT' AND NOT ${countedElsewhere}) AS cases,
            (SELECT count(*)::int FROM video_jobs j WHERE j.customer_id = $1 AND j.status = 'FAILED'
                AND (j.product_id IS NOT NULL OR j.ended_at > now() - interval '7 days') AND NOT EXISTS (
               SELECT FROM video_jobs n WHERE n.customer_id = $1
                  AND (n.product_id = j.product_id OR n.product_id IS NULL AND j.product_id IS NULL AND n.source_name = j.source_name)
                  AND n.lesson_id IS NOT DISTINCT FROM j.lesson_id AND n.created_at > j.created_at)) AS "failedVideos",
            (SELECT count(*)::int FROM mails WHERE customer_id = $1 AND status = 'FAILED') AS "failedMails",
            (SELECT count(*)::int FROM subscriptions WHERE customer_id = $1 AND activated_at IS NOT NULL AND ended_at IS NULL
                AND status = 'PENDING') AS "overdueSubscriptions",
            (SELECT count(*)::int FROM webhook_endpoints WHERE customer_id = $1 AND disabled_reason <> 'STAFF') AS "disabledWebhooks"`,
    [customerId, manualProvider],
  )
  return rows[0] ?? nothingWaits
}

interface HeldRow {
  keyset: KeysetPosition
  code: OrderCode
  currency: string
  amount: number
  memberId: MemberId | null
  email: string | null
  name: string | null
  /** The encrypted account of the member; null until there is one. */
  account: string | null
  createdAt: string
}

/** A page of money to return, after a position. */
interface HeldPage {
  after: KeysetPosition | null
  size: number
}

/** One more open unapplied payment than the page has, oldest first. `provider` took the payment. */
export const readUnappliedPayments = async (db: TenantDb, customerId: CustomerId, { after, size }: HeldPage) => {
  const { rows } = await db.$client.query<
    HeldRow & { id: CaseId; reason: UnappliedPayment['reason']; needsAccount: boolean; provider: string | null }
  >(
    `SELECT jsonb_build_object('at', c.created_at::text, 'id', c.id) AS keyset, c.id, o.code, c.data->>'currency' AS currency, (c.data->>'amount')::bigint AS amount,
            m.id AS "memberId", m.email, m.name, c.data->>'account' AS account, c.data->>'reason' AS reason,
            coalesce((c.data->>'needsAccount')::boolean, false) AS "needsAccount", p.provider, c.created_at AS "createdAt"
       FROM cases c
       JOIN orders o ON o.customer_id = $1 AND o.id = c.order_id
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = o.member_id AND m.withdrawn_at IS NULL
       LEFT JOIN payments p ON p.customer_id = $1 AND p.id = (c.data->>'paymentId')::uuid
      WHERE ${isUnapplied} AND ($2::timestamptz IS NULL OR (c.created_at, c.id) > ($2::timestamptz, $3::uuid))
      ORDER BY c.created_at, c.id LIMIT $4`,
    [customerId, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

/** One more refund that staff transfer than the page has, oldest first. */
export const readRefundsByStaff = async (db: TenantDb, customerId: CustomerId, { after, size }: HeldPage) => {
  const { rows } = await db.$client.query<HeldRow & { provider: string }>(
    `SELECT jsonb_build_object('at', r.created_at::text, 'id', r.id) AS keyset, o.code, r.currency, r.amount, m.id AS "memberId", m.email, m.name, r.refund_account AS account, p.provider,
            r.created_at AS "createdAt"
       FROM ${refundsByStaff}
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = o.member_id AND m.withdrawn_at IS NULL
      WHERE $3::timestamptz IS NULL OR (r.created_at, r.id) > ($3::timestamptz, $4::uuid)
      ORDER BY r.created_at, r.id LIMIT $5`,
    [customerId, manualProvider, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

/**
 * Returns the tenants for which a sweep has something to do now, by code, in one statement over
 * indexes of what is due. Notices of expiring cards and ending trials are not included.
 */
export const tenantsWithDueWork = async (
  pool: pg.Pool,
  now: Date,
): Promise<{ id: CustomerId; code: CustomerCode }[]> => {
  const { rows } = await pool.query<{ id: CustomerId; code: CustomerCode }>({
    name: 'due_work',
    text: `SELECT c.customer_id AS id, c.code FROM customers_with_due_work($1) AS due (id)
             JOIN customers c ON c.customer_id = due.id ORDER BY c.code`,
    values: [now.toISOString()],
  })
  return rows
}

interface StoreFilter {
  /** Of the name, the code or a host, in lower case; empty for all. */
  search: string
  state: StoreState | null
  code: CustomerCode | null
}

/** Stores `s` that fit a filter: its values are `$1` to `$3`. */
const storesFrom = `FROM (
       SELECT c.customer_id AS id, jsonb_build_object('at', c.created_at::text, 'id', c.customer_id) AS keyset, c.code,
              c.settings->'base'->>'name' AS name, c.created_at AS "createdAt",
              CASE WHEN NOT c.use_customer THEN 'ENDED' WHEN NOT c.use_site THEN 'CLOSED'
                   WHEN NOT c.opened THEN 'COMING_SOON' ELSE 'OPEN' END AS state,
              NOT c.opened AND c.maintenance IS NULL AS "neverOpened",
              ARRAY(SELECT d.host FROM customer_domains d WHERE d.customer_id = c.customer_id ORDER BY d.host) AS hosts
         FROM customers c WHERE NOT c.is_installation AND ($1::text IS NULL OR c.code = $1)) s
      WHERE position($2 IN lower(name || ' ' || code || ' ' || array_to_string(hosts, ' '))) > 0 AND ($3::text IS NULL OR state = $3)`

/** Stores of the installation, the newest first, one more than `size`. */
export const readStorePage = async (
  pool: pg.Pool,
  { search, state, code, after, size }: StoreFilter & { after: KeysetPosition | null; size: number },
) => {
  const { rows } = await pool.query<StoreListing & { keyset: KeysetPosition }>(
    `SELECT keyset, code, name, state, "neverOpened", hosts, "createdAt" ${storesFrom}
        AND ($4::timestamptz IS NULL OR ("createdAt", id) < ($4, $5::uuid))
      ORDER BY "createdAt" DESC, id DESC LIMIT $6`,
    [code, search, state, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

/** The number of stores that fit a filter, at most `limit`. */
export const countStores = async (pool: pg.Pool, { search, state, code }: StoreFilter, limit: number) => {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT ${storesFrom} LIMIT $4) found`,
    [code, search, state, limit],
  )
  return rows[0]?.count ?? 0
}
