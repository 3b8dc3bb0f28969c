import { type AuditActor, audit } from '#api/platform/audit.ts'
import type { Ctx, Customer } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { checkSettings, namesRouteRules, readSetting, type SettingProblem } from './check-settings.ts'

/** A setting with its value before and after. */
export interface SettingChange {
  name: string
  from: unknown
  to: unknown
}

export interface SettingsChange {
  settings: SiteSettings
  changes: SettingChange[]
  problems: SettingProblem[]
}

/**
 * Makes imports of a store's catalogue and changes of its settings come one after the other, until the transaction ends: what is
 * imported is priced in the currency of the settings.
 */
export const lockSettings = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [customerId])

export const settingsOf = async (db: TenantDb, customerId: CustomerId, lock = ''): Promise<SiteSettings> => {
  const { rows } = await db.$client.query<{ settings: SiteSettings }>(
    `SELECT settings FROM customers WHERE customer_id = $1 ${lock}`,
    [customerId],
  )
  return rows[0]!.settings
}

/** Prices that stand are in the currency the store has. */
const currencyProblems = async (db: TenantDb, id: CustomerId, before: SiteSettings, after: SiteSettings) => {
  if (before.base.currency === after.base.currency) return []
  const { rows } = await db.$client.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM products WHERE customer_id = $1) OR EXISTS (SELECT FROM plans WHERE customer_id = $1) AS any',
    [id],
  )
  if (!rows[0]?.any) return []
  const right = `must stay ${before.base.currency}: the store has products or plans in it`
  return [{ field: 'base.currency', value: after.base.currency, right }]
}

const readOwnHosts = async (db: TenantDb, id: CustomerId): Promise<string[]> => {
  const { rows } = await db.$client.query<{ host: string }>(
    'SELECT host FROM customer_domains WHERE customer_id = $1',
    [id],
  )
  return rows.map(({ host }) => host)
}

/** What settings become with what is given, and why they may not. */
export const validateSettings = async (
  db: TenantDb,
  id: CustomerId,
  before: SiteSettings,
  given: Record<string, unknown>,
): Promise<SettingsChange> => {
  const ownHosts = namesRouteRules(given) ? await readOwnHosts(db, id) : []
  const { settings, problems, changes: names } = checkSettings(before, given, ownHosts)
  const changes = names.map((name) => ({
    name,
    from: readSetting(before, name) ?? null,
    to: readSetting(settings, name) ?? null,
  }))
  return { settings, changes, problems: [...problems, ...(await currencyProblems(db, id, before, settings))] }
}

/**
 * Changes a store's settings, on the owner's connection and in its transaction, once it is its turn. Where something is wrong, nothing
 * changes.
 */
export const changeSettings = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> },
  by: AuditActor,
  given: Record<string, unknown>,
): Promise<SettingsChange> => {
  // Members and orders may come meanwhile.
  const before = await settingsOf(db, customer.id, 'FOR NO KEY UPDATE')
  const { settings, problems, changes } = await validateSettings(db, customer.id, before, given)
  if (problems.length > 0) return { settings: before, changes: [], problems }
  if (changes.length > 0) {
    await db.$client.query('UPDATE customers SET settings = $2 WHERE customer_id = $1', [customer.id, settings])
    const entry = { actor: by, action: 'settings.changed', subject: 'settings', detail: { changes } }
    await audit({ db, customer, clock }, entry)
  }
  return { settings, changes, problems }
}
