import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { type AuditActor, audit, changesOf, historyOf } from '#api/platform/audit.ts'
import { type Ctx, type Customer, type Failure, failure } from '#api/platform/context.ts'
import { bindTenant, createClient, type TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { schemaRefusals } from '#api/platform/db/migrate.ts'
import { isLocalHost } from '#api/platform/http/public-requests.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { TryState } from '#contract/admin/store.ts'
import { type CustomerCode, type CustomerId, customerCode } from '#contract/ids.ts'
import { errorCode } from '#contract/safe-error.ts'
import { storeStateOf } from '#contract/store-state.ts'
import { type Maintenance, type SiteSettings, siteSettings } from '#contract/tenancy.ts'
import { deleteVerifications, hostsOfOtherStores, readOwnHosts, updateHosts } from './domains.queries.ts'
import {
  bringBack,
  type Environment,
  findStoresByCodeOrHosts,
  insertStore,
  moveVersion,
  readMode,
  readModeIn,
  readStateForUpdate,
  readStores,
  type StoreListing,
  setClosed,
  setOpened,
  setOpenedAlone,
  takeOffline,
  updateMaintenance,
  writeMode,
} from './tenancy.queries.ts'

export interface NewCustomer {
  /** Set if the id is known before the store exists. */
  id?: CustomerId
  code: CustomerCode
  settings: SiteSettings
  hosts?: readonly string[]
  isInstallation?: boolean
  useCustomer?: boolean
  useSite?: boolean
  /** Whether the store is open to visitors. Defaults to closed. */
  opened?: boolean
}

/** Returns a store as it is created: closed to visitors and without a payment account. */
export const newCustomer = (store: Pick<Customer, 'id' | 'code' | 'settings'>): Customer => ({
  ...store,
  useCustomer: true,
  useSite: true,
  opened: false,
  maintenance: null,
  isInstallation: false,
  paymentAccounts: [],
  version: 1,
})

/**
 * Inserts a store with its hosts. The caller's transaction is bound to the new tenant from then on.
 */
export const insertCustomer = async (
  db: Pick<NodePgDatabase, 'execute' | 'insert'>,
  given: NewCustomer,
): Promise<CustomerId> => {
  const { id = newId<CustomerId>() } = given
  await bindTenant(db, id)
  await insertStore(
    db,
    {
      customerId: id,
      code: customerCode.parse(given.code),
      settings: siteSettings.parse(given.settings),
      useCustomer: given.useCustomer ?? true,
      useSite: given.useSite ?? true,
      opened: given.opened ?? false,
      isInstallation: given.isInstallation ?? false,
    },
    (given.hosts ?? []).map((host) => host.toLowerCase()),
  )
  return id
}

/**
 * A transaction bound to the store. The serving role may open and close a store and change its
 * settings; all else needs the owner's.
 */
type StoreCtx = Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> }

/** Returns why a store cannot have a code or hosts; null if it can. */
export const storeRefusal = async (
  db: TenantDb,
  { code: text, hosts }: { code: string; hosts: readonly string[] },
): Promise<string | null> => {
  const { data: code } = customerCode.safeParse(text)
  if (!code)
    return `${text} cannot be a customer code: it must have at most 40 lower case letters, digits and hyphens, for example acme.`
  const rows = await findStoresByCodeOrHosts(db, code, hosts)
  if (rows.some((row) => row.code === code)) return `There is a store with the customer code ${code} already.`
  const hostOwner = rows.find(({ host }) => host !== null)
  return hostOwner ? `The host ${hostOwner.host} belongs to the store ${hostOwner.code} already.` : null
}

/** Returns every store of the installation with its state and hosts, by code. */
export const listStores = (pool: pg.Pool): Promise<StoreListing[]> => readStores(pool)

/** Changes the state of a store. Returns the states before and after, for the audit log. */
const stateChange = async ({ db, customer }: StoreCtx, write: () => Promise<unknown>) => {
  const read = async () => {
    const row = await readStateForUpdate(db, customer.id)
    return { state: row ? storeStateOf(row) : null }
  }
  const before = await read()
  await write()
  return changesOf(before, await read())
}

/** Takes a store offline: temporarily, or because its contract has ended. */
export const suspendStore = async (
  ctx: StoreCtx,
  by: AuditActor,
  contract: boolean,
  detail: Record<string, unknown> = {},
): Promise<void> => {
  const changes = await stateChange(ctx, () => takeOffline(ctx.db, ctx.customer.id, contract))
  await audit(ctx, { actor: by, action: 'store.closed', subject: 'store', changes, detail: { contract, ...detail } })
}

/** Brings a store back that was offline. One that was not open before stays closed. */
export const resumeStore = async (ctx: StoreCtx, by: AuditActor): Promise<void> => {
  const changes = await stateChange(ctx, () => bringBack(ctx.db, ctx.customer.id))
  await audit(ctx, { actor: by, action: 'store.resumed', subject: 'store', changes })
}

/**
 * The unique constraints across stores. A cluster's coordinator gives their name in the message
 * alone, with the number of the part.
 */
const uniqueIndexes = /^(?:customers_code|customer_codes_code|customer_domains_host)(?:_\d+)?$/

/** Whether a store was refused because another one has just taken its code or a host. */
export const isStoreTaken = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) {
    const constraint = error.constraint ?? /"([^"]+)"/.exec(error.message)?.[1]
    return uniqueIndexes.test(constraint ?? '')
  }
  return error instanceof Error && error.cause !== undefined && isStoreTaken(error.cause)
}

/**
 * Opens a store to visitors, whatever state it had. The audit log names what it lacked (`missing`).
 */
export const openToVisitors = async (ctx: StoreCtx, by: AuditActor, missing: readonly string[]): Promise<void> => {
  const changes = await stateChange(ctx, () => setOpened(ctx.db, ctx.customer.id))
  await audit(ctx, { actor: by, action: 'store.opened', subject: 'store', changes, detail: { missing } })
}

/**
 * Opens a store that is neither suspended nor without a contract. The audit log names what it
 * lacked (`missing`), if anything, and whether it is a try.
 */
export const reopenToVisitors = async (
  ctx: StoreCtx,
  by: AuditActor,
  { missing, isTry }: { missing: readonly string[]; isTry: boolean },
): Promise<void> => {
  await setOpenedAlone(ctx.db, ctx.customer.id)
  const changes = changesOf({ opened: false }, { opened: true })
  const detail = missing.length > 0 ? { missing, isTry } : {}
  await audit(ctx, { actor: by, action: 'store.opened', subject: 'store', changes, detail })
}

/**
 * Whether a store is open for a try, or was closed because others can reach it now. The audit log
 * knows.
 */
export const tryStateOf = async (ctx: StoreCtx, { opened }: Pick<Customer, 'opened'>): Promise<TryState | null> => {
  const [latest] = await historyOf(ctx, 'store', opened ? 'store.opened' : 'store.closed')
  if (opened) return latest?.detail.isTry === true ? 'RUNNING' : null
  return latest?.detail.endsTry === true ? 'ENDED' : null
}

/**
 * Closes a store that is open for a try, once visitors reach it at one of the hosts: it may lack
 * what they need. It is as it was before the try.
 */
export const endTry = async (ctx: StoreCtx, by: AuditActor, hosts: readonly string[]): Promise<void> => {
  const host = hosts.find((each) => !isLocalHost(each))
  const state = host === undefined ? undefined : await readStateForUpdate(ctx.db, ctx.customer.id)
  if (!state?.opened || (await tryStateOf(ctx, state)) === null) return
  await setClosed(ctx.db, ctx.customer.id, null)
  const changes = changesOf({ opened: true }, { opened: false })
  const detail = { host, endsTry: true }
  await audit(ctx, { actor: by, action: 'store.closed', subject: 'store', changes, detail })
}

/** The fields of the audit log: a text for each language. */
const auditFieldsOf = ({ texts, backAt }: Maintenance) => ({
  ...Object.fromEntries(Object.entries(texts).map(([language, text]) => [`text.${language}`, text])),
  backAt,
})

/** Closes an open store to visitors, who read why and until when. */
export const closeToVisitors = async (
  ctx: StoreCtx,
  by: AuditActor,
  maintenance: Maintenance = { texts: {}, backAt: null },
): Promise<void> => {
  await setClosed(ctx.db, ctx.customer.id, maintenance)
  const changes = changesOf<object>({ opened: true }, { opened: false, ...auditFieldsOf(maintenance) })
  await audit(ctx, { actor: by, action: 'store.closed', subject: 'store', changes })
}

/** Changes what visitors read while a store is closed. The same text and time change nothing. */
export const changeMaintenance = async (
  ctx: StoreCtx,
  by: AuditActor,
  { before, after }: { before: Maintenance; after: Maintenance },
): Promise<void> => {
  const changes = changesOf<object>(auditFieldsOf(before), auditFieldsOf(after))
  if (Object.keys(changes).length === 0) return
  await updateMaintenance(ctx.db, ctx.customer.id, after)
  await audit(ctx, { actor: by, action: 'store.maintenance-changed', subject: 'store', changes })
}

/**
 * Makes every process read again what it has cached of a store, because a time has come. Returns
 * the store's new version; null if another change since `version` has done that already.
 */
export const invalidatePages = (db: TenantDb, store: Pick<Customer, 'id' | 'version'>): Promise<number | null> =>
  moveVersion(db, store)

/**
 * Adds and removes hosts of a store. Idempotent. Failure: CONFLICT if a host belongs to another
 * store.
 */
export const changeHosts = async (
  ctx: StoreCtx,
  by: AuditActor,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Promise<Failure | undefined> => {
  const [other] = await hostsOfOtherStores(ctx.db, ctx.customer.id, added)
  if (other)
    return failure('CONFLICT', {
      errors: { hosts: [`The host ${other.host} already belongs to the store ${other.code}.`] },
    })
  const hosts = async () => ({ domains: (await readOwnHosts(ctx.db, ctx.customer.id)).toSorted() })
  const before = await hosts()
  await updateHosts(ctx.db, ctx.customer.id, { added, removed })
  await deleteVerifications(ctx.db, ctx.customer.id, removed)
  const changes = changesOf(before, await hosts())
  await audit(ctx, { actor: by, action: 'domains.changed', subject: 'store', changes })
  await endTry(ctx, by, added)
  return undefined
}

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01'

const onClient = async <Answer>(url: string, work: (client: pg.Client) => Promise<Answer>) => {
  const client = createClient({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    if (errorCode(error) === undefinedTable) throw new OperatorError(schemaRefusals.OLDER)
    throw error
  } finally {
    await client.end()
  }
}

/**
 * Records how the service runs, so that commands and workers beside it follow the same rules.
 * Production stays production: a demo that is started on its database by mistake must not relax the
 * rules.
 */
export const recordMode = (url: string, mode: Environment) => onClient(url, (client) => writeMode(client, mode))

/** Returns the recorded mode of the service, or null before its first start. */
export const recordedMode = (url: string): Promise<Environment | null> => onClient(url, readMode)

/** Returns the recorded mode of the service within a transaction. */
export const recordedModeIn = (db: TenantDb): Promise<Environment | null> => readModeIn(db)
