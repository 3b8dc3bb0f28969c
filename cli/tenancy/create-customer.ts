import { type LaunchItem, launchChecklist } from '#api/modules/admin/launch-checklist.ts'
import { starterSettings } from '#api/modules/admin/store-lifecycle.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { firstTokenDays, importNewStore } from '#api/modules/import-export/installation.ts'
import type { SourceFiles } from '#api/modules/import-export/tables/cell-formats.ts'
import { checkSettings, refusedValue, settingNames } from '#api/modules/tenancy/check-settings.ts'
import { newCustomer, storeRefusal } from '#api/modules/tenancy/store-states.ts'
import { createPreviewToken, resolveCustomer, storeOrigins } from '#api/modules/tenancy/stores.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { Locale } from '#contract/enumerations.ts'
import { type CustomerId, customerCode } from '#contract/ids.ts'
import { queueImportedVideos } from '../import-export/add-videos.ts'
import { printImport, refuseProblems } from '../import-export/print-import.ts'
import { asProblems, changeArranged, readSettings } from '../import-export/read-settings.ts'
import { readStart, type Start } from '../import-export/read-source.ts'
import { sourceFiles } from '../import-export/source-files.ts'
import { actorOf, type Opened, open } from '../platform/open.ts'
import { asOwner, ownedBy, storeOf } from '../platform/owner.ts'
import { formatTime } from '../platform/print.ts'

export interface CreateOptions {
  by?: string
  code: string
  name: string
  host: string[]
  locale: Locale
  currency: string
  timezone: string
  from?: string
  dryRun?: true
  keepSources?: true
  newDatabase?: true
}

/** Returns what a store lacks. With `closed` false, omits that it is closed. */
export const checklistOf = async (opened: Opened, code: string, { closed = true } = {}) => {
  const { deps } = opened
  const store = await storeOf(opened, code)
  const customer = closed ? store : { ...store, useCustomer: true, useSite: true, opened: true }
  const facts = { sendsMail: deps.mailer !== null, environment: opened.environment }
  return withTenant(deps.pool, customer.id, (db) => launchChecklist({ db, customer }, facts))
}

/** Returns an item of the checklist with the lines that mend it, indented. */
export const describeItem = ({ state, what, fix }: LaunchItem) =>
  [`${state === 'MISSING' ? '✗' : '·'} ${what}`, ...fix.map((line) => `    ${line}`)].join('\n')

export const printChecklist = async (opened: Opened, code: string) => {
  const items = await checklistOf(opened, code)
  const missing = items.filter(({ state }) => state === 'MISSING').length
  if (missing === 0)
    console.log(items.length === 0 ? 'Nothing is missing.' : 'Nothing required is missing. Recommended:')
  for (const item of items) console.log(describeItem(item))
  return missing
}

export const addressesOf = async ({ deps }: Opened, code: string) => {
  const customer = await resolveCustomer(deps, code)
  return customer ? storeOrigins(deps, customer) : []
}

const nothing = 'No store was created'

/** The settings from the command's options. Imported settings override them. */
const settingsOf = ({ name, locale, currency, timezone: timeZone }: CreateOptions, today: string) => {
  const starter = starterSettings({ name, locale, currency, timeZone }, today)
  const { settings, problems } = checkSettings(starter, { base: { name, currency, timeZone } })
  for (const { field, value, message } of problems) console.error(`${field}: “${value}” ${message}.`)
  if (problems.length > 0) throw new OperatorError(`${nothing}.`)
  return settings
}

/** The required options of a new store, with an example of each. */
const needed = {
  code: 'its customer code, for example --code acme',
  name: 'the store name that visitors see, for example --name "Acme Films"',
  currency: 'the currency of all prices, for example --currency KRW',
  timezone: 'the time zone of the store, for example --timezone Asia/Seoul',
} as const
type ResolvedOptions = Omit<CreateOptions, keyof typeof needed> & Partial<CreateOptions>

const isComplete = (options: ResolvedOptions): options is CreateOptions =>
  Object.keys(needed).every((name) => Boolean(Reflect.get(options, name)))

/** Returns the preview link of a store, null if it has no host, and its expiry. */
export const previewLinkOf = async (opened: Opened, code: string, validMilliseconds: number) => {
  const { deps } = opened
  const customer = await storeOf(opened, code)
  const [address] = await addressesOf(opened, code)
  const expiresAt = new Date(deps.clock.now().getTime() + validMilliseconds)
  const link = address ? `${address}/?preview=${createPreviewToken(deps.secret, customer.id, expiresAt)}` : null
  return { link, expires: formatTime(expiresAt, customer.settings.base.timeZone) }
}

const week = 7 * dayMilliseconds

/** Returns all missing and invalid options at once. */
const wrongIn = async (opened: Opened, options: ResolvedOptions): Promise<string[]> => {
  const { code, host: hosts, currency, timezone } = options
  const missing = Object.entries(needed).filter(([name]) => !Reflect.get(options, name))
  const wrong = [
    ['--currency', currency, refusedValue('base.currency', currency)] as const,
    ['--timezone', timezone, refusedValue('base.timeZone', timezone)] as const,
  ]
  const refusal = code ? await asOwner(opened, (db) => storeRefusal(db, { code, hosts })) : null
  return [
    ...missing.map(([name, what]) => `--${name} is missing: ${what}.`),
    ...wrong.flatMap(([name, value, message]) => (value && message ? [`${name}: “${value}” ${message}.`] : [])),
    ...(refusal ? [refusal] : []),
  ]
}

/** Returns the store that the options and the imported settings describe. It is not created yet. */
const readStore = async ({ deps }: Opened, options: CreateOptions, start: Start | null, files: SourceFiles) => {
  const id = newId<CustomerId>()
  const chosen = settingsOf(options, deps.clock.now().toISOString().slice(0, 10))
  const { values, arranged, uploads, problems: ofPictures } = await readSettings(id, start?.settings ?? {}, files)
  const checked = checkSettings(chosen, values)
  const problems = asProblems([...ofPictures, ...checked.problems], start?.settingsFile)
  const settings = problems.length > 0 ? chosen : checked.settings
  const customer = newCustomer({ id, code: customerCode.parse(options.code), settings })
  return { customer, arranged, uploads, problems, changes: checked.changes.length }
}

const printNextSteps = async (opened: Opened, code: string) => {
  console.log('\nVisitors see a coming-soon page. This link shows you the store for a week:')
  const { link } = await previewLinkOf(opened, code, week)
  console.log(
    `  ${link ?? `none yet, because the store has no host (npm run cli -- customer domains ${code} --add films.example.com)`}`,
  )
  console.log('\nBefore opening to the public:\n')
  await printChecklist(opened, code)
}

/** Creates a store, imports its initial content, and prints what is still missing. */
export const create = async (resolved: ResolvedOptions) => {
  await using opened = await open({ newDatabase: resolved.newDatabase === true })
  const { deps } = opened
  const wrong = await wrongIn(opened, resolved)
  for (const problem of wrong) console.error(problem)
  if (wrong.length > 0 || !isComplete(resolved)) throw new OperatorError(`${nothing}.`)
  const options: CreateOptions = resolved
  const { code, host: hosts, from, dryRun: dry = false } = options
  const by = actorOf({ customer: code, ...options })
  const start = from === undefined ? null : await readStart(from)
  const files = sourceFiles(start?.folder ?? '.')
  const { customer, arranged, uploads, problems, changes } = await readStore(opened, options, start, files)
  const ctx = ownedBy(opened, unattendedPaymentCtx(deps, customer, 'cli'))
  const { report, token } = await importNewStore(
    {
      ...ctx,
      storage: deps.storage,
      files,
      withTables: async (tx) => asProblems((await changeArranged(tx, by, arranged)).problems, start?.settingsFile),
    },
    { hosts, uploads, problems, sources: start?.sources ?? [], by, dry },
  )
  refuseProblems(report, nothing)
  const filled = report.tables.length > 0
  const printTables = () => printImport(report, { changes, of: settingNames.length }, { dry, code })
  if (dry) return filled ? printTables() : console.log(`Dry run: ${code} can be created. No changes were saved.`)

  console.log(`Created ${options.name} (customer code ${code}).`)
  for (const address of await addressesOf(opened, code)) console.log(`  ${address}`)
  console.log(`\nOperator token for uploading videos, valid for ${firstTokenDays} days and shown only once: ${token}`)
  if (filled) {
    console.log('')
    printTables()
    const created = unattendedPaymentCtx(deps, await storeOf(opened, code), 'cli')
    await queueImportedVideos(created, deps, by, report.videos, { files, keepSources: options.keepSources === true })
  }
  await printNextSteps(opened, code)
}
