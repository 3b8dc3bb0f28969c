import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createPortOneProvider } from '#api/modules/billing/providers/portone/provider.ts'
import { createStripeProvider } from '#api/modules/billing/providers/stripe/provider.ts'
import { choosePaymentAccount, paymentAccountsSubject } from '#api/modules/tenancy/settings.ts'
import { lockSettings, readPaymentAccounts } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import {
  type Ctx,
  type Customer,
  type Failure,
  failure,
  isFailure,
  type PaymentAccount,
} from '#api/platform/context.ts'
import { decrypt, encrypt } from '#api/platform/crypto.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  type PaymentAccountChange,
  type PaymentAccounts,
  type PaymentProviderName,
  paymentProviderName,
} from '#contract/admin/payments.ts'
import { customerBase } from '#contract/http.ts'
import { absentProvider, type KnownReferences, type PaymentProvider } from './providers/provider.ts'

/** A tenant's account at a provider. `options` are not secret, `secrets` are already decrypted. */
export interface ProviderAccount {
  provider: string
  options: Record<string, string>
  secrets: Record<string, string>
}

export interface ProviderFacts {
  sandbox: PaymentProvider
  references: KnownReferences
  /** Encrypts the request of a store page into its address. */
  pageSecret: string
}

interface Needs {
  options: readonly string[]
  secrets: readonly string[]
  /** Optional settings of an account. */
  optional: readonly string[]
  /**
   * Optional settings that name other servers. Only the command sets them: from the console they
   * would let staff of a store send the service to any address.
   */
  internal: readonly string[]
}

/**
 * The settings that each provider's account requires. The operator's command prompts for them, and
 * an incomplete account is not created.
 */
export const providerNeeds = {
  sandbox: { options: [], secrets: [], optional: [], internal: [] },
  // `pageOrigin`: Checkout's address, if it uses a domain of the store.
  stripe: {
    options: [],
    secrets: ['secretKey', 'webhookSecret'],
    optional: [],
    internal: ['apiUrl', 'pageOrigin', 'timeoutSeconds'],
  },
  // `bank` and `bankChannelKey` enable deposits, `billingChannelKey` stored cards. `gatewayOrigins`
  // are those of scripts that the gateway loads.
  portone: {
    options: ['storeId', 'channelKey'],
    secrets: ['apiSecret', 'webhookSecret'],
    optional: ['bank', 'bankChannelKey', 'billingChannelKey'],
    internal: ['gatewayOrigins', 'apiUrl', 'scriptUrl', 'timeoutSeconds'],
  },
} as const satisfies Record<PaymentProviderName, Needs>

/** Whether a payment provider of this name exists. */
export const isProvider = (name: string): name is PaymentProviderName => Object.hasOwn(providerNeeds, name)

/** Returns the names of an account's missing settings. Empty if it is complete. */
export const missingFrom = ({
  provider,
  options,
  secrets,
}: ProviderAccount & { provider: PaymentProviderName }): string[] => {
  const needs: Needs = providerNeeds[provider]
  return [...needs.options.filter((name) => !options[name]), ...needs.secrets.filter((name) => !secrets[name])]
}

/**
 * Returns the provider of an account. The same account returns the same instance.
 *
 * @throws if the account is incomplete.
 */
export const createProviders = ({ sandbox, references, pageSecret }: ProviderFacts) => {
  const made = new LRUCache<string, PaymentProvider>({ max: 1000 })

  const make = ({ provider, options, secrets }: ProviderAccount): PaymentProvider => {
    if (!isProvider(provider)) throw new Error(`There is no payment provider called ${provider}`)
    const missing = missingFrom({ provider, options, secrets })
    if (missing.length > 0) throw new Error(`The account at ${provider} lacks its ${missing.join(', ')}`)
    switch (provider) {
      case 'sandbox':
        return sandbox
      case 'stripe':
        return createStripeProvider({
          secretKey: secrets.secretKey ?? '',
          webhookSecret: secrets.webhookSecret ?? '',
          references,
          apiUrl: options.apiUrl,
          pageOrigin: options.pageOrigin,
          timeoutSeconds: options.timeoutSeconds,
        })
      case 'portone': {
        const { storeId = '', channelKey = '', ...rest } = options
        const { apiSecret = '', webhookSecret = '' } = secrets
        return createPortOneProvider({ ...rest, storeId, channelKey, apiSecret, webhookSecret, pageSecret })
      }
      default:
        return provider satisfies never
    }
  }

  return (account: ProviderAccount): PaymentProvider => {
    const key = JSON.stringify(account)
    const cachedProvider = made.get(key)
    if (cachedProvider) return cachedProvider
    const provider = make(account)
    made.set(key, provider)
    return provider
  }
}

/**
 * Secrets from the installation's environment, by provider, for accounts without secrets of their
 * own.
 */
export type InstallationSecrets = Record<string, Record<string, string>>

export interface ChoiceFacts {
  sandbox: PaymentProvider
  /** The provider of stores without an account. Null: such stores cannot sell. */
  byDefault: PaymentProvider | null
  /** Returns the provider of an account. */
  provider: (account: ProviderAccount) => PaymentProvider
  encryptionSecret: string
  installation: InstallationSecrets
  log: Logger
}

/**
 * Returns the provider for a tenant's new payments. With `name`, returns the provider that took an
 * earlier payment, even if the tenant has switched since.
 */
export type ProviderOf = (customer: Pick<Customer, 'code' | 'paymentAccounts'>, name?: string) => PaymentProvider

/** Returns an account's secrets, or those of the installation if it has none. */
export const decryptSecrets = (
  { provider, secrets }: { provider: string; secrets: string | null },
  { encryptionSecret, installation }: Pick<ChoiceFacts, 'encryptionSecret' | 'installation'>,
): Record<string, string> => ({
  ...installation[provider],
  // Secrets are stored as texts by name, in JSON.
  ...(secrets === null ? {} : (JSON.parse(decrypt(encryptionSecret, secrets)) as Record<string, string>)),
})

/** Selects the provider by the tenant's accounts. `byDefault` applies to tenants without one. */
export const createChoice = (facts: ChoiceFacts): ProviderOf => {
  const { sandbox, byDefault, provider, log } = facts
  return ({ code, paymentAccounts }, name) => {
    const account = paymentAccounts.find((candidate) =>
      name === undefined ? candidate.active : candidate.provider === name,
    )
    if (!account) {
      if (name === undefined) return byDefault ?? absentProvider('unset')
      return name === sandbox.name ? sandbox : absentProvider(name)
    }
    try {
      const { options } = account
      return provider({ provider: account.provider, options, secrets: decryptSecrets(account, facts) })
    } catch (error) {
      log.error(
        { err: error, customer: code, provider: account.provider },
        'The configuration of a payment provider is invalid',
      )
      return absentProvider(account.provider)
    }
  }
}

export interface AccountFacts extends Pick<ChoiceFacts, 'encryptionSecret' | 'installation'> {
  /** The provider of new payments. */
  takesPayments: PaymentProvider
  /** The address of the store without a path. */
  origin: string
}

const storedSecretsOf = (account: PaymentAccount | undefined, encryptionSecret: string) =>
  account ? decryptSecrets(account, { encryptionSecret, installation: {} }) : {}

/** Returns a store's accounts at payment providers. Secrets are told by name alone. */
export const viewPaymentAccounts = async (ctx: Ctx, facts: AccountFacts): Promise<PaymentAccounts> => {
  const { encryptionSecret, installation, takesPayments, origin } = facts
  const accounts = await readPaymentAccounts(ctx.db, ctx.customer.id)
  const active = accounts.find((account) => account.active)?.provider
  return {
    version: versionOf(accounts),
    takesPayments: active ?? (takesPayments.methods.length > 0 ? takesPayments.name : null),
    accounts: accounts.flatMap((account) =>
      isProvider(account.provider)
        ? {
            provider: account.provider,
            active: account.active,
            options: account.options,
            secrets: Object.keys(storedSecretsOf(account, encryptionSecret)),
          }
        : [],
    ),
    providers: paymentProviderName.options.map((name) => ({
      name,
      options: [...providerNeeds[name].options],
      optional: [...providerNeeds[name].optional],
      secrets: [...providerNeeds[name].secrets],
      shared: Object.keys(installation[name] ?? {}),
      webhookUrl: name === 'sandbox' ? null : `${origin}${customerBase(ctx.customer.code)}/webhooks/${name}`,
    })),
    history: await historyOf(ctx, paymentAccountsSubject),
  }
}

/**
 * Makes an account take new payments, with the options and secrets given; those left out stay.
 * Returns the names of the secrets that are stored. Failure: VALIDATION_FAILED with the names that
 * are missing or unknown to the provider.
 */
export const setPaymentAccount = async (
  ctx: Ctx,
  by: AuditActor,
  change: { provider: PaymentProviderName; options: Record<string, string>; secrets: Record<string, string> },
  facts: Pick<AccountFacts, 'encryptionSecret' | 'installation'> & { allowedOptions: readonly string[] },
): Promise<string[] | Failure> => {
  const { encryptionSecret, installation, allowedOptions } = facts
  const { provider } = change
  const i18n = messagesOf(ctx.locale)
  const before = (await readPaymentAccounts(ctx.db, ctx.customer.id)).find((account) => account.provider === provider)
  const given = Object.entries(change.secrets).filter(([, value]) => value !== '')
  const secrets = { ...storedSecretsOf(before, encryptionSecret), ...Object.fromEntries(given) }
  const options = Object.fromEntries(
    Object.entries({ ...before?.options, ...change.options }).filter(([, value]) => value !== ''),
  )
  const { secrets: known }: Needs = providerNeeds[provider]
  const unknown = [
    ...Object.keys(change.options)
      .filter((name) => !allowedOptions.includes(name))
      .map((name) => `options.${name}`),
    ...Object.keys(change.secrets)
      .filter((name) => !known.includes(name))
      .map((name) => `secrets.${name}`),
  ]
  const missing = missingFrom({ provider, options, secrets: { ...installation[provider], ...secrets } }).map((name) =>
    known.includes(name) ? `secrets.${name}` : `options.${name}`,
  )
  if (unknown.length + missing.length > 0)
    return failure('VALIDATION_FAILED', {
      errors: {
        ...Object.fromEntries(unknown.map((name) => [name, [i18n._('The provider has no such field.')]])),
        ...Object.fromEntries(
          missing.map((name) => [name, [i18n._('Enter this value. The provider shows it in its dashboard.')]]),
        ),
      },
    })
  const stored = Object.keys(secrets)
  const sealed = stored.length > 0 ? encrypt(encryptionSecret, JSON.stringify(secrets)) : null
  const changed = given.map(([name]) => name)
  await choosePaymentAccount(ctx, by, { provider, options, secrets: sealed }, { stored, changed })
  return stored
}

/**
 * Sets the account as the caller saw it: `expected` is the value of `If-Match`. Failures:
 * VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const choosePaymentAccountAsSeen = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  change: PaymentAccountChange,
  facts: AccountFacts,
): Promise<PaymentAccounts | Failure> => {
  await lockSettings(ctx.db, ctx.customer.id)
  const version = versionOf(await readPaymentAccounts(ctx.db, ctx.customer.id))
  const refused = await refuseOldVersion(ctx, { expected, version, subject: paymentAccountsSubject })
  if (refused) return refused
  const { options, optional } = providerNeeds[change.provider]
  const stored = await setPaymentAccount(ctx, by, change, { ...facts, allowedOptions: [...options, ...optional] })
  return isFailure(stored) ? stored : viewPaymentAccounts(ctx, facts)
}
