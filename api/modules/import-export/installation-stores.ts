import { starterSettings } from '#api/modules/admin/create-store.ts'
import { openStore, readHost } from '#api/modules/admin/open-store.ts'
import { checkSettings, refusedValue, type SettingProblem } from '#api/modules/tenancy/check-settings.ts'
import { changeSettings, lockSettings, validateSettings } from '#api/modules/tenancy/settings.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import type { Clock } from '#api/platform/context.ts'
import { bindTenant, type TenantDb } from '#api/platform/db/client.ts'
import { meant } from '#api/platform/text.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { type CustomerId, customerCode } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import * as cell from './column-codecs.ts'
import { type Facts, InvalidCell } from './column-codecs.ts'
import { type Complaint, type RowChange, type StoredRow, type TableOf, textsOf } from './table.ts'

const states = ['COMING_SOON', 'OPEN', 'CLOSED', 'ENDED']

export const codeColumn: cell.Column = {
  ...cell.line('code', 40, { example: 'acme' }),
  read: (text) =>
    customerCode.safeParse(text).success
      ? text
      : new cell.InvalidCell('must be lower case letters, digits and hyphens, 40 at most, for example acme'),
}

const languageColumn: cell.Column = {
  ...cell.line('locale', 2),
  empty: null,
  read: (text) => {
    const found = locale.options.find((one) => one === text.toLowerCase())
    return found ?? new cell.InvalidCell(`must be ${locale.options.join(', ')}.${meant(text, locale.options)}`)
  },
}

const settingColumn = (name: string, setting: 'base.currency' | 'base.timeZone'): cell.Column => ({
  ...cell.keeping(cell.line(name, 64, { empty: null })),
  read: (text) => {
    const right = refusedValue(setting, text)
    return right === null ? text : new cell.InvalidCell(right)
  },
})

/** Empty cells leave what a store is; a new one is closed until it is opened. */
const columns = [
  codeColumn,
  cell.keeping(cell.line('name', 100, { empty: null })),
  cell.keeping(cell.oneOf('state', states, null)),
  cell.keeping(languageColumn),
  cell.keeping(cell.list('locales', locale.options.length, 2, 'ko|en')),
  settingColumn('currency', 'base.currency'),
  settingColumn('time_zone', 'base.timeZone'),
]

const columnOf: Record<string, string> = {
  'base.name': 'name',
  'base.locale': 'locale',
  'base.locales': 'locales',
  'base.currency': 'currency',
  'base.timeZone': 'time_zone',
}

interface Row {
  id: string
  code: string
  use_customer: boolean
  use_site: boolean
  opened: boolean
  settings: SiteSettings
}

const storedOf = (
  work: InstallationContext,
  { id, code, use_customer, use_site, opened, settings }: Row,
): StoredRow => {
  work.settings.set(id, settings)
  const { name, locale: language, locales, currency, timeZone } = settings.base
  const state = !use_customer ? 'ENDED' : !use_site ? 'CLOSED' : opened ? 'OPEN' : 'COMING_SOON'
  return { id, values: { code, name, state, locale: language, locales, currency, time_zone: timeZone } }
}

const readStores = async (work: InstallationContext, codes: readonly string[] | null): Promise<StoredRow[]> => {
  const { rows } = await work.db.$client.query<Row>(
    `SELECT customer_id AS id, code, use_customer, use_site, opened, settings FROM customers
      WHERE $1::text[] IS NULL OR code = ANY($1) ORDER BY code COLLATE "C"`,
    [codes],
  )
  return rows.map((row) => storedOf(work, row))
}

const givenOf = ({ name, locale: language, locales, currency, time_zone }: cell.Values) => ({
  base: {
    name,
    locale: language,
    currency,
    timeZone: time_zone,
    ...((locales as string[]).length > 0 && { locales }),
  },
})

/** The settings a new store gets. */
const settingsOfNew = ({ clock }: InstallationContext, values: cell.Values) => {
  const { name, currency, time_zone } = values as Record<string, string>
  const language = (values.locale ?? 'en') as Locale
  const start = { name: name!, currency: currency!, timeZone: time_zone!, locale: language }
  const starter = starterSettings(start, clock.now().toISOString().slice(0, 10))
  return checkSettings(starter, givenOf({ ...values, locale: language }))
}

const storeComplaints = (problems: readonly SettingProblem[]): Complaint[] =>
  problems.map(({ field, right }) => ({ column: columnOf[field] ?? null, right }))

const needed = [
  { column: 'name', right: 'is required for a new store: the name that visitors see' },
  { column: 'currency', right: 'is required for a new store: the currency of its prices, for example KRW' },
  { column: 'time_zone', right: 'is required for a new store: its time zone, for example Asia/Seoul' },
]

const checkSettingsOf = async (
  work: InstallationContext,
  values: cell.Values,
  kept: StoredRow | null,
): Promise<Complaint[]> => {
  if (kept) {
    const id = kept.id as CustomerId
    await bindTenant(work.db, id)
    return storeComplaints((await validateSettings(work.db, id, work.settings.get(id)!, givenOf(values))).problems)
  }
  const lacking = needed.filter(({ column }) => values[column] === null)
  return lacking.length > 0 ? lacking : storeComplaints(settingsOfNew(work, values).problems)
}

const setState = async ({ db, clock, by }: InstallationContext, id: CustomerId, state: cell.Value | undefined) => {
  await db.$client.query(
    // Whether the store of an ended contract was online, and whether one that is offline was opened, stays known.
    `UPDATE customers SET use_customer = $2 <> 'ENDED',
            use_site = CASE WHEN $2 = 'ENDED' THEN use_site ELSE $2 <> 'CLOSED' END,
            opened = CASE WHEN $2 IN ('ENDED', 'CLOSED') THEN opened ELSE $2 = 'OPEN' END
      WHERE customer_id = $1`,
    [id, state],
  )
  const action = state === 'OPEN' ? 'store.opened' : 'store.closed'
  await audit({ db, customer: { id }, clock }, { actor: by, action, subject: 'store', detail: { state } })
}

const write = async (work: InstallationContext, { id: given, values, kept }: RowChange) => {
  const { db, clock, by } = work
  const id = given as CustomerId
  if (!kept) {
    const { settings } = settingsOfNew(work, values)
    await openStore(db, clock, { id, code: values.code as string, hosts: [], settings, by })
    if (values.state !== null && values.state !== 'COMING_SOON') await setState(work, id, values.state)
    return
  }
  await bindTenant(db, id)
  await lockSettings(db, id)
  const { problems } = await changeSettings({ db, customer: { id }, clock }, by, givenOf(values))
  if (problems.length > 0) throw new Error(`The settings of ${values.code} have changed meanwhile`)
  if (values.state !== kept.values.state) await setState(work, id, values.state)
}

/** The stores of an installation, each by its customer code. None is ever removed. */
export const customers: TableOf<InstallationContext> = {
  name: 'customers',
  columns,
  keys: ['code'],
  hears: ({ named }, { code }) => typeof code === 'string' && named.add(code),
  find: (work, given) => readStores(work, textsOf(given, 'code')),
  check: async (work, pairs) => {
    const complaints: Complaint[][] = []
    for (const { values, kept } of pairs) complaints.push(await checkSettingsOf(work, values, kept))
    return complaints
  },
  write: async (work, changes) => {
    for (const change of changes) await write(work, change)
  },
  all: async function* (work) {
    const rows = await readStores(work, null)
    if (rows.length > 0) yield rows
  },
  remove: async () => 0,
  count: async ({ db }) =>
    (await db.$client.query<{ count: number }>('SELECT count(*)::int AS count FROM customers')).rows[0]!.count,
}

/** What the tables of the installation work with, in a transaction of the owner. */
export interface InstallationContext {
  db: TenantDb
  clock: Clock
  by: AuditActor
  facts: Facts
  /** The hosts of the files are all there shall be. */
  removes: boolean
  /** Codes the files name, whether their rows are right or not. */
  named: Set<string>
  /** Of stores whose rows were read, by id. */
  settings: Map<string, SiteSettings>
  /** Hosts that came to a store or left it, by its id. */
  moved: Map<string, { added: string[]; removed: string[] }>
}

/** No cell of these tables names money, times, categories or files. */
const facts: Facts = {
  currency: 'USD',
  timeZone: 'UTC',
  categoryPaths: new Map(),
  media: () => new InvalidCell('must name no file'),
  reference: (key: string) => key,
}

export const createInstallationContext = (
  db: TenantDb,
  { clock, by, removes }: Pick<InstallationContext, 'clock' | 'by' | 'removes'>,
): InstallationContext => ({
  db,
  clock,
  by,
  removes,
  facts,
  named: new Set(),
  settings: new Map(),
  moved: new Map(),
})

/** Ids of stores by their codes; without codes, of all. */
export const customerIdsOf = async (
  { db }: Pick<InstallationContext, 'db'>,
  codes: readonly string[] | null,
): Promise<Map<string, string>> => {
  const { rows } = await db.$client.query<{ id: string; code: string }>(
    'SELECT customer_id AS id, code FROM customers WHERE $1::text[] IS NULL OR code = ANY($1)',
    [codes],
  )
  return new Map(rows.map(({ id, code }) => [code, id]))
}

const hostColumn: cell.Column = {
  ...cell.line('host', 253, { example: 'films.example.com' }),
  read: (text) =>
    readHost(text) ?? new cell.InvalidCell('must be a host without scheme and port, for example films.example.com'),
}

const readDomains = async ({ db }: InstallationContext, hosts: readonly string[] | null): Promise<StoredRow[]> => {
  const { rows } = await db.$client.query<{ host: string; customer: string }>(
    `SELECT d.host, c.code AS customer FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id
      WHERE $1::text[] IS NULL OR d.host = ANY($1) ORDER BY c.code COLLATE "C", d.host COLLATE "C"`,
    [hosts],
  )
  return rows.map((values) => ({ id: values.host, values: { ...values } }))
}

/** Remembers for the audits of both stores where a host went. */
const note = ({ moved }: InstallationContext, id: string | undefined, way: 'added' | 'removed', host: string) => {
  if (id === undefined) return
  const of = moved.get(id) ?? { added: [], removed: [] }
  of[way].push(host)
  moved.set(id, of)
}

const domainComplaints = (
  { named, removes }: InstallationContext,
  { values, kept }: { values: cell.Values; kept: StoredRow | null },
  known: ReadonlyMap<string, string>,
): Complaint[] => {
  const [host, code] = [values.host as string, values.customer as string]
  if (!known.has(code) && !named.has(code))
    return [
      {
        column: 'customer',
        right: `must be the customer code of a store: there is no ${code}.${meant(code, known.keys())}`,
      },
    ]
  const holder = kept?.values.customer
  if (!kept || holder === code || removes) return []
  return [
    {
      column: 'host',
      right: `must be a free host: ${holder} has it. Remove it there first (customer domains ${holder} --remove ${host}), or list all hosts and add --remove`,
    },
  ]
}

/** Where stores are found. A host belongs to one store. */
export const domains: TableOf<InstallationContext> = {
  name: 'domains',
  columns: [hostColumn, { ...codeColumn, name: 'customer' }],
  keys: ['host'],
  find: (work, given) => readDomains(work, textsOf(given, 'host')),
  check: async (work, pairs) => {
    const known = await customerIdsOf(work, null)
    return pairs.map((pair) => domainComplaints(work, pair, known))
  },
  write: async (work, changes) => {
    const ids = await customerIdsOf(work, null)
    for (const { values, kept } of changes) {
      const [host, id] = [values.host as string, ids.get(values.customer as string)]
      // A store whose own row is wrong is not there, and nothing is kept in the end.
      if (id === undefined) continue
      await work.db.$client.query(
        `INSERT INTO customer_domains (customer_id, host) VALUES ($1, $2)
             ON CONFLICT (host) DO UPDATE SET customer_id = excluded.customer_id`,
        [id, host],
      )
      note(work, ids.get((kept?.values.customer as string) ?? ''), 'removed', host)
      note(work, id, 'added', host)
    }
  },
  all: async function* (work) {
    const rows = await readDomains(work, null)
    if (rows.length > 0) yield rows
  },
  remove: async (work, kept) => {
    const ids = await customerIdsOf(work, null)
    for (const { values } of kept) note(work, ids.get(values.customer as string), 'removed', values.host as string)
    await work.db.$client.query('DELETE FROM customer_domains WHERE host = ANY($1::text[])', [kept.map(({ id }) => id)])
    return kept.length
  },
  count: async ({ db }) =>
    (await db.$client.query<{ count: number }>('SELECT count(*)::int AS count FROM customer_domains')).rows[0]!.count,
}
