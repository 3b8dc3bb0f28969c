import { type AuditActor, audit, changesOf, historyOf } from '#api/platform/audit.ts'
import { dayAfter, dayMilliseconds, minuteOf, startOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import { framedHtml, mailPolicy, renderMail, withLinks } from '#api/platform/mail/render.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import { htmlType, type MailSelection, type StoreMail } from '#contract/admin/mails.ts'
import type { Locale, MailStatus } from '#contract/enumerations.ts'
import type { MailId, MemberId } from '#contract/ids.ts'
import {
  announceMail,
  deleteSuppressed,
  insertMail,
  insertSuppressed,
  lockUnsentMails,
  type MailPageFilter,
  readMail,
  readMailList,
  readMailPage,
  readSuppressedPage,
  requeueMails,
} from './mail.queries.ts'

export interface MailReason<Data> {
  template: MailTemplate<Data>
  data: Data
  /** Names the cause (`receipt:{orderId}`) if at most one mail may exist for it. */
  once?: string
}

export interface MailInput<Data> extends MailReason<Data> {
  to: string
  memberId: MemberId | null
  /** The reader's language; null for the store's. */
  locale: Locale | null
}

export type MailCtx = Pick<Ctx, 'customer' | 'db' | 'clock'>

/**
 * Queues a mail in the running transaction. It is sent after the commit, and not at all after a
 * rollback. Returns false if a mail with the same cause exists.
 */
export const queueMail = async <Data>(ctx: MailCtx, input: MailInput<Data>): Promise<boolean> => {
  const { customer, db, clock } = ctx
  const locale = input.locale ?? customer.settings.base.locale
  const now = clock.now().toISOString()
  const isNew = await insertMail(db, {
    customerId: customer.id,
    id: newId(),
    memberId: input.memberId,
    to: input.to,
    locale,
    template: input.template.name,
    once: input.once ?? null,
    ...renderMail(input.template, customer, locale, input.data),
    keepsContent: input.template.validMinutes === undefined && !input.template.isErased,
    createdAt: now,
    dueAt: now,
  })
  if (isNew) await announceMail(db, customer.id)
  return isNew
}

/**
 * Queues an email that shows whether emails arrive, one in a minute for an address. Failure:
 * VALIDATION_FAILED (one was sent in this minute).
 */
export const queueTestMail = async (
  ctx: Ctx,
  by: AuditActor,
  template: MailTemplate<null>,
  to: string,
): Promise<Failure | undefined> => {
  const once = `test:${to}:${minuteOf(ctx.clock.now())}`
  const i18n = messagesOf(ctx.locale)
  if (!(await queueMail(ctx, { template, data: null, to, memberId: null, locale: null, once })))
    return invalidField('email', i18n._('A test email was sent a moment ago. Wait a minute.'))
  await audit(ctx, { actor: by, action: 'mail.tested', subject: 'mails:test', detail: { to } })
  return undefined
}

export interface MailFilter {
  /** Null for every status. */
  status: MailStatus | null
  /** The recipient's address; empty for every recipient. */
  to: string
  limit: number
}

/** The latest mails of the store. */
export const listMails = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, { status, to, limit }: MailFilter) =>
  readMailList(db, customer.id, { status, to: to.trim(), limit })

/** Returns what a list of mails is filtered by. */
export const mailFilterOf = (
  { customer }: Pick<Ctx, 'customer'>,
  { status, to, template, since, until }: MailSelection,
): Omit<MailPageFilter, 'after' | 'size'> => {
  const { timeZone } = customer.settings.base
  return {
    status: status ?? null,
    to,
    template: template ?? null,
    since: since === undefined ? null : startOfDay(since, timeZone),
    until: until === undefined ? null : startOfDay(dayAfter(until), timeZone),
  }
}

/** The ids of mails that fit filters, latest first, at most `limit`. */
export const findMailIds = async (ctx: Pick<Ctx, 'db' | 'customer'>, selection: MailSelection, limit: number) => {
  const filter = { ...mailFilterOf(ctx, selection), after: null, size: limit - 1 }
  return (await readMailPage(ctx.db, ctx.customer.id, filter)).map(({ id }) => id)
}

/** A page of the mails, latest first. Failure: VALIDATION_FAILED for an invalid cursor. */
export const pageMails = async (
  ctx: Pick<Ctx, 'db' | 'customer'>,
  { cursor, size, ...selection }: MailSelection & { cursor?: string | undefined; size: number },
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const filter = { ...mailFilterOf(ctx, selection), after, size }
  return keysetPageOf(await readMailPage(ctx.db, ctx.customer.id, filter), size)
}

/**
 * Returns a mail with its subject and text as they were or will be sent. `content` is null if it
 * has a code or link for the recipient alone, or was erased. Failure: NOT_FOUND.
 */
export const viewMail = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  id: MailId,
  origin: string,
): Promise<StoreMail | Failure> => {
  const stored = await readMail(db, customer.id, id)
  if (!stored) return failure('NOT_FOUND')
  const { subject, text, html, keepsContent, ...mail } = withLinks(stored, origin)
  const content = keepsContent && text !== '' ? { subject, text, hasHtml: html !== '' } : null
  return { mail, content, history: await historyOf({ db, customer }, mailSubject(id)) }
}

/**
 * The document that shows a mail as it was sent, with its policy. Failure: NOT_FOUND (also where
 * staff see none).
 */
export const viewMailHtml = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  id: MailId,
  origin: string,
): Promise<{ file: File; policy: string } | Failure> => {
  const stored = await readMail(db, customer.id, id)
  if (!stored?.keepsContent || stored.html === '') return failure('NOT_FOUND')
  const html = framedHtml(withLinks(stored, origin).html, '_blank')
  return {
    file: new File([html], 'email.html', { type: htmlType }),
    policy: mailPolicy('allow-popups allow-popups-to-escape-sandbox'),
  }
}

const minute = 60_000
const maxPerCall = 1000

type MailValidities = readonly Pick<MailTemplate<unknown>, 'name' | 'validMinutes'>[]

/**
 * Queues unsent mails again: one by id, or with null all failed ones, at most 1,000. Mails with an
 * expired code or link are skipped; `templates` holds the validity of each.
 *
 * @returns how many were queued, and how many have expired. Failures: NOT_FOUND (no such mail),
 * CONFLICT (sent or queued).
 */
export const resendMails = async (
  ctx: Ctx,
  by: AuditActor,
  id: MailId | null,
  templates: MailValidities,
): Promise<{ queued: number; expired: number } | Failure> => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const unsentMails = await lockUnsentMails(db, customer.id, id, maxPerCall)
  if (id !== null) {
    const [mail] = unsentMails
    if (!mail) return failure('NOT_FOUND')
    if (mail.status === 'SENT' || mail.status === 'QUEUED') return failure('CONFLICT')
  }
  const isUseful = ({ template, createdAt }: (typeof unsentMails)[number]) => {
    const { validMinutes } = templates.find(({ name }) => name === template) ?? {}
    return validMinutes === undefined || now.getTime() - Date.parse(createdAt) < validMinutes * minute
  }
  const useful = unsentMails.filter(isUseful).map((mail) => mail.id)
  if (useful.length > 0) {
    await requeueMails(db, customer.id, useful, now)
    await announceMail(db, customer.id)
    const subject = id === null ? 'mails:failed' : mailSubject(id)
    await audit(ctx, { actor: by, action: 'mail.resent', subject, detail: { mails: useful.length } })
  }
  return { queued: useful.length, expired: unsentMails.length - useful.length }
}

const mailSubject = (id: MailId) => `mail:${id}`

/**
 * Sends one mail again: one that was not sent, or a copy of one that was. Failures: NOT_FOUND,
 * VALIDATION_FAILED (queued, copied in this minute, with an expired code or link, or erased).
 *
 * @returns the id of the queued mail.
 */
export const resendMail = async (
  ctx: Ctx,
  by: AuditActor,
  id: MailId,
  templates: MailValidities,
): Promise<{ id: MailId } | Failure> => {
  const i18n = messagesOf(ctx.locale)
  const [mail] = await lockUnsentMails(ctx.db, ctx.customer.id, id, 1)
  if (mail?.status === 'SENT') return copySentMail(ctx, by, id)
  if (mail?.status === 'QUEUED') return invalidField('id', i18n._('This email is already queued for sending.'))
  const answer = await resendMails(ctx, by, id, templates)
  if (isFailure(answer)) return answer
  return answer.queued > 0
    ? { id }
    : invalidField('id', i18n._('The code or link in this email has expired. A new one must be requested.'))
}

/** A copy has its own message id: mail programs leave out a second mail with the same id. */
const copySentMail = async (ctx: Ctx, by: AuditActor, id: MailId): Promise<{ id: MailId } | Failure> => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  const sent = await readMail(db, customer.id, id)
  if (!sent?.keepsContent || sent.text === '')
    return invalidField('id', i18n._('The content was deleted once the email was sent, so it can’t be sent again.'))
  const now = clock.now()
  const createdAt = now.toISOString()
  const copy = { ...sent, customerId: customer.id, id: newId<MailId>(), once: `resent:${id}:${minuteOf(now)}` }
  if (!(await insertMail(db, { ...copy, status: 'QUEUED', sentAt: null, createdAt })))
    return invalidField('id', i18n._('It was sent a moment ago. Wait a minute.'))
  // Its recipient is tried again, as that of an unsent mail.
  await requeueMails(db, customer.id, [copy.id], now)
  await announceMail(db, customer.id)
  await audit(ctx, { actor: by, action: 'mail.resent', subject: mailSubject(id), detail: { mails: 1 } })
  return { id: copy.id }
}

/** How long an address is left out that the mail server has refused. */
const refusedDays = 30

/** Addresses that the mail server refused before the returned time are tried again. */
export const refusedSince = (now: Date) => new Date(now.getTime() - refusedDays * dayMilliseconds)

/** Returns what a list of suppressed addresses is filtered by: the start of an address. */
export const suppressedFilterOf = ({ clock }: Pick<Ctx, 'clock'>, q: string) => ({
  start: q.toLowerCase(),
  since: refusedSince(clock.now()),
  days: refusedDays,
})

/**
 * A page of the suppressed addresses, latest first. Failure: VALIDATION_FAILED for an invalid
 * cursor.
 */
export const pageSuppressed = async (
  ctx: Ctx,
  { q, cursor, size }: { q: string; cursor?: string | undefined; size: number },
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const filter = { ...suppressedFilterOf(ctx, q), after, size }
  return keysetPageOf(await readSuppressedPage(ctx.db, ctx.customer.id, filter), size)
}

interface SuppressedAddress {
  address: string
  /** What the audit log names: it outlasts members, so that it does not name their addresses. */
  subject: string
}

/** Sends nothing more to an address until staff release it. */
export const suppressAddress = async (ctx: Ctx, by: AuditActor, input: SuppressedAddress & { reason: string }) => {
  const { address, subject, reason } = input
  const { db, customer, clock } = ctx
  const createdAt = clock.now().toISOString()
  const row = { customerId: customer.id, address: address.toLowerCase(), source: 'STAFF', reason, createdAt } as const
  await insertSuppressed(db, row)
  const changes = changesOf({ suppressed: false }, { suppressed: true })
  await audit(ctx, { actor: by, action: 'mail.address-suppressed', subject, changes, detail: { reason } })
}

/** Sends to an address again. Failure: NOT_FOUND (it is not suppressed). */
export const releaseAddress = async (ctx: Ctx, by: AuditActor, { address, subject }: SuppressedAddress) => {
  if (!(await deleteSuppressed(ctx.db, ctx.customer.id, address.toLowerCase()))) return failure('NOT_FOUND')
  const changes = changesOf({ suppressed: true }, { suppressed: false })
  await audit(ctx, { actor: by, action: 'mail.address-released', subject, changes })
  return undefined
}
