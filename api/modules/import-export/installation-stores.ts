import { starterSettings } from '#api/modules/admin/create-store.ts'
import { openStore, readHost } from '#api/modules/admin/open-store.ts'
import { checkSettings, refusedValue, type SettingProblem } from '#api/modules/tenancy/check-settings.ts'
import { lockSettings } from '#api/modules/tenancy/settings.queries.ts'
import { changeSettings, validateSettings } from '#api/modules/tenancy/settings.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import type { Clock } from '#api/platform/context.ts'
import { bindTenant, type TenantDb } from '#api/platform/db/client.ts'
import { meant } from '#api/platform/text.ts'
import { locale } from '#contract/enumerations.ts'
import { type CustomerId, customerCode } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { listIn, optionalTextIn, textIn, type Values } from './cell-values.ts'
import * as cell from './column-codecs.ts'
import { type Facts, InvalidCell } from './column-codecs.ts'
import {
  assignHost,
  type CustomerRow,
  countInstallationRows,
  deleteHosts,
  readCustomerIds,
  readCustomerRows,
  readDomainRows,
  updateCustomerState,
} from './installation.queries.ts'
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

/** Empty cells leave a store unchanged. A new store is closed until it is opened. */
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

const storedOf = (
  work: InstallationContext,
  { id, code, use_customer, use_site, opened, settings }: CustomerRow,
): StoredRow => {
  work.settings.set(id, settings)
  const { name, locale: language, locales, currency, timeZone } = settings.base
  const state = !use_customer ? 'ENDED' : !use_site ? 'CLOSED' : opened ? 'OPEN' : 'COMING_SOON'
  return { id, values: { code, name, state, locale: language, locales, currency, time_zone: timeZone } }
}

const readStores = async (work: InstallationContext, codes: readonly string[] | null): Promise<StoredRow[]> =>
  (await readCustomerRows(work.db, codes)).map((row) => storedOf(work, row))

const givenOf = (values: Values) => {
  const { name, locale: language, currency, time_zone: timeZone } = values
  const locales = listIn(values, 'locales')
  return { base: { name, locale: language, currency, timeZone, ...(locales.length > 0 && { locales }) } }
}

/** The settings of a new store. */
const settingsOfNew = ({ clock }: InstallationContext, values: Values) => {
  const language = locale.safeParse(values.locale).data ?? 'en'
  const start = {
    name: textIn(values, 'name'),
    currency: textIn(values, 'currency'),
    timeZone: textIn(values, 'time_zone'),
    locale: language,
  }
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

// The id of a row of this table is its customer's: `readCustomerRows` has read it as one, or `newId` made it.
const customerIdIn = ({ id }: { id: string }) => id as CustomerId

const checkSettingsOf = async (
  work: InstallationContext,
  values: Values,
  kept: StoredRow | null,
): Promise<Complaint[]> => {
  if (kept) {
    const id = customerIdIn(kept)
    const settings = work.settings.get(id)
    if (!settings) throw new Error(`The settings of ${kept.values.code} were not read`)
    await bindTenant(work.db, id)
    return storeComplaints((await validateSettings(work.db, id, settings, givenOf(values))).problems)
  }
  const lacking = needed.filter(({ column }) => values[column] === null)
  return lacking.length > 0 ? lacking : storeComplaints(settingsOfNew(work, values).problems)
}

const setState = async ({ db, clock, by }: InstallationContext, id: CustomerId, state: string) => {
  await updateCustomerState(db, id, state)
  const action = state === 'OPEN' ? 'store.opened' : 'store.closed'
  await audit({ db, customer: { id }, clock }, { actor: by, action, subject: 'store', detail: { state } })
}

const write = async (work: InstallationContext, change: RowChange) => {
  const { db, clock, by } = work
  const { values, kept } = change
  const id = customerIdIn(change)
  const state = optionalTextIn(values, 'state')
  if (!kept) {
    const { settings } = settingsOfNew(work, values)
    await openStore(db, clock, { id, code: textIn(values, 'code'), hosts: [], settings, by })
    if (state !== null && state !== 'COMING_SOON') await setState(work, id, state)
    return
  }
  await bindTenant(db, id)
  await lockSettings(db, id)
  const { problems } = await changeSettings({ db, customer: { id }, clock }, by, givenOf(values))
  if (problems.length > 0) throw new Error(`The settings of ${values.code} have changed meanwhile`)
  if (state !== null && state !== kept.values.state) await setState(work, id, state)
}

/** The stores of an installation by customer code. Stores are never removed. */
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
  count: ({ db }) => countInstallationRows(db, 'customers'),
}

/** The context of the installation's tables, in a transaction of the owner. */
export interface InstallationContext {
  db: TenantDb
  clock: Clock
  by: AuditActor
  facts: Facts
  /** True to remove hosts that the files omit. */
  removes: boolean
  /** Codes that the files name, whether their rows are valid or not. */
  named: Set<string>
  /** Settings of the stores whose rows were read, by id. */
  settings: Map<string, SiteSettings>
  /** Hosts added to or removed from each store, by its id. */
  moved: Map<CustomerId, { added: string[]; removed: string[] }>
}

/** No cell of these tables contains money, times, categories or files. */
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

const hostColumn: cell.Column = {
  ...cell.line('host', 253, { example: 'films.example.com' }),
  read: (text) =>
    readHost(text) ?? new cell.InvalidCell('must be a host without scheme and port, for example films.example.com'),
}

const readDomains = async ({ db }: InstallationContext, hosts: readonly string[] | null): Promise<StoredRow[]> =>
  (await readDomainRows(db, hosts)).map((values) => ({ id: values.host, values }))

/** Records a moved host for the audit logs of both stores. */
const noteMovedHost = (
  { moved }: InstallationContext,
  id: CustomerId | undefined,
  way: 'added' | 'removed',
  host: string,
) => {
  if (id === undefined) return
  const of = moved.get(id) ?? { added: [], removed: [] }
  of[way].push(host)
  moved.set(id, of)
}

const domainComplaints = (
  { named, removes }: InstallationContext,
  { values, kept }: { values: Values; kept: StoredRow | null },
  known: ReadonlyMap<string, string>,
): Complaint[] => {
  const [host, code] = [textIn(values, 'host'), textIn(values, 'customer')]
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

/** The hosts of stores. A host belongs to one store. */
export const domains: TableOf<InstallationContext> = {
  name: 'domains',
  columns: [hostColumn, { ...codeColumn, name: 'customer' }],
  keys: ['host'],
  find: (work, given) => readDomains(work, textsOf(given, 'host')),
  check: async (work, pairs) => {
    const known = await readCustomerIds(work.db, null)
    return pairs.map((pair) => domainComplaints(work, pair, known))
  },
  write: async (work, changes) => {
    const ids = await readCustomerIds(work.db, null)
    for (const { values, kept } of changes) {
      const [host, id] = [textIn(values, 'host'), ids.get(textIn(values, 'customer'))]
      // A store with an invalid row is missing here. The import is rolled back in that case.
      if (id === undefined) continue
      await assignHost(work.db, id, host)
      noteMovedHost(work, ids.get(optionalTextIn(kept?.values ?? {}, 'customer') ?? ''), 'removed', host)
      noteMovedHost(work, id, 'added', host)
    }
  },
  all: async function* (work) {
    const rows = await readDomains(work, null)
    if (rows.length > 0) yield rows
  },
  remove: async (work, kept) => {
    const ids = await readCustomerIds(work.db, null)
    for (const { values } of kept)
      noteMovedHost(work, ids.get(textIn(values, 'customer')), 'removed', textIn(values, 'host'))
    await deleteHosts(
      work.db,
      kept.map(({ id }) => id),
    )
    return kept.length
  },
  count: ({ db }) => countInstallationRows(db, 'customer_domains'),
}
