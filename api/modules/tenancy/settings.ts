import { createHash } from 'node:crypto'
import { type AuditActor, audit, changesOf, historyOf } from '#api/platform/audit.ts'
import { type Ctx, type Customer, type Failure, failure, type PaymentAccount } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { StoreSettings } from '#contract/admin/settings.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import {
  checkSettings,
  isObject,
  namedSettings,
  namesRouteRules,
  readSetting,
  type SettingProblem,
} from './check-settings.ts'
import { readOwnHosts } from './domains.queries.ts'
import {
  hasPrices,
  lockSettings,
  readPaymentAccounts,
  savePaymentAccount,
  settingsOf,
  updateSettings,
} from './tenancy.queries.ts'

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
  values: Record<string, unknown>,
): Promise<SettingsChange> => {
  const ownHosts = namesRouteRules(values) ? await readOwnHosts(db, id) : []
  const { settings, problems, changes: names } = checkSettings(before, values, ownHosts)
  const changes = names.map((name) => ({
    name,
    from: readSetting(before, name) ?? null,
    to: readSetting(settings, name) ?? null,
  }))
  return { settings, changes, problems: [...problems, ...(await currencyProblems(db, id, before, settings))] }
}

const subject = 'settings'

type SettingsCtx = Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> }

/**
 * Changes a store's settings in the owner's transaction, after any concurrent change or import. An
 * invalid setting prevents the whole change.
 */
export const changeSettings = async (
  ctx: SettingsCtx,
  by: AuditActor,
  values: Record<string, unknown>,
): Promise<SettingsChange> => {
  await lockSettings(ctx.db, ctx.customer.id)
  return changeSettingsInImport(ctx, by, values)
}

/** Changes settings as part of an import, which holds their lock in a transaction of its own. */
export const changeSettingsInImport = async (
  { db, customer, clock }: SettingsCtx,
  by: AuditActor,
  values: Record<string, unknown>,
): Promise<SettingsChange> => {
  // This lock mode does not block inserts of members and orders.
  const before = await settingsOf(db, customer.id, 'FOR NO KEY UPDATE')
  const { settings, problems, changes } = await validateSettings(db, customer.id, before, values)
  if (problems.length > 0) return { settings: before, changes: [], problems }
  if (changes.length > 0) {
    await updateSettings(db, customer.id, settings)
    await audit(
      { db, customer, clock },
      {
        actor: by,
        action: 'settings.changed',
        subject,
        changes: changesOf(namedSettings(before), namedSettings(settings)),
      },
    )
  }
  return { settings, changes, problems }
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest().subarray(0, 3).toString('base64url')
const fingerprintSize = 4
const versionMark = 's1.'

/**
 * A text that says of each setting by itself whether it has changed: a fingerprint of each name and
 * of its value. So two people who change different settings do not collide.
 */
const versionOfSettings = (settings: SiteSettings): string =>
  versionMark +
  Object.entries(namedSettings(settings))
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => fingerprint(name) + fingerprint(JSON.stringify(value)))
    .sort()
    .join('')

/** The fingerprints of values in a version, by those of names. Null for another text. */
const fingerprintsIn = (version: string): ReadonlyMap<string, string> | null => {
  const text = version.replaceAll('"', '')
  if (!text.startsWith(versionMark)) return null
  const pairs = text.slice(versionMark.length).match(/.{8}/g) ?? []
  return new Map(pairs.map((pair) => [pair.slice(0, fingerprintSize), pair.slice(fingerprintSize)]))
}

/** The names of the settings in a change, as `namedSettings` has them. */
const namesIn = (change: Record<string, unknown>): string[] => {
  const given = (values: Record<string, unknown>) => Object.keys(values).filter((name) => values[name] !== undefined)
  return given(change).flatMap((group) => {
    const values = change[group]
    if (!isObject(values)) return [group]
    if (group !== 'translations') return given(values).map((name) => `${group}.${name}`)
    return given(values).flatMap((language) => {
      const texts = values[language]
      return isObject(texts) ? given(texts).map((name) => `${name}.${language}`) : []
    })
  })
}

/**
 * Refuses a change of settings that are not as the caller saw them. Failures: VERSION_MISSING,
 * VERSION_CONFLICT with the present version and the latest changes of these settings.
 */
const refuseOldSettings = async (
  ctx: Ctx,
  { expected, settings, names }: { expected: string | null; settings: SiteSettings; names: readonly string[] },
): Promise<Failure | null> => {
  if (expected === null) return failure('VERSION_MISSING')
  const version = versionOfSettings(settings)
  const [seen, present] = [fingerprintsIn(expected), fingerprintsIn(version)]
  const changed = names.filter((name) => !seen || seen.get(fingerprint(name)) !== present?.get(fingerprint(name)))
  if (seen && changed.length === 0) return null
  const history = await historyOf(ctx, subject)
  const changes = history.filter((entry) => changed.some((name) => name in (entry.changes ?? {})))
  return failure('VERSION_CONFLICT', { data: { version, changes: (seen ? changes : history).slice(0, 5) } })
}

/** The settings as operators edit them. */
export const viewSettings = async (ctx: Ctx): Promise<StoreSettings> => {
  const { db, customer } = ctx
  const settings = await settingsOf(db, customer.id)
  return {
    settings,
    version: versionOfSettings(settings),
    hasPrices: await hasPrices(db, customer.id),
    history: await historyOf(ctx, subject),
  }
}

/** A sentence about each refused setting, in the caller's language. */
const sentencesOf = (problems: readonly SettingProblem[], { locale, customer }: Ctx): Record<string, string[]> => {
  const i18n = messagesOf(locale)
  const { currency } = customer.settings.base
  const picture = i18n._('Upload a picture, or enter its address, for example https://example.com/logo.svg.')
  const sentences: Record<string, string> = {
    'base.faviconPublicUrl': picture,
    'base.logoPublicUrl': picture,
    'base.logoDarkPublicUrl': picture,
    'seo.ogImagePublicUrl': picture,
    'base.currency': i18n._('The currency must be {currency}, because products or plans have prices in it.', {
      currency,
    }),
    'base.locale': i18n._('Choose one of the languages of the store.'),
    'base.locales': i18n._('Include the default language.'),
    'base.timeZone': i18n._('Enter a time zone, for example Asia/Seoul.'),
    'base.dateFormat': i18n._('Use yyyy, mm and dd once each, for example yyyy/mm/dd.'),
    'theme.accent': i18n._('Enter a color in the form #rrggbb, for example #2563eb.'),
    'seo.publicUrl': i18n._('Enter an address without a path, for example https://films.example.com.'),
    'business.email': i18n._('Enter an email address, for example help@example.com.'),
    translations: i18n._('Translate into the other languages of the store alone.'),
    redirectOrigins: i18n._('Enter addresses without a path, for example https://example.com.'),
    // Of one rule.
    from: i18n._('Enter an address of this store without ? and #, for example /films/:name.'),
    to: i18n._(
      'Enter an address of this store, for example /products/:name, or of one of the other sites that you have named.',
    ),
  }
  const otherwise = i18n._('Check this value and enter it again.')
  const together = {
    DUPLICATE: i18n._('Another redirect above leads this old address elsewhere already.'),
    NEEDED_PAGE: i18n._('Visitors need this page to sign in or to buy, so it cannot lead elsewhere.'),
    LOOP: i18n._('This redirect leads back to its old address, by itself or with others. Enter another address.'),
    TOO_MANY: i18n._('Too many redirects have names such as :name. Remove some, or write their addresses out.'),
  }
  const sentenceOf = ({ field, code }: SettingProblem) =>
    code ? together[code] : (sentences[field.replace(/^routeRules\[\d+\]\./, '')] ?? otherwise)
  return Object.fromEntries(problems.map((problem) => [problem.field, [sentenceOf(problem)]]))
}

/**
 * Changes the settings as the caller saw them: `expected` is the value of `If-Match`. What others
 * have changed of other settings is no conflict. Failures: VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED.
 */
export const changeSettingsAsSeen = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  values: Record<string, unknown>,
): Promise<StoreSettings | Failure> => {
  const { db, customer } = ctx
  await lockSettings(db, customer.id)
  const settings = await settingsOf(db, customer.id, 'FOR NO KEY UPDATE')
  const refused = await refuseOldSettings(ctx, { expected, settings, names: namesIn(values) })
  if (refused) return refused
  const { problems } = await changeSettingsInImport(ctx, by, values)
  return problems.length > 0 ? failure('VALIDATION_FAILED', { errors: sentencesOf(problems, ctx) }) : viewSettings(ctx)
}

/** What the audit log calls the accounts of a store at payment providers. */
export const paymentAccountsSubject = 'payment-accounts'

/**
 * Sets a store's account at a payment provider for new payments. Earlier payments are still queried
 * and refunded at their own account. `secrets` are encrypted; the audit log has only their names.
 */
export const choosePaymentAccount = async (
  ctx: Ctx,
  actor: AuditActor,
  account: Omit<PaymentAccount, 'active'>,
  secretNames: { stored: readonly string[]; changed: readonly string[] },
): Promise<void> => {
  const before = await readPaymentAccounts(ctx.db, ctx.customer.id)
  const { provider, options } = account
  await savePaymentAccount(ctx.db, ctx.customer.id, { ...account, active: true }, ctx.clock.now())
  const optionsBefore = before.find((each) => each.provider === provider)?.options ?? {}
  await audit(ctx, {
    actor,
    action: 'payment-provider.chosen',
    subject: paymentAccountsSubject,
    changes: {
      ...changesOf({ provider: before.find(({ active }) => active)?.provider ?? null }, { provider }),
      ...changesOf(optionsBefore, options),
    },
    detail: { provider, secrets: [...secretNames.stored], changedSecrets: [...secretNames.changed] },
  })
}
