import type { MemberCtx } from '#api/context.ts'
import { appendConsents } from '#api/db/queries/consents.ts'
import { eraseMember } from '#api/db/queries/erasure.ts'
import { findMember } from '#api/db/queries/members.ts'
import {
  blockingOrders,
  countComments,
  countKeptOrders,
  countOwnedProducts,
  lockDrafts,
  ordersWithoutRefundAccount,
  standingPlan,
} from '#api/db/queries/withdrawal.ts'
import { cases } from '#api/db/schema/accounts.ts'
import { newId } from '#api/db/uuid.ts'
import { audit } from '#api/domain/desk/audit.ts'
import { failure } from '#api/domain/failure.ts'
import { queueMail } from '#api/domain/mail/queue-mail.ts'
import { failOrder } from '#api/domain/payments/fail-order.ts'
import { endSubscription } from '#api/domain/subscriptions/end-subscription.ts'
import { goodbyeMail } from '#api/mail/templates/goodbye.ts'
import type { WithdrawalOutlook } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import { pageVersion } from './page-version.ts'

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
    ...{ template: goodbyeMail, to: member.email, memberId: null, locale: member.locale as Locale | null },
    data: { name: member.name, keptOrders },
  })
  return undefined
}

/** Money that waits to be told where to go back to: the desk has to ask the person, and needs to know how. */
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
