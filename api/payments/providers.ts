import { LRUCache } from 'lru-cache'
import type { PaymentProvider } from './port.ts'
import { createPortOneProvider } from './portone/provider.ts'
import type { KnownReferences } from './references.ts'
import { createStripeProvider } from './stripe/provider.ts'

/** A tenant's account at a provider: `options` are no secret, `secrets` are opened already. */
export interface ProviderAccount {
  provider: string
  options: Record<string, string>
  secrets: Record<string, string>
}

export interface ProviderFacts {
  sandbox: PaymentProvider
  references: KnownReferences
  /** Seals what a page of ours asks for into its address. */
  pageSecret: string
}

interface Needs {
  options: readonly string[]
  secrets: readonly string[]
  /** Options an account may leave out. */
  optional: readonly string[]
}

/** What an account of each provider holds. An operator's command asks for it, and nothing is made without it. */
export const providerNeeds = {
  sandbox: { options: [], secrets: [], optional: [] },
  // `pageOrigin`: where Checkout is reached, when it has a domain of the store's own.
  stripe: {
    options: [],
    secrets: ['secretKey', 'webhookSecret'],
    optional: ['apiUrl', 'pageOrigin', 'timeoutSeconds'],
  },
  // `bank` and `bankChannelKey`: deposits. `billingChannelKey`: stored cards. `gatewayOrigins`: of scripts its gateway brings along.
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

export const isProvider = (name: string): name is ProviderName => Object.hasOwn(providerNeeds, name)

/** The names of what an account lacks; empty: it is whole. */
export const missingFrom = ({ provider, options, secrets }: ProviderAccount & { provider: ProviderName }): string[] => {
  const needs: Needs = providerNeeds[provider]
  return [...needs.options.filter((name) => !options[name]), ...needs.secrets.filter((name) => !secrets[name])]
}

/** Makes the provider of an account; the same account answers the same one. Throws for an account that lacks something. */
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
          ...{ secretKey: secrets.secretKey ?? '', webhookSecret: secrets.webhookSecret ?? '', references },
          ...{ apiUrl: options.apiUrl, pageOrigin: options.pageOrigin, timeoutSeconds: options.timeoutSeconds },
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
    const known = made.get(key)
    if (known) return known
    const provider = make(account)
    made.set(key, provider)
    return provider
  }
}
