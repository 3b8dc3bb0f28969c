import { randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import { type AuditActor, audit, changesOf, historyOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type Customer, type Failure, failure, invalidField } from '#api/platform/context.ts'
import { type DnsRecords, isLocalHost } from '#api/platform/http/public-requests.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { DomainState, DomainView, domainList } from '#contract/admin/domains.ts'
import { hostIn, isHost } from '#contract/web-addresses.ts'
import {
  type DomainRow,
  deleteVerifications,
  insertVerification,
  readDomainRows,
  removeHost,
  serveHost,
  takeDueDomain,
  updateVerification,
} from './domains.queries.ts'
import { changeSettingsInImport } from './settings.ts'
import { endTry } from './store-states.ts'
import type { TenancyDeps } from './stores.ts'
import { lockSettings, settingsOf } from './tenancy.queries.ts'

/** The dependencies of checking hosts. */
export interface DomainDeps extends Pick<TenancyDeps, 'publicUrl' | 'originOfHost'> {
  dns: DnsRecords
}

type DomainList = z.output<typeof domainList>

type StoreCtx = Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> }

/**
 * Normalizes a host, or that of an address: lower case, Punycode, without a trailing dot. Returns
 * null for what is not a domain, such as an IP address or a wildcard.
 */
export const readHost = (text: string): string | null => {
  const plain = hostIn(text).toLowerCase()
  if (!/^[^\s/:@?#]+$/.test(plain)) return null
  try {
    const hostname = new URL(`http://${plain}`).hostname.replace(/\.$/, '')
    return isHost(hostname) ? hostname : null
  } catch {
    return null
  }
}

const subject = 'domains'
const maxDomains = 50

const recordName = (host: string) => `_marquee.${host}`
const recordValue = (token: string) => `marquee-verification=${token}`

const hostOf = (origin: string | null): string | null => (origin === null ? null : new URL(origin).hostname)

/** Hosts that lead to this installation already. Others are compared with their addresses. */
const referenceHosts = (rows: readonly DomainRow[], publicUrl: string | null, host: string): string[] => {
  const own = rows.filter((row) => row.isServing && row.pointsHere !== false).map((row) => row.host)
  return [...new Set([hostOf(publicUrl) ?? [], ...own].flat())].filter((each) => each !== host).slice(0, 4)
}

const stateOf = ({ isServing, isTaken, pointsHere }: DomainRow): DomainState => {
  if (isServing) return 'VERIFIED'
  if (isTaken) return 'IN_USE'
  return pointsHere === true ? 'POINTING' : 'WAITING'
}

interface Place {
  deps: Pick<DomainDeps, 'publicUrl' | 'originOfHost'>
  mainHost: string | null
}

/** The records that the DNS of a host still needs. */
const missingRecords = (row: DomainRow, rows: readonly DomainRow[], { deps, mainHost }: Place) => {
  const { host, token, isServing, pointsHere } = row
  const records: DomainView['records'] = []
  if (!isServing && token !== null) records.push({ type: 'TXT', name: recordName(host), value: recordValue(token) })
  const targets = referenceHosts(rows, deps.publicUrl, host).filter((each) => !isLocalHost(each))
  const target = targets.find((each) => each === mainHost) ?? targets[0]
  if (pointsHere !== true && target !== undefined && !isLocalHost(host))
    records.push({ type: 'CNAME', name: host, value: target })
  return records
}

/** The domains of the store with their states, and the records that they still need. */
export const viewDomains = async (ctx: Ctx, deps: Place['deps']): Promise<DomainList> => {
  const { db, customer } = ctx
  const rows = await readDomainRows(db, customer.id)
  const mainHost = hostOf((await settingsOf(db, customer.id)).seo.publicUrl)
  const items = rows.map((row): DomainView => {
    const { host, isServing, verifiedAt, pointsHere, checkedAt, answered } = row
    return {
      host,
      origin: deps.originOfHost(host),
      state: stateOf(row),
      verifiedBy: !isServing ? null : verifiedAt === null ? 'ADMINISTRATOR' : 'TXT',
      pointsHere,
      isMain: isServing && host === mainHost,
      checkedAt,
      answered,
      records: missingRecords(row, rows, { deps, mainHost }),
    }
  })
  items.sort((a, b) => Number(b.isMain) - Number(a.isMain) || (a.host < b.host ? -1 : 1))
  return { items, history: await historyOf(ctx, subject) }
}

/**
 * Adds a host, which is shown nowhere until it is verified. Failure: VALIDATION_FAILED for what is
 * not a domain, is added already, or is the installation's own.
 *
 * @returns the normalized host
 */
export const addDomain = async (
  ctx: Ctx,
  by: AuditActor,
  text: string,
  { publicUrl }: Pick<DomainDeps, 'publicUrl'>,
): Promise<string | Failure> => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  const host = readHost(text)
  if (host === null)
    return invalidField(
      'host',
      i18n._('Enter a domain, for example films.example.com. IP addresses and * are not accepted.'),
    )
  if (isLocalHost(host))
    return invalidField('host', i18n._('Enter a public domain. The DNS has no records of hosts of one machine.'))
  if (host === hostOf(publicUrl)) return invalidField('host', i18n._('This is the address of the installation.'))
  await lockSettings(db, customer.id)
  const rows = await readDomainRows(db, customer.id)
  if (rows.some((row) => row.host === host)) return invalidField('host', i18n._('The store has this domain already.'))
  if (rows.length >= maxDomains)
    return invalidField('host', i18n._('A store has at most {max} domains. Remove one first.', { max: maxDomains }))
  const token = randomBytes(18).toString('base64url')
  await insertVerification(db, { customerId: customer.id, host, token, now: clock.now() })
  await audit(ctx, { actor: by, action: 'domain.added', subject, changes: changesOf({}, { domain: host }) })
  return host
}

interface Found {
  /** Null: the DNS did not answer. */
  texts: readonly string[] | null
  pointsHere: boolean | null
}

const lookUp = async (dns: DnsRecords, host: string, references: readonly string[]): Promise<Found> => {
  const [texts, own, ...others] = await Promise.all([
    dns.texts(recordName(host)),
    dns.addresses(host),
    ...references.map((each) => dns.addresses(each)),
  ])
  const expected = new Set(others.flatMap((addresses) => addresses ?? []))
  const isKnown = own !== null && (own.length === 0 || expected.size > 0)
  return { texts, pointsHere: isKnown ? own.some((address) => expected.has(address)) : null }
}

const minute = 60_000
const hour = 60 * minute

/** When the host is checked again: often while somebody may be changing its DNS. */
const nextCheckOf = (now: Date, createdAt: string | null, isDone: boolean): Date | null => {
  const age = createdAt === null ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(createdAt)
  if (isDone) return new Date(now.getTime() + dayMilliseconds)
  if (age > 30 * dayMilliseconds) return null
  return new Date(now.getTime() + (age < hour ? minute : age < dayMilliseconds ? 10 * minute : hour))
}

/** Records what was found, and shows the store at a host whose TXT record was found. */
const recordCheck = async (ctx: StoreCtx, by: AuditActor, host: string, found: Found): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  await lockSettings(db, customer.id)
  const row = (await readDomainRows(db, customer.id)).find((each) => each.host === host)
  if (!row) return failure('NOT_FOUND')
  const now = clock.now()
  const token = row.token ?? randomBytes(18).toString('base64url')
  // What the DNS says of a host of the installation's owner is stored as well.
  if (row.token === null) await insertVerification(db, { customerId: customer.id, host, token, now })
  const isProven = found.texts?.includes(recordValue(token)) ?? false
  const pointsHere = found.pointsHere ?? row.pointsHere
  await updateVerification(db, {
    customerId: customer.id,
    host,
    checkedAt: now,
    answered: found.texts !== null,
    pointsHere: found.pointsHere,
    isProven,
    nextCheckAt: nextCheckOf(now, row.createdAt, (row.isServing || isProven) && !row.isTaken && pointsHere === true),
  })
  if (isProven && !row.isServing && (await serveHost(db, customer.id, host))) {
    await audit(ctx, { actor: by, action: 'domain.verified', subject, detail: { host } })
    await endTry(ctx, by, [host])
  }
  return undefined
}

/** A store whose hosts are checked, with transactions of its own around the questions. */
interface StoreChecks {
  customer: Pick<Customer, 'id'>
  inTransaction: <Answer>(work: (ctx: StoreCtx) => Promise<Answer>) => Promise<Answer>
}

/**
 * Asks the DNS about a host of the store. Where it does not answer, what is known stays. Failure:
 * NOT_FOUND for a host that the store does not have.
 */
export const checkDomain = async (
  { customer, inTransaction }: StoreChecks,
  by: AuditActor,
  text: string,
  { dns, publicUrl }: Pick<DomainDeps, 'dns' | 'publicUrl'>,
): Promise<Failure | undefined> => {
  const host = readHost(text)
  const rows = await inTransaction(({ db }) => readDomainRows(db, customer.id))
  if (host === null || !rows.some((row) => row.host === host)) return failure('NOT_FOUND')
  const found = await lookUp(dns, host, referenceHosts(rows, publicUrl, host))
  return inTransaction((ctx) => recordCheck(ctx, by, host, found))
}

/** Checks the hosts of a store that are due, one after the other. */
export const checkDueDomains = async (
  { customer, clock, inTransaction }: StoreChecks & Pick<Ctx, 'clock'>,
  deps: Pick<DomainDeps, 'dns' | 'publicUrl'>,
): Promise<void> => {
  const take = () =>
    inTransaction(({ db }) => {
      const now = clock.now()
      return takeDueDomain(db, { customerId: customer.id, now, retryAt: new Date(now.getTime() + 5 * minute) })
    })
  for (let host = await take(); host !== null; host = await take())
    await checkDomain({ customer, inTransaction }, 'rule', host, deps)
}

/**
 * Makes a host the one that canonical links, the sitemap and emails name. Failures: NOT_FOUND,
 * CONFLICT for a host at which the store is not shown.
 */
export const setMainDomain = async (
  ctx: Ctx,
  by: AuditActor,
  text: string,
  { originOfHost }: Pick<DomainDeps, 'originOfHost'>,
): Promise<Failure | undefined> => {
  await lockSettings(ctx.db, ctx.customer.id)
  const row = (await readDomainRows(ctx.db, ctx.customer.id)).find(({ host }) => host === readHost(text))
  if (!row) return failure('NOT_FOUND')
  if (!row.isServing) return failure('CONFLICT')
  await changeSettingsInImport(ctx, by, { seo: { publicUrl: originOfHost(row.host) } })
  return undefined
}

/**
 * Removes a host. If it was the main one, the store has none until one is chosen. Failures:
 * NOT_FOUND, VALIDATION_FAILED for the last host at which the store is shown.
 */
export const removeDomain = async (ctx: Ctx, by: AuditActor, text: string): Promise<Failure | undefined> => {
  const { db, customer } = ctx
  await lockSettings(db, customer.id)
  const rows = await readDomainRows(db, customer.id)
  const row = rows.find(({ host }) => host === readHost(text))
  if (!row) return failure('NOT_FOUND')
  const { host, isServing } = row
  const i18n = messagesOf(ctx.locale)
  if (isServing && rows.filter((each) => each.isServing).length === 1)
    return invalidField('host', i18n._('The store needs a domain. Add another one first.'))
  await removeHost(db, customer.id, host)
  await audit(ctx, { actor: by, action: 'domain.removed', subject, changes: changesOf({ domain: host }, {}) })
  if (hostOf((await settingsOf(db, customer.id)).seo.publicUrl) === host)
    await changeSettingsInImport(ctx, by, { seo: { publicUrl: null } })
  return undefined
}

/** Forgets what operators have added, for hosts that the installation's owner has removed. */
export const forgetDomains = async (
  { db, customer }: Pick<Ctx, 'db'> & { customer: Pick<Customer, 'id'> },
  hosts: readonly string[],
): Promise<void> => deleteVerifications(db, customer.id, hosts)
