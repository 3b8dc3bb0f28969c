import { lockPayer } from '#api/modules/billing/cards.queries.ts'
import { failOrder } from '#api/modules/billing/payment-states.ts'
import { findMember, type MemberRow } from '#api/modules/identity/identity.queries.ts'
import { accountsMergedMail, goodbyeMail, mergedAccountMail } from '#api/modules/identity/mails/accounts.ts'
import { partnershipOf } from '#api/modules/identity/member-changes.ts'
import { pageVersion, recordConsent } from '#api/modules/identity/profile.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { eraseFromViewNames } from '#api/modules/staff/saved-views.ts'
import { endMemberSubscription } from '#api/modules/subscriptions/ending.ts'
import { openCase } from '#api/modules/support/cases.ts'
import { type AuditActor, audit, changesOf, eraseFromAudit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, type MemberCtx } from '#api/platform/context.ts'
import { emit } from '#api/platform/events.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { AuditTraces } from '#api/platform/platform.queries.ts'
import { withoutTexts } from '#api/platform/text.ts'
import type { WithdrawalOutlook } from '#contract/identity.ts'
import type { MemberId } from '#contract/ids.ts'
import {
  exportSections,
  hasOpenSubscription,
  moveMemberData,
  movePartnership,
  readSection,
  rewriteSearches,
} from './personal-data.queries.ts'
import {
  blockingOrders,
  countComments,
  countOwnedProducts,
  countRetainedOrders,
  eraseMember,
  findCurrentPlan,
  lockDrafts,
  mergedAccounts,
  ordersWithoutRefundAccount,
  readAuditSubjects,
  recordTrial,
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
  const { customer, actor, db } = ctx
  const member = await findMember(db, customer.id, actor.memberId, { lock: true })
  if (!member) return failure('SESSION_EXPIRED')
  if (member.passwordHash !== passwordHash) return failure('CONFLICT')
  return closeAccount(ctx, member, { actor: `member:${member.id}`, action: 'member.withdrew', reason })
}

interface Erasure {
  id: MemberId
  /** The member's address, typed as a confirmation. */
  email: string
  /** For the audit log. */
  reason: string
}

/**
 * Closes and erases an account that the member asked staff to delete. Failures: NOT_FOUND,
 * VALIDATION_FAILED if the typed address is not the member's, WITHDRAWAL_BLOCKED as for the member.
 */
export const eraseByStore = async (ctx: Ctx, by: AuditActor, { id, email, reason }: Erasure) => {
  // Before the member's row is locked: charges take these locks in this order.
  await lockPayer(ctx.db, id)
  const member = await findMember(ctx.db, ctx.customer.id, id, { lock: true })
  if (!member) return failure('NOT_FOUND')
  return (
    refuseOtherAddress(ctx, member, email) ?? closeAccount(ctx, member, { actor: by, action: 'member.erased', reason })
  )
}

/** Refuses a confirmation that is not the member's address. Failure: VALIDATION_FAILED. */
const refuseOtherAddress = ({ locale }: Ctx, { emailLower }: MemberRow, typed: string): Failure | null => {
  const i18n = messagesOf(locale)
  const isTheirs = typed.trim().toLowerCase() === emailLower
  return isTheirs ? null : invalidField('email', i18n._('Type the email address of this member.'))
}

/** Requires the member's lock. See `withdraw`. */
const closeAccount = async (
  ctx: Ctx,
  member: MemberRow,
  { actor, action, reason }: { actor: AuditActor; action: 'member.withdrew' | 'member.erased'; reason: string | null },
) => {
  const { customer, db, clock } = ctx
  const memberId = member.id
  const drafts = await lockDrafts(db, customer.id, memberId)
  const blockedBy = await blockingOrders(db, customer.id, memberId)
  if (blockedBy.length > 0) return failure('WITHDRAWAL_BLOCKED', { data: { blockedBy } })

  const now = clock.now()
  const retainedOrders = await countRetainedOrders(db, customer.id, memberId)
  const traces = await tracesOf(ctx, member)
  if (member.marketing)
    await recordConsent(ctx, memberId, {
      type: 'MARKETING',
      version: await pageVersion(ctx, 'privacy'),
      granted: false,
    })
  // Later payments for these orders are refunded automatically.
  for (const order of drafts) await failOrder(ctx, order, 'WITHDRAWN')
  await openAccountCase(ctx, member)
  await endMemberSubscription(ctx, memberId, 'WITHDRAWN')
  await eraseMember(db, customer.id, memberId, now)
  const subject = `member:${memberId}`
  await eraseTraces(ctx, subject, traces)
  // The ground of the erasure is its evidence, and names nobody.
  const texts = [...traces.emails, ...traces.phones, ...traces.names]
  const detail = { retainedOrders, ...(reason && { reason: withoutTexts(reason, texts) }) }
  await audit(ctx, { actor, action, subject, detail })
  await emit(ctx, 'memberDeleted', { memberId, byStaff: action === 'member.erased', mergedIntoId: null })
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

/** Erases a member, who is `subject` in the audit log, from what staff wrote and searched for. */
const eraseTraces = async (ctx: Ctx, subject: string, traces: AuditTraces) => {
  const { db, customer } = ctx
  await eraseFromAudit(ctx, { ...traces, subject })
  await rewriteSearches(db, customer.id, traces)
  await eraseFromViewNames(ctx, [...traces.emails, ...traces.phones])
}

const namesOf = ({ name }: Pick<MemberRow, 'name'>) => (name.length > 1 ? [name] : [])
const phonesOf = ({ phone }: Pick<MemberRow, 'phone'>) => (phone ? [phone] : [])

/** What leads to a member in texts of staff, with the accounts that were merged into theirs. */
const tracesOf = async ({ db, customer }: Ctx, member: MemberRow): Promise<AuditTraces> => {
  const { id, email } = member
  const merged = await mergedAccounts(db, customer.id, id)
  return {
    subjects: [
      ...[id, ...merged.map((account) => account.id)].map((each) => `member:${each}`),
      ...(await readAuditSubjects(db, customer.id, id)),
    ],
    emails: [email, ...merged.map((account) => account.email)].flatMap((text) => text || []),
    phones: phonesOf(member),
    names: namesOf(member),
  }
}

/**
 * Opens a case for refunds without a bank account, with the contact an operator needs to ask for
 * it.
 */
const openAccountCase = async (ctx: Ctx, { id, email }: MemberRow) => {
  const { customer, db } = ctx
  const codes = await ordersWithoutRefundAccount(db, customer.id, id)
  if (codes.length === 0) return
  await openCase(ctx, {
    type: 'WITHDRAWAL',
    memberId: id,
    subject: `An account was deleted, but refunds of ${codes.join(', ')} still need a bank account`,
    data: { orders: codes, contact: email },
  })
}

/** Returns all data of the member, by table. Keys and tokens are left out. */
export const exportMe = (ctx: MemberCtx): Promise<Record<string, unknown>> => dataOf(ctx, ctx.actor.memberId)

/**
 * Returns all data of a member who asked staff for it, as `exportMe` does. Failure: NOT_FOUND.
 */
export const exportByStore = async (ctx: Ctx, by: AuditActor, { id, reason }: { id: MemberId; reason: string }) => {
  const member = await findMember(ctx.db, ctx.customer.id, id)
  if (!member) return failure('NOT_FOUND')
  const data = await dataOf(ctx, id)
  await audit(ctx, { actor: by, action: 'member.exported', subject: `member:${id}`, detail: { reason } })
  return data
}

const dataOf = async ({ customer, db, clock }: Ctx, memberId: MemberId): Promise<Record<string, unknown>> => {
  const sections: Record<string, unknown> = {}
  for (const [name, section] of Object.entries(exportSections))
    sections[name] = await readSection(db, customer.id, memberId, section)
  return {
    store: { code: customer.code, name: customer.settings.base.name },
    exportedAt: clock.now().toISOString(),
    ...sections,
  }
}

interface Merge {
  /** The account that stays, with its address, password and settings. */
  id: MemberId
  /** The account that is merged into it and closed. */
  otherId: MemberId
  /** The address of the other account, typed as a confirmation. */
  email: string
  /** For the audit log. */
  reason: string
}

const isLater = (time: string | null, than: Date | string | null): boolean =>
  time !== null && (than === null || new Date(time) > new Date(than))

/**
 * Merges an account into another one of the same person, in one transaction. Orders, titles, past
 * subscriptions, progress, likes, comments and inquiries move; cards, sessions and consents do not.
 * Of two partnerships the longer one stays.
 * The other account is erased as after a withdrawal. Failures: NOT_FOUND, VALIDATION_FAILED,
 * CONFLICT while the other account has a subscription or an order with a payment or refund under
 * way.
 */
export const mergeMembers = async (ctx: Ctx, by: AuditActor, { id, otherId, email, reason }: Merge) => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  if (id === otherId) return invalidField('otherId', i18n._('Choose another member.'))
  // In the same order for two merges of the same accounts, and payers before members: charges take
  // these locks in this order.
  const ids = [id, otherId].sort()
  for (const each of ids) await lockPayer(db, each)
  const locked = new Map<MemberId, MemberRow | null>()
  for (const each of ids) locked.set(each, await findMember(db, customer.id, each, { lock: true }))
  const [member, other] = [locked.get(id), locked.get(otherId)]
  if (!member || !other) return failure('NOT_FOUND')
  const refused = refuseOtherAddress(ctx, other, email)
  if (refused) return refused
  const drafts = await lockDrafts(db, customer.id, otherId)
  const blockedBy = await blockingOrders(db, customer.id, otherId)
  if (blockedBy.length > 0) {
    const orders = blockedBy.map(({ code }) => code).join(', ')
    const text = i18n._('First settle the orders whose deposit or refund is awaited: {orders}', { orders })
    return failure('CONFLICT', { errors: { otherId: [text] }, data: { blockedBy } })
  }
  if (await hasOpenSubscription(db, customer.id, otherId)) {
    const text = i18n._(
      'This account has a subscription. Keep this account and merge the other one, or end the subscription first.',
    )
    return failure('CONFLICT', { errors: { otherId: [text] } })
  }

  const now = clock.now()
  // Later payments for these orders are refunded automatically.
  for (const order of drafts) await failOrder(ctx, order, 'WITHDRAWN')
  await recordTrial(db, customer.id, otherId, now)
  await moveMemberData(db, customer.id, { fromId: otherId, memberId: id })
  const isLonger = isLater(other.partnershipUntil, now) && isLater(other.partnershipUntil, member.partnershipUntil)
  if (isLonger) await movePartnership(db, customer.id, { fromId: otherId, memberId: id })
  await emit(ctx, 'memberMerged', { fromId: otherId, memberId: id })
  // Nobody knows them afterwards, when the account that stays is erased.
  const phones = phonesOf(other).filter((phone) => phone !== member.phone)
  const names = namesOf(other).filter((name) => name.toLowerCase() !== member.name.toLowerCase())
  const isKnown = phones.length === 0 && names.length === 0
  if (!isKnown) await eraseTraces(ctx, `member:${otherId}`, { subjects: [], emails: [], phones, names })
  await eraseMember(db, customer.id, otherId, now)
  await audit(ctx, {
    actor: by,
    action: 'member.merged',
    subject: `member:${id}`,
    changes: isLonger ? changesOf(partnershipOf(member), partnershipOf(other)) : {},
    detail: { merged: otherId, email: other.email, reason },
  })
  await audit(ctx, { actor: by, action: 'member.merged', subject: `member:${otherId}`, detail: { into: id, reason } })
  await emit(ctx, 'memberDeleted', { memberId: otherId, byStaff: true, mergedIntoId: id })
  const data = { at: now.toISOString() }
  await queueMail(ctx, { template: accountsMergedMail, to: member.email, memberId: id, locale: member.locale, data })
  // Queued after the erasure. The mail is deleted a day after it was sent.
  await queueMail(ctx, { template: mergedAccountMail, to: other.email, memberId: null, locale: other.locale, data })
  return undefined
}
