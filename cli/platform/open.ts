import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '#api/config.ts'
import { createDeps, type Deps } from '#api/deps.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import type { Ctx } from '#api/platform/context.ts'
import { expectAnswer, type Failure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { type Environment, readEnvironment } from '#server/environment.ts'
import { requireDatabase, withRecordedMode } from '#server/installed-database.ts'
import { type OpenDatabase, openDatabase } from '#server/open-database.ts'
import { loadOrCreateSecret } from '#server/secret.ts'
import { failureSentence } from './failures.ts'

/** The options of every command of one store. */
export interface StoreOptions {
  customer: string
  by?: string
}

export interface Opened extends AsyncDisposable {
  deps: Deps
  database: OpenDatabase
  environment: Config['environment']
}

const remedy =
  'start it with npm start or npm run demo, or add --new-database to npm run cli -- customer create or customer import'

/** Returns the location of the database, without its password. */
const describeDatabase = ({ database, dataFolder, environment }: Config, { file, isFromFile }: Environment) => {
  const url = database?.url ?? database?.ownerUrl
  if (!url) return `Database: embedded in ${join(dataFolder, 'postgres')} (${environment})`
  const { host, pathname } = new URL(url)
  const from = isFromFile(database?.url ? 'DATABASE_URL' : 'DATABASE_OWNER_URL') ? `, from ${file}` : ''
  return `Database: ${pathname.slice(1)} at ${host} (${environment}${from})`
}

let printedDatabase = ''

/** Prints once per command, even if it opens the database several times. */
const printDatabase = (line: string) => {
  if (line !== printedDatabase) console.error(line)
  printedDatabase = line
}

/**
 * Opens the installation's data, with or without a running service. Creates an embedded database
 * only with `newDatabase`.
 *
 * @throws OperatorError when there is no database
 */
export const open = async ({ newDatabase = false } = {}): Promise<Opened> => {
  await using opened = new AsyncDisposableStack()
  const environment = readEnvironment()
  const fileConfig = readConfig({ LOG_LEVEL: 'warn', ...environment.variables })
  if (!newDatabase) requireDatabase(fileConfig, environment, remedy)
  const database = opened.use(await openDatabase(fileConfig, () => {}, { join: true }))
  const config = await withRecordedMode(fileConfig, database.url, environment.variables.NODE_ENV)
  printDatabase(describeDatabase(config, environment))
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataFolder))
  const deps = opened.use(createDeps({ databaseUrl: database.url, jobsDatabaseUrl: database.jobsUrl, secret, config }))
  await deps.storeClock?.refresh()
  const closing = opened.move()
  return { deps, database, environment: config.environment, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** Returns the actor for the audit log: `--by`, else the name of the system account. */
export const actorOf = ({ by }: StoreOptions): AuditActor => `admin:${(by ?? userInfo().username).slice(0, 80)}`

/** Ends the command with the message of an expected failure. `missing` is that of NOT_FOUND. */
export const done = <Answer>(answer: Answer, missing?: string) =>
  expectAnswer(answer, (failed) => {
    throw new OperatorError(failureSentence(failed, missing))
  })

const missingFrom = (code: string, subject: string | undefined) => subject && `Store ${code} has no ${subject}.`

/**
 * Runs a use case that calls the payment provider. `subject` is what the command names, for the
 * message of NOT_FOUND.
 */
export const inStore = async <Answer>(
  { customer: code }: StoreOptions,
  work: (ctx: PaymentCtx, deps: Deps) => Promise<Answer>,
  subject?: string,
): Promise<Exclude<Answer, Failure>> => {
  await using opened = await open()
  const customer = await resolveCustomer(opened.deps, code)
  if (!customer) throw new OperatorError(`There is no store with the customer code ${code}.`)
  return done(await work(unattendedPaymentCtx(opened.deps, customer, 'cli'), opened.deps), missingFrom(code, subject))
}

/**
 * Runs a use case in one transaction of the store. Returns its answer, and the time zone to print
 * it in.
 */
export const transactWithZone = <Answer>(
  options: StoreOptions,
  work: (ctx: Ctx) => Promise<Answer>,
  subject?: string,
) =>
  transact(options, async (ctx) => ({
    answer: done(await work(ctx), missingFrom(options.customer, subject)),
    timeZone: ctx.customer.settings.base.timeZone,
  }))

/** Runs a use case in one transaction of the store. */
export const transact = <Answer>(options: StoreOptions, work: (ctx: Ctx) => Promise<Answer>, subject?: string) =>
  inStore(options, (ctx) => ctx.inTransaction(work), subject)
