import { type SQL, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { type PersonalTexts, patternWithin, searchesWithoutLetters, withoutSearchFor } from '#api/platform/text.ts'
import type { CustomerId, MemberId, RowId } from '#contract/ids.ts'

/** Deletes at most `max` rows of a tenant's table. Rows locked by another process are skipped. */
const deleteSome = async (db: TenantDb, table: string, customerId: CustomerId, condition: SQL, max: number) => {
  const name = sql.identifier(table)
  const { rowCount } = await db.execute(sql`
    DELETE FROM ${name} WHERE customer_id = ${customerId} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${name} s WHERE customer_id = ${customerId} AND ${condition} LIMIT ${max} FOR UPDATE SKIP LOCKED))`)
  return rowCount ?? 0
}

/** The time of a row by which it expires, of tables whose old rows are deleted. */
const expiryColumns = {
  bulk_jobs: 'created_at',
  catalog_imports: 'created_at',
  join_verifications: 'created_at',
  known_networks: 'last_at',
  password_resets: 'expires_at',
  past_trials: 'created_at',
  play_leaks: 'last_at',
  plays: 'seen_at',
  rate_limits: 'expires_at',
  sessions: 'expires_at',
  table_jobs: 'created_at',
} as const

/** Deletes rows from before a time, in any state. Returns their number. */
export const deleteOldRows = (
  db: TenantDb,
  table: keyof typeof expiryColumns,
  customerId: CustomerId,
  before: Date,
  max: number,
) => deleteSome(db, table, customerId, sql`${sql.identifier(expiryColumns[table])} < ${before.toISOString()}`, max)

/**
 * Deletes completed mails, with separate time limits for withdrawn members and all others. Returns
 * their number.
 */
export const deleteOldMails = (
  db: TenantDb,
  customerId: CustomerId,
  { lastMails, others }: { lastMails: Date; others: Date },
  max: number,
) =>
  deleteSome(
    db,
    'mails',
    customerId,
    sql`status <> 'QUEUED' AND (created_at < ${others.toISOString()} OR (template IN ('goodbye', 'merged-account') AND created_at < ${lastMails.toISOString()}))`,
    max,
  )

/** Deletes counts of searches of days before a time. Returns their number. */
export const deleteOldSearches = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'missed_searches', customerId, sql`day < ${before.toISOString().slice(0, 10)}`, max)

/** Deletes guests' carts last changed before a time. Returns their number. */
export const deleteGuestCarts = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'carts', customerId, sql`guest_id IS NOT NULL AND updated_at < ${before.toISOString()}`, max)

/**
 * Deletes guests' views and positions from before a time; those of members remain. Returns their
 * number.
 */
export const deleteGuestHistory = (
  db: TenantDb,
  customerId: CustomerId,
  table: 'viewed_products' | 'positions',
  before: Date,
  max: number,
) =>
  deleteSome(
    db,
    table,
    customerId,
    sql`at < ${before.toISOString()}
        AND NOT EXISTS (SELECT FROM members m WHERE m.customer_id = ${customerId} AND m.id::text = s.viewer)`,
    max,
  )

interface Section {
  table: string
  /** Selects the member's rows if not by member id; `$1` is the tenant, `$2` the member. */
  where?: string
  /** Columns that are technical or about other people. */
  without?: readonly string[]
}

const ofOrders = 't.order_id IN (SELECT id FROM orders WHERE customer_id = $1 AND member_id = $2)'
const ofInquiries = 't.inquiry_id IN (SELECT id FROM inquiries WHERE customer_id = $1 AND member_id = $2)'
const ofCart = 't.cart_id IN (SELECT id FROM carts WHERE customer_id = $1 AND member_id = $2)'
const ofSubscriptions = 't.subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = $1 AND member_id = $2)'

/** The exported tables of member data, by section name. */
export const exportSections: Record<string, Section> = {
  member: { table: 'members', where: 't.id = $2', without: ['email_lower', 'password_hash', 'search_text'] },
  tags: { table: 'member_tags' },
  consents: { table: 'consents' },
  sessions: { table: 'sessions', without: ['token_hash'] },
  knownNetworks: { table: 'known_networks', without: ['network_hash'] },
  passwordResets: { table: 'password_resets', without: ['key_hash'] },
  mails: { table: 'mails', without: ['once', 'text', 'html', 'keeps_content', 'attempts', 'failure', 'due_at'] },
  suppressedAddresses: {
    table: 'suppressed_addresses',
    where: 't.address = (SELECT email_lower FROM members WHERE customer_id = $1 AND id = $2)',
  },
  cart: { table: 'carts' },
  cartItems: { table: 'cart_items', where: ofCart },
  likes: { table: 'likes' },
  comments: { table: 'comments' },
  commentReports: { table: 'comment_reports' },
  viewedProducts: { table: 'viewed_products', where: 't.viewer = ($2::uuid)::text' },
  positions: { table: 'positions', where: 't.viewer = ($2::uuid)::text' },
  plays: { table: 'plays' },
  // The addresses belong to other people.
  playLeaks: { table: 'play_leaks', without: ['address'] },
  orders: { table: 'orders' },
  orderItems: { table: 'order_items', where: ofOrders },
  orderEvents: { table: 'order_events', where: ofOrders },
  payments: { table: 'payments', where: ofOrders, without: ['provider_ref'] },
  cancelRequests: { table: 'cancel_requests', without: ['refund_account', 'attempts', 'next_attempt_at', 'failure'] },
  entitlements: { table: 'entitlements' },
  // What a merged account has opened stays evidence of that account.
  fulfillments: {
    table: 'fulfillments',
    where: 't.entitlement_id IN (SELECT id FROM entitlements WHERE customer_id = $1 AND member_id = $2)',
  },
  cards: { table: 'cards', without: ['token', 'provider_ref'] },
  subscriptions: { table: 'subscriptions' },
  subscriptionCharges: { table: 'subscription_charges', without: ['provider_ref'] },
  subscriptionEvents: { table: 'subscription_events', where: ofSubscriptions },
  subscriptionQuotes: { table: 'subscription_quotes' },
  // Who of the staff has answered is not about the member.
  inquiries: { table: 'inquiries', without: ['assignee_id'] },
  inquiryMessages: { table: 'inquiry_messages', where: ofInquiries },
  inquiryFiles: { table: 'inquiry_files', without: ['asset', 'sender_id'] },
  cases: { table: 'cases', without: ['data'] },
}

/** Reads one section with the column names of the table. */
export const readSection = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { table, where = 't.member_id = $2', without = [] }: Section,
): Promise<unknown[]> => {
  const { rows } = await db.$client.query<{ rows: unknown[] }>(
    `SELECT coalesce(jsonb_agg(to_jsonb(t) - $3::text[]), '[]') AS rows FROM ${table} t
      WHERE t.customer_id = $1 AND ${where}`,
    [customerId, memberId, ['customer_id', ...without]],
  )
  return rows[0]?.rows ?? []
}

interface MergeStep {
  table: string
  sql: string
}

const moveTo = (table: string): MergeStep => ({
  table,
  sql: `UPDATE ${table} SET member_id = $3 WHERE customer_id = $1 AND member_id = $2`,
})

/**
 * What an account gets from the one that is merged into it, in order; `$1` is the tenant, `$2` the
 * merged member, `$3` the one that stays. Views, positions and the cart follow with the event.
 * Evidence that nobody can change, such as of the first play of a title, keeps its account.
 */
export const mergeSteps: readonly MergeStep[] = [
  // Both liked it: visitors count one person less.
  {
    table: 'products',
    sql: `UPDATE products p SET count_of_likes = greatest(0, count_of_likes - 1)
            FROM likes l WHERE p.customer_id = $1 AND l.customer_id = $1 AND l.member_id = $2 AND l.product_id = p.id
             AND EXISTS (SELECT FROM likes k WHERE k.customer_id = $1 AND k.member_id = $3 AND k.product_id = p.id)`,
  },
  {
    table: 'likes',
    sql: `DELETE FROM likes l WHERE l.customer_id = $1 AND l.member_id = $2
             AND EXISTS (SELECT FROM likes k WHERE k.customer_id = $1 AND k.member_id = $3 AND k.product_id = l.product_id)`,
  },
  moveTo('likes'),
  {
    table: 'comment_reports',
    sql: `DELETE FROM comment_reports r WHERE r.customer_id = $1 AND r.member_id = $2
             AND EXISTS (SELECT FROM comment_reports k WHERE k.customer_id = $1 AND k.member_id = $3 AND k.comment_id = r.comment_id)`,
  },
  moveTo('comment_reports'),
  {
    table: 'member_tags',
    sql: `INSERT INTO member_tags (customer_id, member_id, tag)
          SELECT customer_id, $3::uuid, tag FROM member_tags WHERE customer_id = $1 AND member_id = $2
              ON CONFLICT DO NOTHING`,
  },
  ...['comments', 'orders', 'cancel_requests', 'entitlements'].map(moveTo),
  ...['subscriptions', 'subscription_charges', 'subscription_quotes'].map(moveTo),
  ...['inquiries', 'inquiry_files', 'cases', 'mails'].map(moveTo),
]

/** Runs the steps above. */
export const moveMemberData = async (
  db: TenantDb,
  customerId: CustomerId,
  { fromId, memberId }: { fromId: MemberId; memberId: MemberId },
) => {
  for (const { sql: statement } of mergeSteps) await db.$client.query(statement, [customerId, fromId, memberId])
}

/** Gives a member the partnership of an account that is merged into it. */
export const movePartnership = async (
  db: TenantDb,
  customerId: CustomerId,
  { fromId, memberId }: { fromId: MemberId; memberId: MemberId },
) => {
  await db.$client.query(
    `UPDATE members m SET partnership_until = o.partnership_until, partnership_name = o.partnership_name
       FROM members o WHERE m.customer_id = $1 AND m.id = $3 AND o.customer_id = $1 AND o.id = $2`,
    [customerId, fromId, memberId],
  )
}

/** Whether a member has a subscription that has not ended, also one that only begins. */
export const hasOpenSubscription = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const { rows } = await db.$client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM subscriptions WHERE customer_id = $1 AND member_id = $2 AND ended_at IS NULL) AS found`,
    [customerId, memberId],
  )
  return rows[0]?.found ?? false
}

/** Where a store may name a picture of its texts, with earlier versions of the texts. */
const tablesWithTexts = [
  'products',
  'lessons',
  'categories',
  'plans',
  'banners',
  'notices',
  'faq',
  'pages',
  'customers',
  'saved_replies',
  'inquiry_messages',
  'inquiry_drafts',
  'mails',
  'audit',
]

/** The content hashes of the pictures below a folder that a text of the store names. */
export const picturesInTexts = async (db: TenantDb, customerId: CustomerId, folder: string): Promise<Set<string>> => {
  const texts = tablesWithTexts.map(
    (table) => `SELECT t::text AS words FROM ${table} t WHERE t.customer_id = $1 AND strpos(t::text, $2) > 0`,
  )
  const { rows } = await db.$client.query<{ hash: string }>(
    `SELECT DISTINCT (regexp_matches(words, $2 || '([0-9a-f]{32})', 'g'))[1] AS hash
       FROM (${texts.join(' UNION ALL ')}) texts`,
    [customerId, folder],
  )
  return new Set(rows.map(({ hash }) => hash))
}

/** What staff have searched for, and in which lists. */
const searches = [
  { table: 'saved_views', column: 'search', list: 'list' },
  { table: 'bulk_jobs', column: 'filters', list: 'kind' },
] as const

/** Erases a person from what staff have searched for. */
export const rewriteSearches = async (db: TenantDb, customerId: CustomerId, texts: PersonalTexts) => {
  const patterns = [...texts.emails, ...texts.phones, ...texts.names].map(patternWithin)
  for (const { table, column, list } of searches) {
    const { rows } = await db.$client.query<{ id: RowId; list: string; value: unknown }>(
      `SELECT id, ${list} AS list, ${column} AS value FROM ${table} WHERE customer_id = $1
          AND (lower(${column}::text) LIKE ANY ($2::text[]) OR jsonb_path_exists(${column}, $3::jsonpath)) FOR UPDATE`,
      [customerId, patterns, texts.phones.length > 0 ? searchesWithoutLetters : null],
    )
    for (const { id, list: of, value } of rows) {
      const rest = JSON.stringify(withoutSearchFor(value, texts, of))
      if (rest !== JSON.stringify(value))
        await db.$client.query(`UPDATE ${table} SET ${column} = $3::jsonb WHERE customer_id = $1 AND id = $2`, [
          ...[customerId, id, rest],
        ])
    }
  }
}
