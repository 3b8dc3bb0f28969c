import type { Logger } from 'pino'
import { storeOriginOf, type TenancyDeps } from '#api/modules/tenancy/stores.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Clock, Ctx, Customer } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { followWork } from '#api/platform/db/connections.ts'
import { createRuns, type RunOutcome } from '#api/platform/db/job-queues.ts'
import { type MailTemplate, withLinks } from '#api/platform/mail/render.ts'
import type { Delivery, Mailer } from '#api/platform/mail/transport.ts'
import { countMail } from '#api/platform/telemetry/telemetry.ts'
import { suppressedFailure } from '#contract/admin/mails.ts'
import type { CustomerId } from '#contract/ids.ts'
import { settingsIn } from '#contract/tenancy.ts'
import {
  announceMail,
  deleteExpiredSuppressions,
  insertSuppressed,
  mailChannel,
  readSuppressedAmong,
} from './mail.queries.ts'
import { type MailServerDeps, openStoreMailer } from './mail-servers.ts'
import { refusedSince } from './mails.ts'
import {
  claimDueMails,
  claimMilliseconds,
  type DueMail,
  hasDueMails,
  type MailServerRow,
  type MailShare,
  markFailed,
  markNotSent,
  markSent,
  postpone,
  postponeDueMails,
  readMailServer,
  setMailServerState,
} from './send-mails.queries.ts'

/** The dependencies of sending mails. */
export interface MailDeps extends TenancyDeps, MailServerDeps {
  /** A direct connection, which waits for new mails. */
  jobsDatabaseUrl: string
  clock: Clock
  log: Logger
  /** The installation's mail server; null if it sends none. */
  mailer: Mailer | null
  /** The templates of all mails. Those about accounts of staff go through the installation. */
  mailTemplates: readonly Pick<MailTemplate<unknown>, 'name' | 'isAboutStaffAccount'>[]
  /** Whether the demo's mailbox is enabled. */
  mailbox: boolean
}

const minute = 60_000

interface DeliveryCtx extends Pick<Ctx, 'customer' | 'clock' | 'log'> {
  /** Null without a mail server: mails get the status NOT_SENT. */
  mailer: Mailer | null
  /** Which mails it sends. */
  share: MailShare
  /** The store's own server, if that is it. */
  own: MailServerRow | null
  /** Ends the run early. */
  signal: AbortSignal | null
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
/** Delays in milliseconds by the number of attempts. After the last the mail has failed. */
const waits = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minute)

/**
 * Sends the tenant's due mails, at most `batchSize`. A permanent refusal sets FAILED, a temporary
 * one is retried with growing delays, and an unreachable server postpones the others.
 *
 * @returns whether more mails may be due.
 */
const sendDueMails = async (ctx: DeliveryCtx): Promise<boolean> => {
  const { customer, clock, mailer, share, own, inTransaction } = ctx
  if (!mailer) {
    await inTransaction((db) => markNotSent(db, customer.id, share))
    return false
  }
  const now = clock.now()
  if (own?.retryAt && Date.parse(own.retryAt) > now.getTime()) {
    const until = new Date(own.retryAt)
    await inTransaction((db) => postponeDueMails(db, customer.id, { now, until, share }))
    return false
  }
  const until = new Date(now.getTime() + claimMilliseconds)
  const { claimed, suppressed } = await inTransaction(async (db) => {
    const due = await claimDueMails(db, customer.id, { now, until, max: batchSize, share })
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

/** The shortest and the longest time after which a failing server of a store is tried again. */
const [shortestRetry, longestRetry] = [minute, 15 * minute]

/** Records whether the store's own server takes mails. */
const noteServer = async (ctx: DeliveryCtx, db: TenantDb, delivery: Delivery) => {
  const { own, clock } = ctx
  if (!own || (delivery.code !== 'UNAVAILABLE' && own.failingSince === null)) return
  const now = clock.now()
  const failingSince = own.failingSince ?? now.toISOString()
  // It waits the longer, the longer it fails.
  const wait = Math.min(longestRetry, Math.max(shortestRetry, (now.getTime() - Date.parse(failingSince)) / 4))
  const state =
    delivery.code === 'UNAVAILABLE'
      ? { failingSince, failure: delivery.reason, retryAt: new Date(now.getTime() + wait).toISOString() }
      : { failingSince: null, failure: null, retryAt: null }
  await setMailServerState(db, own, state)
  ctx.own = { ...own, ...state }
}

const nextTry = ({ clock }: DeliveryCtx, attempts: number) =>
  new Date(clock.now().getTime() + (waits[attempts - 1] ?? waits.at(-1) ?? minute))

/** Sends one mail and records the result. Returns false if the server is unreachable. */
const sendOne = async (ctx: DeliveryCtx, mailer: Mailer, mail: DueMail): Promise<boolean> => {
  const { customer, clock, log, inTransaction } = ctx
  const { base, business } = settingsIn(customer.settings, mail.locale)
  const { id, to, subject, text, html } = withLinks(mail, ctx.origin)
  const from = ctx.own?.senderName ?? base.name ?? customer.code
  const delivery = await mailer.send({ id, from, replyTo: business.email, to, subject, text, html })
  if (delivery.code === 'SENT') {
    countMail('SENT')
    await inTransaction(async (db) => {
      await markSent(db, customer.id, mail.id, clock.now(), ctx)
      await noteServer(ctx, db, delivery)
    })
    return true
  }
  // The connection was broken by this process. The mail stays claimed, and another one sends it.
  ctx.signal?.throwIfAborted()
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
    await noteServer(ctx, db, delivery)
    if (!isLast) return postpone(db, customer.id, mail, nextTry(ctx, mail.attempts), reason)
    await markFailed(db, customer.id, mail.id, reason)
    if (delivery.code === 'REFUSED' && delivery.isForAddress)
      await suppressRefused(db, customer.id, { address: to, reason, now: clock.now() })
  })
  return code !== 'UNAVAILABLE'
}

/** What the runs of one tenant share. */
const tenantCtx = async (deps: MailDeps, customer: Customer) => {
  const { pool, clock, log, mailbox } = deps
  const inTransaction = <Answer>(work: Parameters<typeof withTenant<Answer>>[2]) => withTenant(pool, customer.id, work)
  return { customer, clock, log, retainsContent: mailbox, origin: await storeOriginOf(deps, customer), inTransaction }
}

const staffTemplates = ({ mailTemplates }: MailDeps) =>
  mailTemplates.flatMap(({ name, isAboutStaffAccount }) => (isAboutStaffAccount ? [name] : []))

/** What the installation's server sends of a store: all, or what is about accounts of staff. */
const installationShare = (deps: MailDeps, own: MailServerRow | null): MailShare =>
  own && { templates: staffTemplates(deps), isOfTemplates: true }
const ownShare = (deps: MailDeps): MailShare => ({ templates: staffTemplates(deps), isOfTemplates: false })

/** Sends what is due of a store through the installation's server. Returns the store's own one. */
const sendThroughInstallation = async (deps: MailDeps, customer: Customer): Promise<MailServerRow | null> => {
  const shared = await tenantCtx(deps, customer)
  const own = await shared.inTransaction((db) => readMailServer(db, customer.id))
  const share = installationShare(deps, own)
  const ctx = { ...shared, mailer: deps.mailer, share, own: null, signal: null }
  while (await sendDueMails(ctx));
  return own
}

/** Sends a batch of what is due of a store through its own server, if it still has one. */
const sendThroughOwn = async (deps: MailDeps, customer: Customer, signal: AbortSignal | null): Promise<RunOutcome> => {
  const shared = await tenantCtx(deps, customer)
  const own = await shared.inTransaction((db) => readMailServer(db, customer.id))
  if (!own) return { hasMore: false, isFailing: false }
  const mailer = openStoreMailer(deps, own)
  const ctx = { ...shared, mailer, share: ownShare(deps), own, signal }
  signal?.addEventListener('abort', mailer.close)
  try {
    const hasMore = await sendDueMails(ctx)
    return { hasMore, isFailing: ctx.own.failingSince !== null }
  } finally {
    signal?.removeEventListener('abort', mailer.close)
    mailer.close()
  }
}

/** Sends the queued mails of a tenant that are due, and waits for the store's own server. */
export const sendMails = async (deps: MailDeps, customer: Customer): Promise<void> => {
  if (!(await sendThroughInstallation(deps, customer))) return
  while ((await sendThroughOwn(deps, customer, null)).hasMore);
}

/**
 * Sends the mails of a tenant that are due through the installation's server, and wakes the
 * processes that send through the store's own one, which the other stores do not wait for.
 */
export const sweepMails = async (deps: MailDeps, customer: Customer): Promise<void> => {
  if (!(await sendThroughInstallation(deps, customer))) return
  const now = deps.clock.now()
  await withTenant(deps.pool, customer.id, async (db) => {
    if (await hasDueMails(db, customer.id, now, ownShare(deps))) await announceMail(db, customer.id)
  })
}

/** Stores whose own server a process uses at once. Those that fail wait for each other alone. */
const healthyAtOnce = 16
const failingAtOnce = 4

/**
 * Sends each mail as soon as it is queued, so that codes do not wait for the sweep, which retries
 * failures. Several processes may run this; each mail is claimed by one.
 */
export const startFreshMails = (deps: MailDeps): AsyncDisposable => {
  const failed = 'New mails could not be sent; the next scheduled run sends them'
  const runs = createRuns<CustomerId>({ healthyAtOnce, failingAtOnce })
  const listener = followWork(deps, { channel: mailChannel, name: 'marquee-mails', failed }, async (id) => {
    const customer = await readCustomer(deps.pool, id)
    const own = customer && (await sendThroughInstallation(deps, customer))
    if (!own) return
    const run = runs.begin(id, own.failingSince !== null, () => sendThroughOwn(deps, customer, runs.signal))
    run.catch((error: unknown) => {
      if (!runs.signal.aborted) deps.log.error({ err: error, customer: customer.code }, failed)
    })
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]()
      await runs[Symbol.asyncDispose]()
    },
  }
}
