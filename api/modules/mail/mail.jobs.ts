import type { Logger } from 'pino'
import { storeOriginOf, type TenancyDeps } from '#api/modules/tenancy/stores.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Clock, Ctx, Customer } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { followWork } from '#api/platform/db/connections.ts'
import { withLinks } from '#api/platform/mail/render.ts'
import type { Mailer } from '#api/platform/mail/transport.ts'
import { countMail } from '#api/platform/telemetry/telemetry.ts'
import { suppressedFailure } from '#contract/admin/mails.ts'
import type { CustomerId } from '#contract/ids.ts'
import { settingsIn } from '#contract/tenancy.ts'
import {
  claimDueMails,
  type DueMail,
  deleteExpiredSuppressions,
  insertSuppressed,
  mailChannel,
  markFailed,
  markNotSent,
  markSent,
  postpone,
  readSuppressedAmong,
} from './mail.queries.ts'
import { refusedSince } from './mails.ts'

/** The dependencies of sending mails. */
export interface MailDeps extends TenancyDeps {
  /** A direct connection, which waits for new mails. */
  jobsDatabaseUrl: string
  clock: Clock
  log: Logger
  /** The mail server; null if mails are stored but not sent. */
  mailer: Mailer | null
  /** Whether the demo's mailbox is enabled. */
  mailbox: boolean
}

const minute = 60_000

interface DeliveryCtx extends Pick<Ctx, 'customer' | 'clock' | 'log'> {
  /** Null without a mail server: mails get the status NOT_SENT. */
  mailer: Mailer | null
  /** Whether sent mails retain their content for the demo's mailbox. */
  retainsContent: boolean
  /** The origin of links in the store's mails. */
  origin: string
  inTransaction: <Answer>(work: (db: TenantDb) => Promise<Answer>) => Promise<Answer>
}

/** Returns which of the addresses nothing is sent to, in lower case. */
const suppressedAmong = async (db: TenantDb, customerId: CustomerId, to: readonly string[], now: Date) =>
  to.length === 0 ? new Set<string>() : readSuppressedAmong(db, customerId, to, refusedSince(now))

/** Leaves out an address that the mail server has refused for good, for 30 days. */
const suppressRefused = async (
  db: TenantDb,
  customerId: CustomerId,
  { address, reason, now }: { address: string; reason: string; now: Date },
) => {
  await deleteExpiredSuppressions(db, customerId, refusedSince(now))
  await insertSuppressed(db, {
    customerId,
    address: address.toLowerCase(),
    source: 'REFUSED',
    reason,
    createdAt: now.toISOString(),
  })
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
const sendDueMails = async (ctx: DeliveryCtx): Promise<boolean> => {
  const { customer, clock, mailer, inTransaction } = ctx
  if (!mailer) {
    await inTransaction((db) => markNotSent(db, customer.id))
    return false
  }
  const now = clock.now()
  const until = new Date(now.getTime() + claimedFor)
  const { claimed, suppressed } = await inTransaction(async (db) => {
    const due = await claimDueMails(db, customer.id, now, until, batchSize)
    return {
      claimed: due,
      suppressed: await suppressedAmong(
        db,
        customer.id,
        due.map(({ to }) => to),
        now,
      ),
    }
  })
  for (const [index, mail] of claimed.entries()) {
    if (suppressed.has(mail.to.toLowerCase())) {
      countMail('FAILED')
      await inTransaction((db) => markFailed(db, customer.id, mail.id, suppressedFailure))
      continue
    }
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
  await inTransaction(async (db) => {
    if (!isLast) return postpone(db, customer.id, mail, nextTry(ctx, mail.attempts), reason)
    await markFailed(db, customer.id, mail.id, reason)
    if (delivery.code === 'REFUSED' && delivery.isForAddress)
      await suppressRefused(db, customer.id, { address: to, reason, now: clock.now() })
  })
  return code !== 'UNAVAILABLE'
}

/** Sends the queued mails of a tenant that are due. */
export const sendMails = async (deps: MailDeps, customer: Customer) => {
  const { pool, clock, log, mailer, mailbox } = deps
  const origin = await storeOriginOf(deps, customer)
  const inTransaction = <Answer>(work: Parameters<typeof withTenant<Answer>>[2]) => withTenant(pool, customer.id, work)
  while (await sendDueMails({ customer, clock, log, mailer, retainsContent: mailbox, origin, inTransaction }));
}

/**
 * Sends each mail as soon as it is queued, so that codes do not wait for the sweep, which retries
 * failures. Several processes may run this; each mail is claimed by one.
 */
export const startFreshMails = (deps: MailDeps): AsyncDisposable => {
  const failed = 'New mails could not be sent; the next scheduled run sends them'
  return followWork(deps, { channel: mailChannel, name: 'marquee-mails', failed }, async (id) => {
    const customer = await readCustomer(deps.pool, id)
    if (customer) await sendMails(deps, customer)
  })
}
