import { failOrder } from '#api/modules/billing/payment-states.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { pageVersion, recordConsent } from '#api/modules/identity/profile.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { goodbyeMail } from '#api/modules/privacy/mails/goodbye.ts'
import { endMemberSubscription } from '#api/modules/subscriptions/ending.ts'
import { openCase } from '#api/modules/support/cases.ts'
import { audit } from '#api/platform/audit.ts'
import { failure, type MemberCtx } from '#api/platform/context.ts'
import type { WithdrawalOutlook } from '#contract/identity.ts'
import { exportSections, readSection } from './personal-data.queries.ts'
import {
  blockingOrders,
  countComments,
  countOwnedProducts,
  countRetainedOrders,
  eraseMember,
  findCurrentPlan,
  lockDrafts,
  ordersWithoutRefundAccount,
} from './withdrawal.queries.ts'

/** Returns what prevents a withdrawal, what the member loses, and which data is retained. */
export const withdrawalOutlook = async ({ customer, actor, db, clock }: MemberCtx): Promise<WithdrawalOutlook> => {
  const owner = [db, customer.id, actor.memberId] as const
  return {
    blockedBy: await blockingOrders(...owner),
    ownedProducts: await countOwnedProducts(...owner, clock.now()),
    comments: await countComments(...owner),
    subscription: await findCurrentPlan(...owner),
    retainedOrders: await countRetainedOrders(...owner),
  }
}

export interface Withdrawal {
  /** The hash that the password was verified with. The withdrawal requires that it is unchanged. */
  passwordHash: string
  reason: string | null
}

/**
 * Closes and erases the account in one transaction: sessions, rights and the subscription end, and
 * personal data is erased except for records that the law requires. Failure: WITHDRAWAL_BLOCKED
 * with the orders that have an open deposit or cancellation.
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
  const retainedOrders = await countRetainedOrders(db, customer.id, memberId)
  if (member.marketing)
    await recordConsent(ctx, memberId, {
      type: 'MARKETING',
      version: await pageVersion(ctx, 'privacy'),
      granted: false,
    })
  // Later payments for these orders are refunded automatically.
  for (const order of drafts) await failOrder(ctx, order, 'WITHDRAWN')
  await openAccountCase(ctx, member.email)
  await endMemberSubscription(ctx, memberId, 'WITHDRAWN')
  await eraseMember(db, customer.id, memberId, now)
  await audit(ctx, {
    actor: `member:${memberId}`,
    action: 'member.withdrew',
    subject: `member:${memberId}`,
    detail: { retainedOrders, ...(reason && { reason }) },
  })
  // Queued after the erasure. The mail is deleted a day after it was sent.
  await queueMail(ctx, {
    template: goodbyeMail,
    to: member.email,
    memberId: null,
    locale: member.locale,
    data: { name: member.name, retainedOrders },
  })
  return undefined
}

/**
 * Opens a case for refunds without a bank account, with the contact an operator needs to ask for
 * it.
 */
const openAccountCase = async (ctx: MemberCtx, email: string) => {
  const { customer, actor, db } = ctx
  const codes = await ordersWithoutRefundAccount(db, customer.id, actor.memberId)
  if (codes.length === 0) return
  await openCase(ctx, {
    type: 'WITHDRAWAL',
    memberId: actor.memberId,
    subject: `An account was deleted, but refunds of ${codes.join(', ')} still need a bank account`,
    data: { orders: codes, contact: email },
  })
}

/** Returns all data of the member, by table. Keys and tokens are left out. */
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
