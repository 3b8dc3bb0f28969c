import { bindTenant } from '#api/db/bind-tenant.ts'
import { audit } from '#api/domain/desk/audit.ts'
import { changeSettings, judgeSettings, takeTurn } from '#api/domain/tenancy/change-settings.ts'
import { checkSettings, refusedValue, type SettingProblem } from '#api/domain/tenancy/check-settings.ts'
import { openStore } from '#api/domain/tenancy/open-store.ts'
import { starterSettings } from '#api/domain/tenancy/starter-settings.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { type CustomerId, customerCode } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import * as cell from '../cells.ts'
import { meant } from '../nearest.ts'
import { type Change, type Complaint, type Kept, type TableOf, textsOf } from '../table.ts'
import type { InstallationWork } from './work.ts'

const states = ['COMING_SOON', 'OPEN', 'CLOSED', 'ENDED']

export const codeColumn: cell.Column = {
  ...cell.line('code', 40, { example: 'acme' }),
  read: (text) =>
    customerCode.safeParse(text).success
      ? text
      : new cell.Wrong('must be lower case letters, digits and hyphens, 40 at most, for example acme'),
}

const languageColumn: cell.Column = {
  ...cell.line('locale', 2),
  empty: null,
  read: (text) => {
    const found = locale.options.find((one) => one === text.toLowerCase())
    return found ?? new cell.Wrong(`must be ${locale.options.join(', ')}.${meant(text, locale.options)}`)
  },
}

const settingColumn = (name: string, setting: 'base.currency' | 'base.timeZone'): cell.Column => ({
  ...cell.keeping(cell.line(name, 64, { empty: null })),
  read: (text) => {
    const right = refusedValue(setting, text)
    return right === null ? text : new cell.Wrong(right)
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
  ...{ 'base.name': 'name', 'base.locale': 'locale', 'base.locales': 'locales' },
  ...{ 'base.currency': 'currency', 'base.timeZone': 'time_zone' },
}

interface Row {
  id: string
  code: string
  use_customer: boolean
  use_site: boolean
  opened: boolean
  settings: SiteSettings
}

const keptOf = (work: InstallationWork, { id, code, use_customer, use_site, opened, settings }: Row): Kept => {
  work.settings.set(id, settings)
  const { name, locale: language, locales, currency, timeZone } = settings.base
  const state = !use_customer ? 'ENDED' : !use_site ? 'CLOSED' : opened ? 'OPEN' : 'COMING_SOON'
  return { id, values: { code, name, state, locale: language, locales, currency, time_zone: timeZone } }
}

const read = async (work: InstallationWork, codes: readonly string[] | null): Promise<Kept[]> => {
  const { rows } = await work.db.$client.query<Row>(
    `SELECT customer_id AS id, code, use_customer, use_site, opened, settings FROM customers
      WHERE $1::text[] IS NULL OR code = ANY($1) ORDER BY code COLLATE "C"`,
    [codes],
  )
  return rows.map((row) => keptOf(work, row))
}

const givenOf = ({ name, locale: language, locales, currency, time_zone }: cell.Values) => ({
  base: {
    ...{ name, locale: language, currency, timeZone: time_zone },
    ...((locales as string[]).length > 0 && { locales }),
  },
})

/** The settings a new store gets. */
const settingsOfNew = ({ clock }: InstallationWork, values: cell.Values) => {
  const { name, currency, time_zone } = values as Record<string, string>
  const language = (values.locale ?? 'en') as Locale
  const start = { name: name!, currency: currency!, timeZone: time_zone!, locale: language }
  const starter = starterSettings(start, clock.now().toISOString().slice(0, 10))
  return checkSettings(starter, givenOf({ ...values, locale: language }))
}

const complaintsOf = (problems: readonly SettingProblem[]): Complaint[] =>
  problems.map(({ field, right }) => ({ column: columnOf[field] ?? null, right }))

const needed = [
  { column: 'name', right: 'is required for a new store: the name that visitors see' },
  { column: 'currency', right: 'is required for a new store: the currency of its prices, for example KRW' },
  { column: 'time_zone', right: 'is required for a new store: its time zone, for example Asia/Seoul' },
]

const judge = async (work: InstallationWork, values: cell.Values, kept: Kept | null): Promise<Complaint[]> => {
  if (kept) {
    const id = kept.id as CustomerId
    await bindTenant(work.db, id)
    return complaintsOf((await judgeSettings(work.db, id, work.settings.get(id)!, givenOf(values))).problems)
  }
  const lacking = needed.filter(({ column }) => values[column] === null)
  return lacking.length > 0 ? lacking : complaintsOf(settingsOfNew(work, values).problems)
}

const setState = async ({ db, clock, by }: InstallationWork, id: CustomerId, state: cell.Value | undefined) => {
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

const write = async (work: InstallationWork, { id: given, values, kept }: Change) => {
  const { db, clock, by } = work
  const id = given as CustomerId
  if (!kept) {
    const { settings } = settingsOfNew(work, values)
    await openStore(db, clock, { id, code: values.code as string, hosts: [], settings, by })
    if (values.state !== null && values.state !== 'COMING_SOON') await setState(work, id, values.state)
    return
  }
  await bindTenant(db, id)
  await takeTurn(db, id)
  const { problems } = await changeSettings({ db, customer: { id }, clock }, by, givenOf(values))
  if (problems.length > 0) throw new Error(`The settings of ${values.code} have changed meanwhile`)
  if (values.state !== kept.values.state) await setState(work, id, values.state)
}

/** The stores of an installation, each by its customer code. None is ever removed. */
export const customers: TableOf<InstallationWork> = {
  ...{ name: 'customers', columns, keys: ['code'] },
  hears: ({ named }, { code }) => typeof code === 'string' && named.add(code),
  find: (work, given) => read(work, textsOf(given, 'code')),
  check: async (work, pairs) => {
    const complaints: Complaint[][] = []
    for (const { values, kept } of pairs) complaints.push(await judge(work, values, kept))
    return complaints
  },
  write: async (work, changes) => {
    for (const change of changes) await write(work, change)
  },
  all: async function* (work) {
    const rows = await read(work, null)
    if (rows.length > 0) yield rows
  },
  remove: async () => 0,
  count: async ({ db }) =>
    (await db.$client.query<{ count: number }>('SELECT count(*)::int AS count FROM customers')).rows[0]!.count,
}
