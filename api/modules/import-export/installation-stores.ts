import * as z from 'zod/mini'
import { createStore, starterSettings } from '#api/modules/admin/store-lifecycle.ts'
import { listIn, optionalTextIn, textIn, type Values } from '#api/modules/import-export/tables/cell-formats.ts'
import { checkSettings, refusedValue, type SettingProblem } from '#api/modules/tenancy/check-settings.ts'
import { readHost } from '#api/modules/tenancy/domains.ts'
import { changeSettings, validateSettings } from '#api/modules/tenancy/settings.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import type { Clock } from '#api/platform/context.ts'
import { bindTenant, type TenantDb } from '#api/platform/db/client.ts'
import { didYouMean } from '#api/platform/text.ts'
import { locale } from '#contract/enumerations.ts'
import { type CustomerId, customerCode, customerId } from '#contract/ids.ts'
import { type StoreState, storeStateOf, storeStates } from '#contract/store-state.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import {
  assignHost,
  type CustomerRow,
  countInstallationRows,
  deleteHosts,
  readCustomerIds,
  readCustomerRows,
  readDomainRows,
  updateCustomerState,
} from './import-export.queries.ts'
import * as cell from './tables/column-codecs.ts'
import { type Facts, InvalidCell } from './tables/column-codecs.ts'
import { type RowChange, type RowProblem, type StoredRow, type TableOf, textsOf } from './tables/table.ts'

const codeColumn: cell.Column = {
  ...cell.line('code', 40, { example: 'acme' }),
  read: (text) =>
    customerCode.safeParse(text).success
      ? text
      : new cell.InvalidCell('must have at most 40 lower case letters, digits and hyphens, for example acme'),
}

const languageColumn: cell.Column = {
  ...cell.line('locale', 2),
  empty: null,
  read: (text) => {
    const option = locale.options.find((language) => language === text.toLowerCase())
    return option ?? new cell.InvalidCell(`must be ${locale.options.join(', ')}.${didYouMean(text, locale.options)}`)
  },
}

const settingColumn = (name: string, setting: 'base.currency' | 'base.timeZone'): cell.Column => ({
  ...cell.unchangedWhenEmpty(cell.line(name, 64, { empty: null })),
  read: (text) => {
    const message = refusedValue(setting, text)
    return message === null ? text : new cell.InvalidCell(message)
  },
})

/** Empty cells leave a store unchanged. A new store is closed until it is opened. */
const columns = [
  codeColumn,
  cell.unchangedWhenEmpty(cell.line('name', 100, { empty: null })),
  cell.unchangedWhenEmpty(cell.oneOf('state', storeStates, null)),
  cell.unchangedWhenEmpty(languageColumn),
  cell.unchangedWhenEmpty(cell.list('locales', locale.options.length, 2, 'ko|en')),
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
  context: InstallationContext,
  { id, code, use_customer, use_site, opened, settings }: CustomerRow,
): StoredRow => {
  context.settings.set(id, settings)
  const { name, locale: language, locales, currency, timeZone } = settings.base
  const state = storeStateOf({ useCustomer: use_customer, useSite: use_site, opened })
  return { id, values: { code, name, state, locale: language, locales, currency, time_zone: timeZone } }
}

const readStores = async (context: InstallationContext, codes: readonly string[] | null): Promise<StoredRow[]> =>
  (await readCustomerRows(context.db, codes)).map((row) => storedOf(context, row))

const settingsOf = (values: Values) => {
  const { name, locale: language, currency, time_zone: timeZone } = values
  const locales = listIn(values, 'locales')
  return { base: { name, locale: language, currency, timeZone, ...(locales.length > 0 && { locales }) } }
}

/** Returns the settings of a store that the table adds, from its values and the defaults. */
const settingsOfNew = ({ clock }: InstallationContext, values: Values) => {
  const language = locale.safeParse(values.locale).data ?? 'en'
  const start = {
    name: textIn(values, 'name'),
    currency: textIn(values, 'currency'),
    timeZone: textIn(values, 'time_zone'),
    locale: language,
  }
  const starter = starterSettings(start, clock.now().toISOString().slice(0, 10))
  return checkSettings(starter, settingsOf({ ...values, locale: language }))
}

const storeProblems = (problems: readonly SettingProblem[]): RowProblem[] =>
  problems.map(({ field, message }) => ({ column: columnOf[field] ?? null, message }))

const needed = [
  { column: 'name', message: 'is required for a new store: the name that visitors see' },
  { column: 'currency', message: 'is required for a new store: the currency of its prices, for example KRW' },
  { column: 'time_zone', message: 'is required for a new store: its time zone, for example Asia/Seoul' },
]

const checkSettingsOf = async (
  context: InstallationContext,
  values: Values,
  stored: StoredRow | null,
): Promise<RowProblem[]> => {
  if (stored) {
    const id = customerId.parse(stored.id)
    const settings = context.settings.get(id)
    if (!settings) throw new Error(`The settings of ${stored.values.code} were not read`)
    await bindTenant(context.db, id)
    return storeProblems((await validateSettings(context.db, id, settings, settingsOf(values))).problems)
  }
  const missing = needed.filter(({ column }) => values[column] === null)
  return missing.length > 0 ? missing : storeProblems(settingsOfNew(context, values).problems)
}

const setState = async ({ db, clock, by }: InstallationContext, id: CustomerId, state: StoreState) => {
  await updateCustomerState(db, id, state)
  const action = state === 'OPEN' ? 'store.opened' : 'store.closed'
  await audit({ db, customer: { id }, clock }, { actor: by, action, subject: 'store', detail: { state } })
}

const write = async (context: InstallationContext, change: RowChange) => {
  const { db, clock, by } = context
  const { values, stored } = change
  const id = customerId.parse(change.id)
  const state = z.nullable(z.enum(storeStates)).parse(optionalTextIn(values, 'state'))
  if (!stored) {
    const { settings } = settingsOfNew(context, values)
    await createStore(db, clock, { id, code: customerCode.parse(textIn(values, 'code')), hosts: [], settings, by })
    if (state !== null && state !== 'COMING_SOON') await setState(context, id, state)
    return
  }
  await bindTenant(db, id)
  const { problems } = await changeSettings({ db, customer: { id }, clock }, by, settingsOf(values))
  if (problems.length > 0) throw new Error(`The settings of ${values.code} have changed meanwhile`)
  if (state !== null && state !== stored.values.state) await setState(context, id, state)
}

/** The stores of an installation by customer code. Stores are never removed. */
export const customers: TableOf<InstallationContext> = {
  name: 'customers',
  columns,
  keys: ['code'],
  registerKey: ({ named }, { code }) => typeof code === 'string' && named.add(code),
  find: (context, rows) => readStores(context, textsOf(rows, 'code')),
  check: async (context, pairs) => {
    const problems: RowProblem[][] = []
    for (const { values, stored } of pairs) problems.push(await checkSettingsOf(context, values, stored))
    return problems
  },
  write: async (context, changes) => {
    for (const change of changes) await write(context, change)
  },
  all: async function* (context) {
    const rows = await readStores(context, null)
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
  media: () => new InvalidCell('must not be a file'),
  reference: (key: string) => key,
}

/** Returns the context of one import or export, before any of its rows are read. */
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
const reportMovedHost = (
  { moved }: InstallationContext,
  id: CustomerId | undefined,
  change: 'added' | 'removed',
  host: string,
) => {
  if (id === undefined) return
  const of = moved.get(id) ?? { added: [], removed: [] }
  of[change].push(host)
  moved.set(id, of)
}

const domainProblems = (
  { named, removes }: InstallationContext,
  { values, stored }: { values: Values; stored: StoredRow | null },
  known: ReadonlyMap<string, string>,
): RowProblem[] => {
  const [host, code] = [textIn(values, 'host'), textIn(values, 'customer')]
  if (!known.has(code) && !named.has(code))
    return [
      {
        column: 'customer',
        message: `must be the customer code of a store: there is no ${code}.${didYouMean(code, known.keys())}`,
      },
    ]
  const holder = stored?.values.customer
  if (!stored || holder === code || removes) return []
  return [
    {
      column: 'host',
      message: `must be a free host. It is a host of ${holder}. Remove it there first (npm run cli -- customer domains ${holder} --remove ${host}), or list all hosts and use --remove`,
    },
  ]
}

/** The hosts of stores. A host belongs to one store. */
export const domains: TableOf<InstallationContext> = {
  name: 'domains',
  columns: [hostColumn, { ...codeColumn, name: 'customer' }],
  keys: ['host'],
  find: (context, rows) => readDomains(context, textsOf(rows, 'host')),
  newIdOf: (values) => textIn(values, 'host'),
  check: async (context, pairs) => {
    const customerIds = await readCustomerIds(context.db, null)
    return pairs.map((pair) => domainProblems(context, pair, customerIds))
  },
  write: async (context, changes) => {
    const ids = await readCustomerIds(context.db, null)
    for (const { values, stored } of changes) {
      const [host, id] = [textIn(values, 'host'), ids.get(textIn(values, 'customer'))]
      // A store with an invalid row is missing here. The import is rolled back in that case.
      if (id === undefined) continue
      await assignHost(context.db, id, host)
      reportMovedHost(context, ids.get(optionalTextIn(stored?.values ?? {}, 'customer') ?? ''), 'removed', host)
      reportMovedHost(context, id, 'added', host)
    }
  },
  all: async function* (context) {
    const rows = await readDomains(context, null)
    if (rows.length > 0) yield rows
  },
  remove: async (context, stored) => {
    const stores = await readCustomerIds(context.db, null)
    for (const { values } of stored)
      reportMovedHost(context, stores.get(textIn(values, 'customer')), 'removed', textIn(values, 'host'))
    const ids = stored.map(({ id }) => id)
    await deleteHosts(context.db, ids)
    return ids.length
  },
  count: ({ db }) => countInstallationRows(db, 'customer_domains'),
}
