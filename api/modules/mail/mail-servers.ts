import { lockSettings } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { decrypt, encrypt, secretFor } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import {
  detachedCtx,
  implementProcedures,
  operatorName,
  staffOf,
  transact,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import type { PublicRequestDeps } from '#api/platform/http/public-requests.ts'
import { callerKey, consumeLimit, ifMatch } from '#api/platform/http/request-facts.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { type LimitKinds, minuteSeconds } from '#api/platform/limits/rate-limits.ts'
import { type MailTemplate, renderMail, withLinks } from '#api/platform/mail/render.ts'
import { createStoreMailer, type Mailer } from '#api/platform/mail/transport.ts'
import type { MailServerChange, StoreMailServer } from '#contract/admin/mail-servers.ts'
import type { MailId } from '#contract/ids.ts'
import { settingsIn } from '#contract/tenancy.ts'
import { announceMail } from './mail.queries.ts'
import {
  bringMailsForward,
  claimMilliseconds,
  deleteMailServer,
  type MailServerRow,
  readMailServer,
  saveMailServer,
  setMailServerState,
} from './send-mails.queries.ts'

/** What mail servers of stores need of the process. */
export interface MailServerDeps {
  /** The secret that others are derived from. */
  secret: string
  publicRequests: PublicRequestDeps
  /** The sender address of the installation's server; null if it has none. */
  mailSender: string | null
}

/** Returns the limits of what connects to a server that staff have named. */
export const createMailLimits = ({ inProcess }: LimitKinds) => ({ mailServers: inProcess(20, 10 * minuteSeconds) })

const encryptionSecret = ({ secret }: MailServerDeps) => secretFor(secret, 'sealed columns')

const unusable = (reason: string): Mailer => ({
  send: () => Promise.resolve({ code: 'UNAVAILABLE', reason }),
  check: () => Promise.resolve({ fault: 'SIGN_IN', reason }),
  close: () => {},
})

/** Returns the mailer of a store's own server. Close it after use. */
export const openStoreMailer = (deps: MailServerDeps, { password: sealed, ...server }: MailServerRow): Mailer => {
  try {
    const password = sealed === null ? null : decrypt(encryptionSecret(deps), sealed)
    return createStoreMailer({ ...server, password }, deps.publicRequests)
  } catch {
    // The installation has another secret than when it was set.
    return unusable('The stored password cannot be read any more: enter it again')
  }
}

/** What the audit log calls the mail server of a store. */
const subject = 'mail-server'

/** What operators set, without the password. */
const factsOf = ({ host, port, security, username, senderName, senderAddress }: MailServerRow) => ({
  host,
  port,
  security,
  username,
  senderName,
  senderAddress,
})

const versionOfServer = (row: MailServerRow | null) => versionOf(row && [factsOf(row), row.password])

/** The mail server of the store. The password is not returned. */
const viewMailServer = async (ctx: Ctx, { mailSender, publicRequests }: MailServerDeps): Promise<StoreMailServer> => {
  const row = await readMailServer(ctx.db, ctx.customer.id)
  return {
    version: versionOfServer(row),
    server: row && { ...factsOf(row), hasPassword: row.password !== null },
    outage:
      row?.failingSince && row.failure !== null
        ? { since: row.failingSince, reason: row.failure, retryAt: row.retryAt }
        : null,
    installationSender: mailSender,
    allowsPlain: publicRequests.allowsLoopback,
    history: await historyOf(ctx, subject),
  }
}

/** Refuses a connection that may not be, before anything connects. */
const refuseChange = (
  { locale }: Pick<Ctx, 'locale'>,
  { host, security, username, password }: MailServerChange,
  { before, allowsPlain }: { before: MailServerRow | null; allowsPlain: boolean },
): Failure | null => {
  const i18n = messagesOf(locale)
  if (security === 'NONE' && !allowsPlain)
    return invalidField('security', i18n._('Choose TLS or STARTTLS, so that emails are encrypted on their way.'))
  if (!username || password) return null
  const isSame = before?.password && before.host === host && before.username === username
  // Whoever names another server must not get the password of this one.
  return isSame ? null : invalidField('password', i18n._('Enter the password of this user name.'))
}

/** Names the field that is to be changed, and what the server answered. */
const refusalOf = (
  { locale }: Pick<Ctx, 'locale'>,
  { fault, reason }: NonNullable<Awaited<ReturnType<Mailer['check']>>>,
): Failure => {
  const i18n = messagesOf(locale)
  switch (fault) {
    case 'ADDRESS_REFUSED':
      return invalidField('host', i18n._('Enter the address of a server on the public internet.'))
    case 'NOT_FOUND':
      return invalidField('host', i18n._('There is no server with this name. Check its spelling.'))
    case 'TLS':
      return invalidField('security', i18n._('The encrypted connection failed: {reason}', { reason }))
    case 'SIGN_IN':
      return invalidField('password', i18n._('The server refuses the user name or the password: {reason}', { reason }))
    case 'CONNECTION':
      return invalidField('host', i18n._('The server does not answer at this port: {reason}', { reason }))
    default:
      return fault satisfies never
  }
}

interface Change {
  by: AuditActor
  /** The value of `If-Match`. */
  expected: string | null
}

/** Locks the server of the store as the caller saw it. Returns the row in an object. */
const lockAsSeen = async (ctx: Ctx, expected: string | null): Promise<{ before: MailServerRow | null } | Failure> => {
  await lockSettings(ctx.db, ctx.customer.id)
  const before = await readMailServer(ctx.db, ctx.customer.id)
  return (await refuseOldVersion(ctx, { expected, version: versionOfServer(before), subject })) ?? { before }
}

/** Lets what waits for the former server go through the new one, once no process has claimed it. */
const sendWaiting = async ({ db, customer, clock }: Ctx) => {
  const now = clock.now()
  await bringMailsForward(db, customer.id, new Date(now.getTime() + claimMilliseconds), now)
  await announceMail(db, customer.id)
}

/**
 * Sets the store's own mail server, once it has accepted a connection and the sign-in. Failures:
 * VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED with the field that is to be changed.
 */
const saveServer = async (
  ctx: DetachedCtx,
  deps: MailServerDeps,
  { by, expected }: Change,
  input: MailServerChange,
): Promise<Failure | null> => {
  const seen = await ctx.inTransaction((tx) => lockAsSeen(tx, expected))
  if (isFailure(seen)) return seen
  const facts = { before: seen.before, allowsPlain: deps.publicRequests.allowsLoopback }
  const refused = refuseChange(ctx, input, facts)
  if (refused) return refused
  const { host, port, security, senderAddress, password: typed } = input
  const username = input.username || null
  const row: MailServerRow = {
    customerId: ctx.customer.id,
    host,
    port,
    security,
    username,
    senderAddress,
    password: username && (typed ? encrypt(encryptionSecret(deps), typed) : (seen.before?.password ?? null)),
    senderName: input.senderName || null,
    failingSince: null,
    failure: null,
    retryAt: null,
    updatedAt: ctx.clock.now().toISOString(),
  }
  const mailer = openStoreMailer(deps, row)
  const refusal = await mailer.check().finally(mailer.close)
  if (refusal) return refusalOf(ctx, refusal)
  return ctx.inTransaction(async (tx) => {
    const locked = await lockAsSeen(tx, expected)
    if (isFailure(locked)) return locked
    await saveMailServer(tx.db, row)
    await audit(tx, {
      actor: by,
      action: 'mail-server.set',
      subject,
      changes: changesOf(locked.before ? factsOf(locked.before) : {}, factsOf(row)),
      ...(username && typed && { detail: { changedSecrets: ['password'] } }),
    })
    await sendWaiting(tx)
    return null
  })
}

/** Lets the installation's server send again. Failures: NOT_FOUND, and those of versions. */
const removeServer = async (ctx: Ctx, { by, expected }: Change): Promise<Failure | undefined> => {
  const locked = await lockAsSeen(ctx, expected)
  if (isFailure(locked)) return locked
  const { before } = locked
  if (!before) return failure('NOT_FOUND')
  await deleteMailServer(ctx.db, ctx.customer.id)
  await audit(ctx, { actor: by, action: 'mail-server.removed', subject, changes: changesOf(factsOf(before), {}) })
  await sendWaiting(ctx)
  return undefined
}

/**
 * Sends a test mail through the store's own server at once, and returns what the server answered.
 * One that takes it is no longer failing. Failure: NOT_FOUND (the store has no server of its own).
 */
const sendTest = async (
  ctx: DetachedCtx,
  deps: MailServerDeps,
  { by, to, template, origin }: { by: AuditActor; to: string; template: MailTemplate<unknown>; origin: string },
) => {
  const { customer, clock, locale } = ctx
  const row = await ctx.inTransaction(({ db }) => readMailServer(db, customer.id))
  if (!row) return failure('NOT_FOUND')
  const { base, business } = settingsIn(customer.settings, locale)
  const mail = withLinks(renderMail(template, customer, locale, null), origin)
  const from = row.senderName ?? base.name ?? customer.code
  const mailer = openStoreMailer(deps, row)
  const sent = await mailer
    .send({ ...mail, id: newId<MailId>(), from, replyTo: business.email, to })
    .finally(mailer.close)
  const answer = sent.code === 'SENT' ? (sent.answer ?? '') : sent.reason
  await ctx.inTransaction(async (tx) => {
    await audit(tx, { actor: by, action: 'mail.tested', subject, detail: { to, result: sent.code } })
    if (sent.code === 'UNAVAILABLE') {
      const failingSince = row.failingSince ?? clock.now().toISOString()
      await setMailServerState(tx.db, row, { failingSince, failure: answer, retryAt: row.retryAt })
    } else if (row.failingSince !== null) {
      await setMailServerState(tx.db, row, { failingSince: null, failure: null, retryAt: null })
      await sendWaiting(tx)
    }
  })
  return { to, result: sent.code, answer }
}

interface RouteDeps extends MailServerDeps {
  limits: ReturnType<typeof createMailLimits>
  mailTemplates: readonly MailTemplate<unknown>[]
}

const os = implementProcedures<RouteDeps>().admin.mailServer

/** Procedures of the store's own mail server. */
export const mailServerProcedures = {
  read: os.read.handler(({ context }) => transact(context, (ctx) => viewMailServer(ctx, context.deps))),
  save: os.save.handler(async ({ context, input }) => {
    consumeLimit(context.deps.limits.mailServers, callerKey(context))
    const change = { by: operatorName(context), expected: ifMatch(context) }
    const refused = await saveServer(detachedCtx(context), context.deps, change, input)
    if (refused) unwrap(refused)
    return transact(context, (ctx) => viewMailServer(ctx, context.deps))
  }),
  remove: os.remove.handler(async ({ context }) => {
    await transactAsOperator(context, (ctx, by) => removeServer(ctx, { by, expected: ifMatch(context) }))
    return transact(context, (ctx) => viewMailServer(ctx, context.deps))
  }),
  sendTest: os.sendTest.handler(async ({ context }) => {
    const { deps, origin } = context
    consumeLimit(deps.limits.mailServers, callerKey(context))
    const template = deps.mailTemplates.find(({ name }) => name === 'test')
    if (!template) throw new Error('There is no template of test mails')
    const test = { by: operatorName(context), to: staffOf(context).email, template, origin }
    return unwrap(await sendTest(detachedCtx(context), deps, test))
  }),
}
