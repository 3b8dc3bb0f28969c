import { type AuditActor, audit } from '#api/platform/audit.ts'
import { minuteOf } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { keysetPageOf, readCursor } from '#api/platform/keyset.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import { renderMail, withLinks } from '#api/platform/mail/render.ts'
import type { Mailer } from '#api/platform/mail/transport.ts'
import { countMail } from '#api/platform/telemetry/telemetry.ts'
import type { StoreMail } from '#contract/admin/mails.ts'
import type { Locale, MailStatus } from '#contract/enumerations.ts'
import type { MailId, MemberId } from '#contract/ids.ts'
import { settingsIn } from '#contract/tenancy.ts'
import {
  announceMail,
  claimDueMails,
  type DueMail,
  insertMail,
  lockUnsentMails,
  type MailListing,
  markFailed,
  markNotSent,
  markSent,
  postpone,
  readMail,
  readMailList,
  readMailPage,
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
  if (!(await queueMail(ctx, { template, data: null, to, memberId: null, locale: null, once })))
    return failure('VALIDATION_FAILED', { errors: { email: ['A test email was sent a moment ago. Wait a minute.'] } })
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

/** A page of the mails, latest first. Failure: VALIDATION_FAILED for an invalid cursor. */
export const pageMails = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  {
    status,
    to,
    cursor,
    size,
  }: { status?: MailStatus | undefined; to: string; cursor?: string | undefined; size: number },
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  return keysetPageOf(await readMailPage(db, customer.id, { status: status ?? null, to, after, size }), size)
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
  const { subject, text, html: _, keepsContent, ...mail } = withLinks(stored, origin)
  return { mail, content: keepsContent && text !== '' ? { subject, text } : null }
}

const minute = 60_000
const maxPerCall = 1000

/**
 * Queues unsent mails again: one by id, or with null all failed ones, at most 1,000. Mails with an
 * expired code or link are skipped; `templates` holds the validity of each.
 *
 * @returns how many were queued, and how many have expired. Failures: NOT_FOUND (no such mail),
 * VALIDATION_FAILED (sent or queued).
 */
export const resendMails = async (
  ctx: Ctx,
  by: AuditActor,
  id: MailId | null,
  templates: readonly Pick<MailTemplate<unknown>, 'name' | 'validMinutes'>[],
): Promise<{ queued: number; expired: number } | Failure> => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const unsentMails = await lockUnsentMails(db, customer.id, id, maxPerCall)
  if (id !== null) {
    const [mail] = unsentMails
    if (!mail) return failure('NOT_FOUND')
    const reason = whyNotResent(mail)
    if (reason) return failure('VALIDATION_FAILED', { errors: { id: [reason] } })
  }
  const isUseful = ({ template, createdAt }: (typeof unsentMails)[number]) => {
    const { validMinutes } = templates.find(({ name }) => name === template) ?? {}
    return validMinutes === undefined || now.getTime() - Date.parse(createdAt) < validMinutes * minute
  }
  const useful = unsentMails.filter(isUseful).map((mail) => mail.id)
  if (useful.length > 0) {
    await requeueMails(db, customer.id, useful, now)
    await announceMail(db, customer.id)
    const subject = id === null ? 'mails:failed' : `mail:${id}`
    await audit(ctx, { actor: by, action: 'mail.resent', subject, detail: { mails: useful.length } })
  }
  return { queued: useful.length, expired: unsentMails.length - useful.length }
}

const whyNotResent = ({ status }: Pick<MailListing, 'status'>) => {
  if (status === 'SENT') return 'This email was sent, so it is not sent again.'
  return status === 'QUEUED' ? 'This email is already queued for sending.' : null
}

export interface DeliveryCtx extends Pick<Ctx, 'customer' | 'clock' | 'log'> {
  /** Null without a mail server: mails get the status NOT_SENT. */
  mailer: Mailer | null
  /** Whether sent mails retain their content for the demo's mailbox. */
  retainsContent: boolean
  /** The origin of links in the store's mails. */
  origin: string
  inTransaction: <Answer>(work: (db: TenantDb) => Promise<Answer>) => Promise<Answer>
}

const batchSize = 20
/**
 * How long a process owns a claimed mail. If it dies, another process sends the mail with the same
 * message id.
 */
const claimedFor = 10 * minute
/** Delays in milliseconds by the number of attempts. After the last the mail has failed. */
const waits = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minute)

/**
 * Sends the tenant's due mails, at most `batchSize`. A permanent refusal sets FAILED, a temporary
 * one is retried with growing delays, and an unreachable server postpones the others.
 *
 * @returns whether more mails may be due.
 */
export const sendDueMails = async (ctx: DeliveryCtx): Promise<boolean> => {
  const { customer, clock, mailer, inTransaction } = ctx
  if (!mailer) {
    await inTransaction((db) => markNotSent(db, customer.id))
    return false
  }
  const now = clock.now()
  const until = new Date(now.getTime() + claimedFor)
  const claimed = await inTransaction((db) => claimDueMails(db, customer.id, now, until, batchSize))
  for (const [index, mail] of claimed.entries()) {
    if (await sendOne(ctx, mailer, mail)) continue
    const unsent = claimed.slice(index + 1)
    await inTransaction(async (db) => {
      for (const untried of unsent) await postpone(db, customer.id, untried, nextTry(ctx, 1), null)
    })
    return false
  }
  return claimed.length === batchSize
}

const nextTry = ({ clock }: DeliveryCtx, attempts: number) =>
  new Date(clock.now().getTime() + (waits[attempts - 1] ?? waits.at(-1) ?? minute))

/** Sends one mail and records the result. Returns false if the server is unreachable. */
const sendOne = async (ctx: DeliveryCtx, mailer: Mailer, mail: DueMail): Promise<boolean> => {
  const { customer, clock, log, inTransaction } = ctx
  const { base, business } = settingsIn(customer.settings, mail.locale)
  const { id, to, subject, text, html } = withLinks(mail, ctx.origin)
  const from = base.name ?? customer.code
  const delivery = await mailer.send({ id, from, replyTo: business.email, to, subject, text, html })
  if (delivery.code === 'SENT') {
    countMail('SENT')
    await inTransaction((db) => markSent(db, customer.id, mail.id, clock.now(), ctx))
    return true
  }
  const { code, reason } = delivery
  const isLast = code === 'REFUSED' || mail.attempts > waits.length
  countMail(isLast ? 'FAILED' : 'POSTPONED')
  // While the server is away, one line says so for all mails.
  const level = code === 'UNAVAILABLE' && !isLast ? 'debug' : 'warn'
  log[level](
    { customer: customer.code, mail: mail.id, attempts: mail.attempts, isLast, reason },
    'An email could not be sent',
  )
  await inTransaction((db) =>
    isLast
      ? markFailed(db, customer.id, mail.id, reason)
      : postpone(db, customer.id, mail, nextTry(ctx, mail.attempts), reason),
  )
  return code !== 'UNAVAILABLE'
}
