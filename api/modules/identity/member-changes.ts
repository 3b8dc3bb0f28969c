import type * as z from 'zod/mini'
import { emailChangedMail } from '#api/modules/identity/mails/accounts.ts'
import {
  type PartnershipMail,
  partnershipEndedMail,
  partnershipStartedMail,
} from '#api/modules/identity/mails/membership.ts'
import { type MailCtx, queueMail } from '#api/modules/mail/mails.ts'
import { type AuditActor, audit, changesOf, refuseOldVersion } from '#api/platform/audit.ts'
import { dayMilliseconds, endOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { noPassword } from '#api/platform/crypto.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  type MemberTagResult,
  maxMemberTags,
  type memberChange,
  type memberTagChange,
  type Partnership,
  type PartnershipBefore,
  type PartnershipResult,
} from '#contract/admin/members.ts'
import type { MemberId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import {
  changeMember,
  closeResets,
  findMember,
  findMemberId,
  type MemberRow,
  partnershipsThatEnded,
  readTagCounts,
  readTagsForChange,
  updatePartnership,
  writeTags,
} from './identity.queries.ts'
import { invite } from './passwords.ts'
import { invalid, lowerEmail, profileOf, queueMemberMail, valuesOf, versionOfProfile, writeProfile } from './profile.ts'
import { deleteSessions } from './sessions.queries.ts'

/** Returns the end of a partnership by its last day. Failure: VALIDATION_FAILED for a past day. */
export const endOfPartnership = ({ customer, clock, locale }: Ctx, until: string | null): string | Failure => {
  const end = until === null ? clock.now() : endOfDay(until, customer.settings.base.timeZone)
  if (until === null || end > clock.now()) return end.toISOString()
  const i18n = messagesOf(locale)
  return invalidField('until', i18n._('Enter a day that is not in the past.'))
}

/** Mails the end of a partnership, once for each time at which it ends. */
const mailEnd = (ctx: MailCtx, id: MemberId, data: PartnershipMail) =>
  queueMemberMail(ctx, id, { template: partnershipEndedMail, data, once: `partnership-ended:${id}:${data.until}` })

/** Mails the ends of the partnerships whose last day has just passed. */
export const mailEndedPartnerships = async (ctx: MailCtx, limit: number): Promise<void> => {
  const now = ctx.clock.now()
  const since = new Date(now.getTime() - 2 * dayMilliseconds)
  for (const { id, until, name } of await partnershipsThatEnded(ctx.db, ctx.customer.id, { since, now, limit }))
    await mailEnd(ctx, id, { name, until: new Date(until).toISOString() })
}

/** Writes the partnership of a locked member, with an entry of the history and a mail. */
const writePartnership = async (
  ctx: Ctx,
  by: AuditActor,
  { id, before, after, isEnded, detail }: PartnershipBefore & { isEnded: boolean; detail?: Record<string, unknown> },
) => {
  await updatePartnership(ctx.db, ctx.customer.id, id, after)
  await audit(ctx, {
    actor: by,
    action: isEnded ? 'partnership.ended' : 'partnership.granted',
    subject: `member:${id}`,
    changes: changesOf(before, after),
    ...(detail && { detail }),
  })
  const now = ctx.clock.now().toISOString()
  const isActive = (partnership: Partnership) => partnership.until !== null && partnership.until > now
  if (isActive(before) && !isActive(after)) await mailEnd(ctx, id, { name: after.name ?? before.name, until: now })
  if (!isActive(before) && after.until !== null && isActive(after)) {
    const data = { name: after.name, until: after.until }
    await queueMemberMail(ctx, id, { template: partnershipStartedMail, data })
  }
}

/** Returns the partnership of a member, also one that is over. */
export const partnershipOf = ({ partnershipUntil, partnershipName }: MemberRow): Partnership => ({
  until: partnershipUntil && new Date(partnershipUntil).toISOString(),
  name: partnershipName,
})

interface PartnershipChange {
  id: MemberId
  /** The last day (`2026-11-21`) in the store's time zone; null ends the partnership now. */
  until: string | null
  /** The name that the member sees, such as the company's or the contract's. */
  name: string | null
  /** For the history. */
  reason?: string
}

/** Whether a change that ends a partnership finds none that has not ended. `now` is its end. */
const hasEnded = ({ until }: Partnership, now: string) => until === null || until < now

/**
 * Gives a member every product on a plan until a day, or ends that. Returns whether something
 * changed: a partnership that is over is not ended again. Failures: NOT_FOUND, VALIDATION_FAILED
 * for a past day.
 */
export const setPartnership = async (
  ctx: Ctx,
  by: AuditActor,
  { id, until: day, name, reason }: PartnershipChange,
): Promise<Failure | { isChanged: boolean }> => {
  const member = await findMember(ctx.db, ctx.customer.id, id, { lock: true })
  if (!member) return failure('NOT_FOUND')
  const until = endOfPartnership(ctx, day)
  if (isFailure(until)) return until
  const before = partnershipOf(member)
  if (day === null && hasEnded(before, until)) return { isChanged: false }
  await writePartnership(ctx, by, {
    id,
    before,
    after: { until, name },
    isEnded: day === null,
    ...(reason !== undefined && { detail: { reason } }),
  })
  return { isChanged: true }
}

type ManyPartnerships = Omit<PartnershipChange, 'id'> & { ids: readonly MemberId[] }

/**
 * Gives members the same partnership or ends theirs, each member by itself. Returns what became of
 * each, in their order. Failure: VALIDATION_FAILED for a past day.
 */
export const changePartnerships = async (
  ctx: Ctx,
  by: AuditActor,
  { ids, until: day, name, reason }: ManyPartnerships,
): Promise<PartnershipResult | Failure> => {
  const until = endOfPartnership(ctx, day)
  if (isFailure(until)) return until
  const items: PartnershipResult['items'] = []
  for (const id of ids) {
    const member = await findMember(ctx.db, ctx.customer.id, id, { lock: true })
    if (!member) {
      items.push({ id, result: 'FAILED', reason: 'NOT_FOUND', change: null })
      continue
    }
    const before = partnershipOf(member)
    const isSame = before.until === until && before.name === name
    if (isSame || (day === null && hasEnded(before, until))) {
      items.push({ id, result: 'UNCHANGED', reason: null, change: null })
      continue
    }
    // Whoever ends it for many does not take its name away.
    const after = { until, name: day === null ? before.name : name }
    await writePartnership(ctx, by, { id, before, after, isEnded: day === null, detail: { reason } })
    items.push({ id, result: 'CHANGED', reason: null, change: { id, before, after } })
  }
  return { items }
}

/** Restores partnerships that are as a change of many left them. Returns what became of each. */
export const restorePartnerships = async (
  ctx: Ctx,
  by: AuditActor,
  changed: readonly PartnershipBefore[],
): Promise<PartnershipResult> => {
  const items: PartnershipResult['items'] = []
  for (const { id, before, after } of changed) {
    const member = await findMember(ctx.db, ctx.customer.id, id, { lock: true })
    const present = member && partnershipOf(member)
    const isAsLeft = present?.until === after.until && present.name === after.name
    if (!isAsLeft) {
      items.push({ id, result: 'FAILED', reason: member ? 'VERSION_CONFLICT' : 'NOT_FOUND', change: null })
      continue
    }
    const isEnded = before.until === null || before.until <= ctx.clock.now().toISOString()
    await writePartnership(ctx, by, { id, before: after, after: before, isEnded })
    items.push({ id, result: 'CHANGED', reason: null, change: null })
  }
  return { items }
}

/**
 * Adds tags to members and removes others, each member by itself. A tag that is both added and
 * removed stays. Returns what became of each, in their order.
 */
export const changeTags = async (
  ctx: Ctx,
  by: AuditActor,
  { ids, add, remove }: z.output<typeof memberTagChange>,
): Promise<MemberTagResult> => {
  const { db, customer } = ctx
  const before = await readTagsForChange(db, customer.id, ids)
  const items: MemberTagResult['items'] = []
  for (const id of ids) {
    const tags = before.get(id)
    if (!tags) {
      items.push({ id, result: 'FAILED', reason: 'NOT_FOUND' })
      continue
    }
    const added = [...new Set(add)].filter((tag) => !tags.includes(tag))
    const removed = remove.filter((tag) => tags.includes(tag) && !add.includes(tag))
    const after = [...tags.filter((tag) => !removed.includes(tag)), ...added].sort()
    if (after.length > maxMemberTags) {
      items.push({ id, result: 'FAILED', reason: 'TOO_MANY' })
      continue
    }
    const isChanged = added.length + removed.length > 0
    items.push({ id, result: isChanged ? 'CHANGED' : 'UNCHANGED', reason: null, added, removed })
    if (!isChanged) continue
    before.set(id, after)
    await writeTags(db, customer.id, id, { added, removed })
    const changes = changesOf({ tags: tags.join(', ') }, { tags: after.join(', ') })
    await audit(ctx, { actor: by, action: 'member.tagged', subject: `member:${id}`, changes })
  }
  return { items }
}

/** The tags in use, to filter members by and to choose from. */
export const listTags = async ({ db, customer }: Ctx) => ({ items: await readTagCounts(db, customer.id) })

interface EmailChange {
  id: MemberId
  email: string
  /** For the history. */
  reason: string
}

/**
 * Changes the address with which a member signs in, on the decision of staff. Every session and
 * every open reset ends, and both addresses get an email. Of a member who is invited and has no
 * password yet, the new address alone gets the invitation. Failures: NOT_FOUND, VALIDATION_FAILED
 * if another member has the address.
 */
export const changeEmail = async (
  ctx: Ctx,
  by: AuditActor,
  { id, email, reason }: EmailChange,
): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  const member = await findMember(db, customer.id, id, { lock: true })
  if (!member) return failure('NOT_FOUND')
  if (member.email === email) return undefined
  const emailLower = lowerEmail(email)
  const owner = await findMemberId(db, customer.id, emailLower)
  if (owner && owner !== id) return invalid(ctx.locale, 'email', 'emailTaken')
  const now = clock.now()
  await changeMember(db, customer.id, id, { email, emailLower })
  await closeResets(db, customer.id, id, now)
  await deleteSessions(db, customer.id, id)
  if (member.passwordHash === noPassword) await invite(ctx, member)
  else {
    const mail = { template: emailChangedMail, memberId: id, locale: member.locale }
    await queueMail(ctx, { ...mail, to: member.email, data: { at: now.toISOString(), isNew: false } })
    await queueMail(ctx, { ...mail, to: email, data: { at: now.toISOString(), isNew: true } })
  }
  await audit(ctx, {
    actor: by,
    action: 'member.email-changed',
    subject: `member:${id}`,
    detail: { changedFields: ['email'], reason },
  })
  return undefined
}

interface ChangeByStaff {
  change: z.output<typeof memberChange>
  /** The value of `If-Match`. */
  expected: string | null
}

/**
 * Changes the profile of a member on the decision of staff, who withdraw a consent to marketing but
 * never give it. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changeProfileByStaff = async (
  ctx: Ctx,
  by: AuditActor,
  { change: { id, reason, ...input }, expected }: ChangeByStaff,
): Promise<Failure | undefined> => {
  const member = await findMember(ctx.db, ctx.customer.id, id, { lock: true })
  if (!member) return failure('NOT_FOUND')
  const subject = `member:${id}`
  const refused = await refuseOldVersion(ctx, { expected, version: versionOfProfile(member), subject })
  if (refused) return refused
  const values = valuesOf(ctx, input, ctx.locale)
  if (isFailure(values)) return values
  const changes = changesOf<MemberRow>(profileOf(member), profileOf({ ...member, ...values }))
  if (Object.keys(changes).length === 0) return undefined
  await writeProfile(ctx, member, values)
  // The log outlasts the member, so it must not say who they were.
  const { name, phone, address, ...impersonal } = changes
  const changedFields = Object.keys(withoutUndefined({ name, phone, address }))
  const detail = { ...(changedFields.length > 0 && { changedFields }), reason }
  await audit(ctx, { actor: by, action: 'member.changed', subject, changes: impersonal, detail })
  return undefined
}
