import { and, asc, count, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { cancelRequests, cases } from '#api/modules/billing/billing.schema.ts'
import { manualProvider } from '#api/modules/billing/payments.queries.ts'
import { erasedReferenceOf, hasMatchedReference } from '#api/modules/billing/unapplied-payments.queries.ts'
import { comments } from '#api/modules/engagement/engagement.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { emailHash } from '#api/modules/plans/plans.queries.ts'
import { plans, subscriptions } from '#api/modules/plans/plans.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { WithdrawalOutlook } from '#contract/identity.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'

const ofMember = <Table extends typeof orders | typeof comments | typeof subscriptions>(
  table: Table,
  customerId: CustomerId,
  memberId: MemberId,
) => and(eq(table.customerId, customerId), eq(table.memberId, memberId))

type BlockingOrder = WithdrawalOutlook['blockedBy'][number]

/** Orders with a payment or refund in progress. */
export const blockingOrders = (db: TenantDb, customerId: CustomerId, memberId: MemberId): Promise<BlockingOrder[]> =>
  db
    .select({
      code: orders.code,
      status: sql<BlockingOrder['status']>`${orders.status}`,
      refundStep: cancelRequests.step,
      needsRefundAccount: sql<boolean>`coalesce(${cancelRequests.step} = 'ACCEPT' AND ${orders.method} = 'BANK'
        AND ${cancelRequests.refundAccount} IS NULL, false)`,
    })
    .from(orders)
    .leftJoin(
      cancelRequests,
      and(
        eq(cancelRequests.customerId, orders.customerId),
        eq(cancelRequests.orderId, orders.id),
        isNull(cancelRequests.outcome),
      ),
    )
    .where(and(ofMember(orders, customerId, memberId), inArray(orders.status, ['DEPOSIT_WAITING', 'CANCEL_REQUEST'])))
    .orderBy(asc(orders.createdAt))

/** Locks the member's unfinished orders, so that none is paid during the withdrawal. */
export const lockDrafts = (db: TenantDb, customerId: CustomerId, memberId: MemberId) =>
  db
    .select()
    .from(orders)
    .where(and(ofMember(orders, customerId, memberId), isNull(orders.status)))
    .orderBy(asc(orders.id))
    .for('update')

/** Codes of orders whose refund waits for the member's bank account. */
export const ordersWithoutRefundAccount = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const rows = await db
    .selectDistinct({ code: orders.code })
    .from(cases)
    .innerJoin(orders, and(eq(orders.customerId, cases.customerId), eq(orders.id, cases.orderId)))
    .where(
      and(
        ofMember(orders, customerId, memberId),
        eq(cases.customerId, customerId),
        eq(cases.status, 'WAIT'),
        sql`${cases.data} ->> 'kind' = 'UNAPPLIED_PAYMENT' AND (${cases.data} ->> 'needsAccount')::boolean`,
      ),
    )
  return rows.map(({ code }) => code)
}

const totalOf = async (rows: Promise<{ total: number }[]>) => (await rows)[0]?.total ?? 0

/** Returns the number of a member's comments. */
export const countComments = (db: TenantDb, customerId: CustomerId, memberId: MemberId) =>
  totalOf(
    db
      .select({ total: count() })
      .from(comments)
      .where(and(ofMember(comments, customerId, memberId), ne(comments.state, 'DELETED'))),
  )

/** The number of orders whose records remain: all that were paid or awaited a payment. */
export const countRetainedOrders = (db: TenantDb, customerId: CustomerId, memberId: MemberId) =>
  totalOf(
    db
      .select({ total: count() })
      .from(orders)
      .where(and(ofMember(orders, customerId, memberId), isNotNull(orders.status))),
  )

/** The number of products a member has a live right to. */
export const countOwnedProducts = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  const { rows } = await db.$client.query<{ total: number }>(
    `SELECT count(DISTINCT product_id) AS total FROM entitlements
      WHERE customer_id = $1 AND member_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
        AND (started_at IS NOT NULL OR start_by IS NULL OR start_by > $3)`,
    [customerId, memberId, now],
  )
  return rows[0]?.total ?? 0
}

/** The current subscription, if it has started. */
export const findCurrentPlan = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const [row] = await db
    .select({ name: plans.name, until: subscriptions.periodEnd })
    .from(subscriptions)
    .innerJoin(plans, and(eq(plans.customerId, subscriptions.customerId), eq(plans.id, subscriptions.planId)))
    .where(
      and(
        ofMember(subscriptions, customerId, memberId),
        isNull(subscriptions.endedAt),
        isNotNull(subscriptions.activatedAt),
      ),
    )
  return row ?? null
}

/** Tables retained after a withdrawal, as law or proof of payment requires, without a name. */
export const retainedTables = [
  ...['orders', 'cancel_requests', 'consents', 'fulfillments'],
  ...['subscriptions', 'subscription_charges', 'subscription_events', 'subscription_quotes'],
]

const email = '(SELECT email_lower FROM members WHERE customer_id = $1 AND id = $2)'
const inquiries = '(SELECT id FROM inquiries WHERE customer_id = $1 AND member_id = $2)'

interface Step {
  table: string
  sql: string
  /** Whether the statement uses the time of the withdrawal, `$3`. */
  dated?: true
}

const remove = (table: string, where = 'member_id = $2'): Step => ({
  table,
  sql: `DELETE FROM ${table} WHERE customer_id = $1 AND ${where}`,
})

/** Remembers that an address has used its trial. */
const trialStep: Step = {
  table: 'past_trials',
  sql: `INSERT INTO past_trials (customer_id, email_hash, created_at)
        SELECT m.customer_id, ${emailHash('m')}, $3 FROM members m
         WHERE m.customer_id = $1 AND m.id = $2 AND EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = $1
           AND s.member_id = $2 AND s.activated_at IS NOT NULL AND s.trial_ends_at IS NOT NULL)
        ON CONFLICT DO NOTHING`,
  dated: true,
}

/** The steps that erase a member, in order; `$1` is the tenant, `$2` the member. */
export const erasureSteps: readonly Step[] = [
  trialStep,
  ...['plays', 'play_leaks', 'sessions', 'known_networks'].map((table) => remove(table)),
  ...['member_tags', 'password_resets', 'carts'].map((table) => remove(table)),
  {
    table: 'products',
    sql: `UPDATE products p SET count_of_likes = greatest(0, count_of_likes - 1)
           FROM likes l WHERE p.customer_id = $1 AND l.customer_id = $1 AND l.member_id = $2 AND l.product_id = p.id`,
  },
  remove('likes'),
  remove('viewed_products', 'viewer = ($2::uuid)::text'),
  remove('positions', 'viewer = ($2::uuid)::text'),
  {
    table: 'products',
    sql: `UPDATE products p SET count_of_comments = greatest(0, count_of_comments - c.mine)
            FROM (SELECT product_id, count(*) AS mine FROM comments
                   WHERE customer_id = $1 AND member_id = $2 AND state = 'SHOWN' GROUP BY product_id) c
           WHERE p.customer_id = $1 AND p.id = c.product_id`,
  },
  // The row of a comment remains as a placeholder for replies of others.
  {
    table: 'comments',
    sql: `UPDATE comments SET body = '', state = 'DELETED', edited_at = NULL WHERE customer_id = $1 AND member_id = $2`,
  },
  remove('comment_reports'),
  // Backdated and detached, so that the next cleanup removes the files and then the rows.
  {
    table: 'inquiry_files',
    sql: `UPDATE inquiry_files SET message_id = NULL, name = '', created_at = $3::timestamptz - interval '2 days'
           WHERE customer_id = $1 AND member_id = $2`,
    dated: true,
  },
  remove('inquiry_messages', `inquiry_id IN ${inquiries}`),
  remove('inquiry_drafts', `inquiry_id IN ${inquiries}`),
  {
    table: 'cases',
    sql: `UPDATE cases SET status = 'COMPLETE', completed_at = coalesce(completed_at, $3), subject = '', data = '{}'
           WHERE customer_id = $1 AND member_id = $2 AND type = 'INQUIRY'`,
    dated: true,
  },
  remove('inquiries'),
  // A payment method registration with an open page is queried again: it may still complete there.
  {
    table: 'cards',
    sql: `UPDATE cards SET next_check_at = CASE WHEN status = 'READY' THEN $3 ELSE next_check_at END,
                 status = 'REMOVED', is_default = false, removed_at = coalesce(removed_at, $3),
                 issuer = NULL, last_four = NULL, expiry_month = NULL, expiry_year = NULL
           WHERE customer_id = $1 AND member_id = $2`,
    dated: true,
  },
  // Erases what the member and staff have written. What happened, when, and the amounts remain.
  {
    table: 'cases',
    sql: `UPDATE cases SET data = data - 'reason'
           WHERE customer_id = $1 AND member_id = $2 AND data ->> 'kind' = 'CANCEL_REQUEST'`,
  },
  // Staff may have entered the member's name with a transfer.
  {
    table: 'order_events',
    sql: `UPDATE order_events e SET detail = NULL FROM orders o
           WHERE e.customer_id = $1 AND o.customer_id = $1 AND o.member_id = $2 AND o.id = e.order_id
             AND (e.type IN ('CANCEL_REQUESTED', 'CANCEL_REJECTED')
               OR e.type = 'UNAPPLIED_PAYMENT_REFUNDED' AND e.detail NOT IN ('LATE', 'AMOUNT_MISMATCH', 'SURPLUS')
               OR e.type IN ('REFUNDED', 'PARTLY_REFUNDED') AND o.method = 'BANK'
               OR e.type = 'PAID' AND e.detail !~ '^[0-9]{8}-[0-9A-Z]{6}$' AND EXISTS (
                 SELECT FROM payments p WHERE p.customer_id = $1 AND p.order_id = o.id AND p.provider = '${manualProvider}'))`,
  },
  {
    table: 'payments',
    sql: `UPDATE payments p SET provider_ref = ${erasedReferenceOf('p')} FROM orders o
           WHERE p.customer_id = $1 AND o.customer_id = $1 AND o.member_id = $2 AND o.id = p.order_id
             AND p.provider = '${manualProvider}' AND NOT ${hasMatchedReference('p')}`,
  },
  { table: 'orders', sql: 'UPDATE orders SET refund_reason = NULL WHERE customer_id = $1 AND member_id = $2' },
  {
    table: 'cancel_requests',
    sql: `UPDATE cancel_requests SET reason = '', rejection = CASE WHEN rejection IS NOT NULL THEN '' END
           WHERE customer_id = $1 AND member_id = $2`,
  },
  // What undoes a change of many members.
  {
    table: 'bulk_job_items',
    sql: 'UPDATE bulk_job_items SET before = NULL WHERE customer_id = $1 AND key = ($2::uuid)::text AND before IS NOT NULL',
  },
  {
    table: 'subscriptions',
    sql: 'UPDATE subscriptions SET cancel_reason = NULL WHERE customer_id = $1 AND member_id = $2',
  },
  remove('mails', `(member_id = $2 OR lower("to") = ${email})`),
  remove('suppressed_addresses', `address = ${email}`),
  remove('join_verifications', `email_lower = ${email}`),
  remove('idempotency_keys'),
  {
    table: 'entitlements',
    sql: `UPDATE entitlements SET revoked_at = $3 WHERE customer_id = $1 AND member_id = $2 AND revoked_at IS NULL`,
    dated: true,
  },
  {
    table: 'members',
    sql: `UPDATE members SET email = '', email_lower = 'withdrawn:' || id, password_hash = '', name = '', phone = NULL, address = NULL,
                 locale = NULL, marketing = false, partnership_until = NULL, partnership_name = NULL, withdrawn_at = $3
           WHERE customer_id = $1 AND id = $2`,
    dated: true,
  },
]

/** Erases a member. What the steps above do not name stays, such as orders for the accounts. */
export const eraseMember = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  for (const { sql, dated } of erasureSteps)
    await db.$client.query(sql, dated ? [customerId, memberId, now] : [customerId, memberId])
}

/** Remembers that the address of a member has used its trial, if it has. */
export const recordTrial = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  await db.$client.query(trialStep.sql, [customerId, memberId, now])
}

/** The objects of a member that the audit log names, with their tables and keys. */
const auditedObjects = [
  ['case', 'cases', 'id'],
  ['charge', 'subscription_charges', 'id'],
  ['comment', 'comments', 'id'],
  ['inquiry', 'inquiries', 'code'],
  ['mail', 'mails', 'id'],
  ['order', 'orders', 'code'],
] as const

/** What the audit log names of a member who is not erased yet. */
export const readAuditSubjects = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const parts = auditedObjects.map(
    ([kind, table, key]) =>
      `SELECT '${kind}:' || ${key} AS subject FROM ${table} WHERE customer_id = $1 AND member_id = $2`,
  )
  const { rows } = await db.$client.query<{ subject: string }>(parts.join(' UNION ALL '), [customerId, memberId])
  return rows.map(({ subject }) => subject)
}

/** The accounts merged into a member, or before into one of them. Old entries have no address. */
export const mergedAccounts = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const found: { id: MemberId; email: string | null }[] = []
  for (let ids = [memberId]; ids.length > 0; ) {
    const { rows } = await db.$client.query<(typeof found)[number]>(
      `SELECT (detail ->> 'merged')::uuid AS id, detail ->> 'email' AS email FROM audit
        WHERE customer_id = $1 AND subject = ANY($2::text[]) AND action = 'member.merged' AND detail ? 'merged'`,
      [customerId, ids.map((id) => `member:${id}`)],
    )
    found.push(...rows)
    ids = rows.map(({ id }) => id)
  }
  return found
}
