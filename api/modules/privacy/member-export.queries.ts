import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'

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
  member: { table: 'members', where: 't.id = $2', without: ['email_lower', 'password_hash'] },
  consents: { table: 'consents' },
  sessions: { table: 'sessions', without: ['token_hash'] },
  knownNetworks: { table: 'known_networks', without: ['network_hash'] },
  passwordResets: { table: 'password_resets', without: ['key_hash'] },
  mails: { table: 'mails', without: ['once', 'text', 'html', 'attempts', 'failure', 'due_at'] },
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
  fulfillments: { table: 'fulfillments' },
  cards: { table: 'cards', without: ['token', 'provider_ref'] },
  subscriptions: { table: 'subscriptions' },
  subscriptionCharges: { table: 'subscription_charges', without: ['provider_ref'] },
  subscriptionEvents: { table: 'subscription_events', where: ofSubscriptions },
  subscriptionQuotes: { table: 'subscription_quotes' },
  inquiries: { table: 'inquiries' },
  inquiryMessages: { table: 'inquiry_messages', where: ofInquiries },
  inquiryFiles: { table: 'inquiry_files', without: ['asset'] },
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
