import { and, asc, eq, isNull } from 'drizzle-orm'
import type pg from 'pg'
import { cancelRequests, type PaymentStatus } from '#api/modules/billing/billing.schema.ts'
import { isReady } from '#api/modules/catalog/products.queries.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { hasPlanAccess, isInPlanScope } from '#api/modules/plans/plans.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { OrderStatus, PaymentMethod } from '#contract/enumerations.ts'
import type { CustomerCode, CustomerId, MemberId, OrderCode, OrderId, ProductCode, ProductId } from '#contract/ids.ts'

// Reads for operators. Amounts are in minor units of the row's currency.

export interface OrderListing {
  code: OrderCode
  status: OrderStatus
  method: PaymentMethod
  totalAmount: number
  refundedAmount: number
  currency: string
  email: string
  titles: string[]
  createdAt: string
}

export interface OrderListFilter {
  status: OrderStatus | null
  memberId: MemberId | null
  /** The start of the range (inclusive) and its end (exclusive). */
  from: Date | null
  until: Date | null
  page: number
  size: number
}

/** Orders of all members, latest first; drafts without a started payment are left out. */
export const readStoreOrders = async (db: TenantDb, customerId: CustomerId, filter: OrderListFilter) => {
  const { status, memberId, from, until, page, size } = filter
  const { rows } = await db.$client.query<OrderListing>(
    `SELECT o.code, o.status, o.method, o.total_amount AS "totalAmount", o.refunded_amount AS "refundedAmount", o.currency,
            m.email, o.created_at AS "createdAt",
            ARRAY(SELECT i.product_title FROM order_items i WHERE i.customer_id = $1 AND i.order_id = o.id ORDER BY i.sort) AS titles
       FROM orders o JOIN members m ON m.customer_id = o.customer_id AND m.id = o.member_id
      WHERE o.customer_id = $1 AND o.method IS NOT NULL
        AND ($2::text IS NULL OR o.status = $2) AND ($3::uuid IS NULL OR o.member_id = $3)
        AND ($4::timestamptz IS NULL OR o.created_at >= $4) AND ($5::timestamptz IS NULL OR o.created_at < $5)
      ORDER BY o.created_at DESC, o.id DESC LIMIT $6 OFFSET $7`,
    [customerId, status, memberId, from, until, size, (page - 1) * size],
  )
  return rows
}

export interface StoreOrderPayment {
  provider: string
  providerRef: string | null
  method: PaymentMethod
  status: PaymentStatus
  amount: number
  refundedAmount: number
  currency: string
  failure: string | null
  createdAt: string
}

/** All payments of an order, earliest first. */
export const paymentsOf = async (db: TenantDb, customerId: CustomerId, orderId: OrderId) => {
  const { rows } = await db.$client.query<StoreOrderPayment>(
    `SELECT provider, provider_ref AS "providerRef", method, status, amount, refunded_amount AS "refundedAmount", currency, failure,
            created_at AS "createdAt"
       FROM payments WHERE customer_id = $1 AND order_id = $2 ORDER BY created_at, id`,
    [customerId, orderId],
  )
  return rows
}

/** Refunds that wait for a decision or for their transfer, oldest first, at most 200. */
export const readOpenCancelRequests = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({
      since: cancelRequests.createdAt,
      code: orders.code,
      step: cancelRequests.step,
      amount: cancelRequests.amount,
      currency: cancelRequests.currency,
      email: members.email,
      reason: cancelRequests.reason,
      failure: cancelRequests.failure,
    })
    .from(cancelRequests)
    .innerJoin(orders, and(eq(orders.customerId, cancelRequests.customerId), eq(orders.id, cancelRequests.orderId)))
    .innerJoin(members, and(eq(members.customerId, cancelRequests.customerId), eq(members.id, cancelRequests.memberId)))
    .where(and(eq(cancelRequests.customerId, customerId), isNull(cancelRequests.outcome)))
    .orderBy(asc(cancelRequests.createdAt))
    .limit(200)

/** Counts that the launch checklist is derived from. */
export interface LaunchFacts {
  hosts: number
  /** Hosts other than those below `localhost`. */
  publicHosts: number
  onSale: number
  /**
   * The number of these with something to watch or download; others are neither listed nor sold.
   */
  ready: number
  withoutPrice: number
  /** Codes of products with nothing to watch or download. */
  withoutVideo: string[]
  withoutLessons: string[]
  empty: string[]
  /** Codes of films that have an attachment but no video. */
  fileAlone: string[]
  /** Codes of other products with lessons that have no video and are not shown. */
  waitingLessons: string[]
  withoutPoster: number
  plansOnSale: number
  /** Codes of plans on sale that cover no product on sale and so are not offered. */
  emptyPlans: string[]
  /** Titles of banners whose product, or whose plan, is not available. */
  deadBanners: string[]
  pages: { type: string; body: string; isDraft: boolean }[]
  /** Codes of products on sale whose latest video job failed. */
  failedVideos: string[]
}

/** The SQL of the codes of the products for which `which` holds, in order. */
const codes = (which: string) => `coalesce(array_agg(p.code ORDER BY p.code) FILTER (WHERE ${which}), '{}')`

const emptyPlans = `(SELECT coalesce(array_agg(l.code ORDER BY l.code), '{}') FROM plans l
  WHERE l.customer_id = $1 AND l.on_sale AND NOT EXISTS (
    SELECT FROM products c WHERE c.customer_id = $1 AND c.status = 'ON_SALE' AND ${isReady('c')}
       AND ${hasPlanAccess('c')} AND ${isInPlanScope('l', 'c')}))`

const deadBanners = `(SELECT coalesce(array_agg(b.title ORDER BY b.sort, b.title), '{}') FROM banners b
  WHERE b.customer_id = $1 AND b.type <> 'NONE' AND (b.ends_at IS NULL OR b.ends_at > now())
    AND (b.link->>'target' = 'PRODUCT' AND NOT EXISTS (
           SELECT FROM products c WHERE c.customer_id = $1 AND c.code = b.link->>'productCode' AND c.status = 'ON_SALE' AND ${isReady('c')})
      OR b.link->>'target' = 'PLAN' AND NOT EXISTS (
           SELECT FROM plans l WHERE l.customer_id = $1 AND l.code = b.link->>'planCode' AND l.on_sale)))`

/** Reads what the checklist judges. Of the products, only those on sale count. */
export const readLaunchFacts = async (db: TenantDb, customerId: CustomerId): Promise<LaunchFacts> => {
  const { rows } = await db.$client.query<Omit<LaunchFacts, 'pages'>>(
    `SELECT (SELECT count(*)::int FROM customer_domains WHERE customer_id = $1) AS hosts,
            (SELECT count(*)::int FROM customer_domains WHERE customer_id = $1 AND host !~ '(^|[.])localhost$') AS "publicHosts",
            count(*)::int AS "onSale",
            count(*) FILTER (WHERE ${isReady('p')})::int AS ready,
            count(*) FILTER (WHERE p.access IN ('PURCHASE', 'PURCHASE_OR_PLAN') AND p.option_count = 0 AND ${isReady('p')})::int AS "withoutPrice",
            ${codes(`NOT ${isReady('p')} AND l.lessons IS NULL AND p.kind = 'VOD'`)} AS "withoutVideo",
            ${codes(`NOT ${isReady('p')} AND l.lessons > 0`)} AS "withoutLessons",
            ${codes(`NOT ${isReady('p')} AND l.lessons IS NULL AND p.kind <> 'VOD'`)} AS empty,
            ${codes(`${isReady('p')} AND p.video_id IS NULL AND l.lessons IS NULL AND p.kind = 'VOD'`)} AS "fileAlone",
            ${codes(`${isReady('p')} AND l.waiting > 0`)} AS "waitingLessons",
            count(*) FILTER (WHERE p.poster->>'url' ~ '/plain-[0-9a-f]{6}[.]webp$')::int AS "withoutPoster",
            (SELECT count(*)::int FROM plans WHERE customer_id = $1 AND on_sale) AS "plansOnSale",
            ${emptyPlans} AS "emptyPlans",
            ${deadBanners} AS "deadBanners",
            ${codes('j.failed')} AS "failedVideos"
       FROM products p
       LEFT JOIN (SELECT product_id, count(*) AS lessons, count(*) FILTER (WHERE video_id IS NULL) AS waiting
                    FROM lessons WHERE customer_id = $1 GROUP BY product_id) l ON l.product_id = p.id
       LEFT JOIN (SELECT product_id, bool_or(status = 'FAILED') AS failed
                    FROM (SELECT DISTINCT ON (product_id, lesson_id) product_id, lesson_id, status FROM video_jobs
                           WHERE customer_id = $1 ORDER BY product_id, lesson_id, created_at DESC, id DESC) latest
                   WHERE lesson_id IS NULL OR EXISTS (SELECT FROM lessons WHERE customer_id = $1 AND id = lesson_id)
                   GROUP BY product_id) j ON j.product_id = p.id
      WHERE p.customer_id = $1 AND p.status = 'ON_SALE'`,
    [customerId],
  )
  const pages = await db.$client.query<LaunchFacts['pages'][number]>(
    'SELECT type, body, is_draft AS "isDraft" FROM pages WHERE customer_id = $1',
    [customerId],
  )
  const [counts] = rows
  if (!counts) throw new Error('A count without groups has one row')
  return { ...counts, pages: pages.rows }
}

/** Whether the installation has a store. */
export const hasStore = async (client: Pick<pg.Pool | pg.ClientBase, 'query'>): Promise<boolean> => {
  const { rowCount } = await client.query('SELECT FROM customers WHERE NOT is_installation LIMIT 1')
  return rowCount !== 0
}

/** Lets one transaction create the installation's console. Returns the code of a present one. */
export const lockInstallationConsole = async (db: TenantDb): Promise<CustomerCode | null> => {
  await db.$client.query(`SELECT pg_advisory_xact_lock(hashtext('marquee installation'))`)
  const { rows } = await db.$client.query<{ code: CustomerCode }>('SELECT code FROM customers WHERE is_installation')
  return rows[0]?.code ?? null
}

/** Lets one transaction at a time create the first store. False: there is a store. */
export const lockFirstStore = async (db: TenantDb): Promise<boolean> => {
  await db.$client.query(`SELECT pg_advisory_xact_lock(hashtext('marquee first store'))`)
  return !(await hasStore(db.$client))
}

/** What refers to a product, so that it is not deleted. `linked`: a banner or the home page. */
export const readProductUses = async (
  db: TenantDb,
  customerId: CustomerId,
  { id, code }: { id: ProductId; code: ProductCode },
) => {
  const { rows } = await db.$client.query<
    Record<'ordered' | 'granted' | 'inCart' | 'watched' | 'discussed' | 'linked' | 'encoding', boolean>
  >(
    `SELECT EXISTS (SELECT FROM order_items WHERE customer_id = $1 AND product_id = $2) AS ordered,
            EXISTS (SELECT FROM entitlements WHERE customer_id = $1 AND product_id = $2) AS granted,
            EXISTS (SELECT FROM cart_items WHERE customer_id = $1 AND product_id = $2) AS "inCart",
            EXISTS (SELECT FROM plays WHERE customer_id = $1 AND product_id = $2 AND ended_at IS NOT NULL)
              OR EXISTS (SELECT FROM plays WHERE customer_id = $1 AND product_id = $2 AND ended_at IS NULL)
              OR EXISTS (SELECT FROM positions WHERE customer_id = $1 AND product_id = $2)
              OR EXISTS (SELECT FROM product_events WHERE customer_id = $1 AND product_id = $2 AND type <> 'VIEW')
              OR EXISTS (SELECT FROM product_analytics WHERE customer_id = $1 AND product_id = $2 AND plays > 0)
              OR EXISTS (SELECT FROM fulfillments WHERE customer_id = $1 AND product_id = $2) AS watched,
            EXISTS (SELECT FROM comments WHERE customer_id = $1 AND product_id = $2)
              OR EXISTS (SELECT FROM inquiries WHERE customer_id = $1 AND product_id = $2) AS discussed,
            EXISTS (SELECT FROM banners WHERE customer_id = $1 AND link ->> 'productCode' = $3)
              OR EXISTS (SELECT FROM customers WHERE customer_id = $1
                          AND settings -> 'homeSections' @> jsonb_build_array(jsonb_build_object('productCodes', jsonb_build_array($3::text)))) AS linked,
            EXISTS (SELECT FROM video_jobs WHERE customer_id = $1 AND product_id = $2
                     AND (ended_at IS NULL OR (status IN ('FAILED', 'CANCELLED') AND step IS NOT NULL))) AS encoding`,
    [customerId, id, code],
  )
  return rows[0]
}

/** What is deleted with a product: views, likes, its place in plans, and its past encodings. */
const tablesOfProducts = [
  'plan_products',
  'likes',
  'viewed_products',
  'product_events',
  'product_analytics',
  'video_jobs',
]

/** Deletes what refers to a product that nobody has ordered, watched or written about. */
export const deleteProductTraces = async (db: TenantDb, customerId: CustomerId, id: ProductId) => {
  for (const table of tablesOfProducts)
    await db.$client.query(`DELETE FROM ${table} WHERE customer_id = $1 AND product_id = $2`, [customerId, id])
}

const byId = (from: string, name: string, page = 'NULL') => ({ from, key: 'o.id', type: 'uuid', name, page })
const byText = (from: string, key: string, name: string) => ({ ...byId(from, name), key, type: 'text' })
const memberName = (member: string) => `coalesce(nullif(${member}.name, ''), ${member}.email)`
const payer = 'members m ON m.customer_id = $1 AND m.id = o.member_id AND m.withdrawn_at IS NULL'
const videoName = `coalesce(o.name,
  (SELECT min(j.source_name) FROM video_jobs j WHERE j.customer_id = $1 AND j.video_id = o.id), o.id::text)`

/**
 * SQL: where the objects of the audit log have their names, by the first part of their subjects.
 * `page` is the subject whose page shows an object that has none of its own.
 */
export const auditNames = {
  banner: byId('banners o', 'o.title'),
  case: byId('cases o', 'o.subject'),
  charge: byId(`subscription_charges o JOIN ${payer}`, memberName('m'), `'member:' || m.id`),
  comment: byId(
    `comments o JOIN products p ON p.customer_id = $1 AND p.id = o.product_id AND o.state <> 'DELETED'`,
    'p.title',
    `'product-comments:' || p.code`,
  ),
  faq: byId('faq o', 'o.question'),
  inquiry: byText('inquiries o', 'o.code', 'o.title'),
  mail: byId('mails o', 'o."to"'),
  member: byId('(SELECT * FROM members WHERE withdrawn_at IS NULL) o', memberName('o')),
  notice: byId('notices o', 'o.title'),
  page: byText('pages o', 'o.type', 'o.title'),
  plan: byId('plans o', 'o.name'),
  product: byText('products o', 'o.code', 'o.title'),
  'saved-reply': byId('saved_replies o', 'o.title'),
  staff: { ...byId('staff_memberships o JOIN staff s ON s.id = o.staff_id', 's.email'), key: 'o.staff_id' },
  'staff-invitation': byId('staff_invitations o', 'o.email'),
  'staff-role': byId('staff_roles o', 'o.name'),
  video: byId('(SELECT * FROM videos WHERE retired_at IS NULL) o', videoName),
  'video-job': byId('video_jobs o', 'o.source_name'),
  view: byId('saved_views o', 'o.name'),
  webhook: byId('webhook_endpoints o', 'o.url'),
}
export type NamedKind = keyof typeof auditNames

/** The names of objects of a kind. Those that are deleted are left out. */
export const readAuditNames = async (
  db: TenantDb,
  customerId: CustomerId,
  kind: NamedKind,
  keys: readonly string[],
) => {
  const { from, key, type, name, page } = auditNames[kind]
  const { rows } = await db.$client.query<{ key: string; name: string; page: string | null }>(
    `SELECT ${key}::text AS key, ${name} AS name, ${page} AS page FROM ${from}
      WHERE o.customer_id = $1 AND ${key} = ANY($2::${type}[])`,
    [customerId, keys],
  )
  return rows
}
