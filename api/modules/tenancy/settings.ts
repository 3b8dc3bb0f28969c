import { type AuditActor, audit } from '#api/platform/audit.ts'
import type { Ctx, Customer, PaymentAccount } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { checkSettings, namesRouteRules, readSetting, type SettingProblem } from './check-settings.ts'
import { hasPrices, lockSettings, readOwnHosts, settingsOf, updateSettings } from './settings.queries.ts'
import { savePaymentAccount } from './tenancy.queries.ts'

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

/** The currency cannot change while prices in it exist. */
const currencyProblems = async (db: TenantDb, id: CustomerId, before: SiteSettings, after: SiteSettings) => {
  if (before.base.currency === after.base.currency) return []
  if (!(await hasPrices(db, id))) return []
  const message = `cannot be changed from ${before.base.currency}, because products or plans have prices in it`
  return [{ field: 'base.currency', value: after.base.currency, message }]
}
/** Returns the changed settings, or why they are invalid. */
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

type SettingsCtx = Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> }

/**
 * Changes a store's settings in the owner's transaction, after any concurrent change or import. An
 * invalid setting prevents the whole change.
 */
export const changeSettings = async (
  ctx: SettingsCtx,
  by: AuditActor,
  given: Record<string, unknown>,
): Promise<SettingsChange> => {
  await lockSettings(ctx.db, ctx.customer.id)
  return changeSettingsInImport(ctx, by, given)
}

/** Changes settings as part of an import, which holds their lock in a transaction of its own. */
export const changeSettingsInImport = async (
  { db, customer, clock }: SettingsCtx,
  by: AuditActor,
  given: Record<string, unknown>,
): Promise<SettingsChange> => {
  // This lock mode does not block inserts of members and orders.
  const before = await settingsOf(db, customer.id, 'FOR NO KEY UPDATE')
  const { settings, problems, changes } = await validateSettings(db, customer.id, before, given)
  if (problems.length > 0) return { settings: before, changes: [], problems }
  if (changes.length > 0) {
    await updateSettings(db, customer.id, settings)
    const entry = { actor: by, action: 'settings.changed', subject: 'settings', detail: { changes } }
    await audit({ db, customer, clock }, entry)
  }
  return { settings, changes, problems }
}

/**
 * Sets a store's account at a payment provider for new payments. Earlier payments are still queried
 * and refunded at their own account. `secrets` are encrypted; the audit log has only their names.
 */
export const choosePaymentAccount = async (
  ctx: Ctx,
  actor: AuditActor,
  account: Omit<PaymentAccount, 'active'>,
  secretNames: readonly string[],
): Promise<void> => {
  const { provider, options } = account
  await savePaymentAccount(ctx.db, ctx.customer.id, { ...account, active: true }, ctx.clock.now())
  await audit(ctx, {
    actor,
    action: 'payment-provider.chosen',
    subject: `payment-provider:${provider}`,
    detail: { options, secrets: [...secretNames] },
  })
}
