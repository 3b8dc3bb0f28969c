import { cases } from '#api/modules/billing/billing.schema.ts'
import { failOrder } from '#api/modules/billing/payment-states.ts'
import { appendConsents, findMember } from '#api/modules/identity/identity.queries.ts'
import { pageVersion } from '#api/modules/identity/profile.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { goodbyeMail } from '#api/modules/privacy/mails/goodbye.ts'
import { endSubscription } from '#api/modules/subscriptions/ending.ts'
import { audit } from '#api/platform/audit.ts'
import { failure, type MemberCtx } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { WithdrawalOutlook } from '#contract/accounts.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'
import {
  blockingOrders,
  countComments,
  countKeptOrders,
  countOwnedProducts,
  eraseMember,
  lockDrafts,
  ordersWithoutRefundAccount,
  standingPlan,
} from './withdrawal.queries.ts'

/** What leaving would mean: what is in its way, what is lost, and what is kept. */
export const withdrawalOutlook = async ({ customer, actor, db, clock }: MemberCtx): Promise<WithdrawalOutlook> => {
  const whose = [db, customer.id, actor.memberId] as const
  return {
    blockedBy: await blockingOrders(...whose),
    ownedProducts: await countOwnedProducts(...whose, clock.now()),
    comments: await countComments(...whose),
    subscription: await standingPlan(...whose),
    keptOrders: await countKeptOrders(...whose),
  }
}

export interface Withdrawal {
  /** The hash the password was compared with: it is still the member's. */
  passwordHash: string
  reason: string | null
}

/**
 * Closes and erases the account in one transaction: sessions, rights and the subscription end, personal data go, and what the law asks
 * to keep stands without a name. WITHDRAWAL_BLOCKED while a deposit or a cancelling is under way; the failure names the orders.
 */
export const withdraw = async (ctx: MemberCtx, { passwordHash, reason }: Withdrawal) => {
  const { customer, actor, db, clock } = ctx
  const { memberId } = actor
  const member = await findMember(db, customer.id, memberId, { lock: true })
  if (!member) return failure('SESSION_EXPIRED')
  if (member.passwordHash !== passwordHash) return failure('CONFLICT')
  const drafts = await lockDrafts(db, customer.id, memberId)
  const blockedBy = await blockingOrders(db, customer.id, memberId)
  if (blockedBy.length > 0) return failure('WITHDRAWAL_BLOCKED', { data: { blockedBy } })

  const now = clock.now()
  const keptOrders = await countKeptOrders(db, customer.id, memberId)
  if (member.marketing)
    await appendConsents(db, customer.id, memberId, [
      { type: 'MARKETING', version: await pageVersion(ctx, 'privacy'), granted: false, at: now.toISOString() },
    ])
  // Money that still comes in for them goes back by itself.
  for (const order of drafts) await failOrder(ctx, order, 'WITHDRAWN')
  await openCase(ctx, member.email)
  await endSubscription(ctx, memberId, 'WITHDRAWN')
  await eraseMember(db, customer.id, memberId, now)
  await audit(ctx, {
    actor: `member:${memberId}`,
    action: 'member.withdrew',
    subject: `member:${memberId}`,
    detail: { keptOrders, ...(reason && { reason }) },
  })
  // Written after everything else was erased, and forgotten a day after it has left.
  await queueMail(ctx, {
    ...{ template: goodbyeMail, to: member.email, memberId: null, locale: member.locale },
    data: { name: member.name, keptOrders },
  })
  return undefined
}

/** Money that waits to be told where to go back to: an operator has to ask the person, and needs to know how. */
const openCase = async ({ customer, actor, db, clock }: MemberCtx, email: string) => {
  const codes = await ordersWithoutRefundAccount(db, customer.id, actor.memberId)
  if (codes.length === 0) return
  await db.insert(cases).values({
    ...{ customerId: customer.id, id: newId(), type: 'WITHDRAWAL', memberId: actor.memberId },
    subject: `A member left, and money of ${codes.join(', ')} waits for an account to go back to`,
    data: { orders: codes, contact: email },
    createdAt: clock.now().toISOString(),
  })
}

interface Section {
  table: string
  /** Which rows are the member's, where it is not those with their id; `$1` is the tenant, `$2` the member. */
  where?: string
  /** Columns that are the store's own means and nothing of the member's. */
  without?: readonly string[]
}

const ofOrders = 't.order_id IN (SELECT id FROM orders WHERE customer_id = $1 AND member_id = $2)'
const ofInquiries = 't.inquiry_id IN (SELECT id FROM inquiries WHERE customer_id = $1 AND member_id = $2)'
const ofCart = 't.cart_id IN (SELECT id FROM carts WHERE customer_id = $1 AND member_id = $2)'
const ofSubscriptions = 't.subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = $1 AND member_id = $2)'

/** All a store keeps of a member, by the name it has in the export. */
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
  // The addresses are other people's.
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

/** The rows of one section, in the words of the tables: a record of what is kept, not a form that may change. */
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

/** Everything the store keeps of the member, table by table. Keys and tokens are left out: they are means, not data. */
export const exportMe = async ({ customer, actor, db, clock }: MemberCtx): Promise<Record<string, unknown>> => {
  const sections: Record<string, unknown> = {}
  for (const [name, section] of Object.entries(exportSections))
    sections[name] = await readSection(db, customer.id, actor.memberId, section)
  return {
    store: { code: customer.code, name: customer.settings.base.name },
    exportedAt: clock.now().toISOString(),
    ...sections,
  }
}
