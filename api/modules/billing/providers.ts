import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createPortOneProvider } from '#api/modules/billing/providers/portone/provider.ts'
import { createStripeProvider } from '#api/modules/billing/providers/stripe/provider.ts'
import type { Customer } from '#api/platform/context.ts'
import { decrypt } from '#api/platform/crypto.ts'
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
}

/**
 * The settings that each provider's account requires. The operator's command prompts for them, and
 * an incomplete account is not created.
 */
export const providerNeeds = {
  sandbox: { options: [], secrets: [], optional: [] },
  // `pageOrigin`: Checkout's address, if it uses a domain of the store.
  stripe: {
    options: [],
    secrets: ['secretKey', 'webhookSecret'],
    optional: ['apiUrl', 'pageOrigin', 'timeoutSeconds'],
  },
  // `bank` and `bankChannelKey` enable deposits, `billingChannelKey` stored cards. `gatewayOrigins`
  // are those of scripts that the gateway loads.
  portone: {
    options: ['storeId', 'channelKey'],
    secrets: ['apiSecret', 'webhookSecret'],
    optional: [
      ...['bank', 'bankChannelKey', 'billingChannelKey', 'gatewayOrigins'],
      ...['apiUrl', 'scriptUrl', 'timeoutSeconds'],
    ],
  },
} as const satisfies Record<string, Needs>
export type ProviderName = keyof typeof providerNeeds

/** Whether a payment provider of this name exists. */
export const isProvider = (name: string): name is ProviderName => Object.hasOwn(providerNeeds, name)

/** Returns the names of an account's missing settings. Empty if it is complete. */
export const missingFrom = ({ provider, options, secrets }: ProviderAccount & { provider: ProviderName }): string[] => {
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
