import type { Logger } from 'pino'
import type { Customer } from '#api/context.ts'
import { absentProvider } from '#api/payments/absent.ts'
import type { PaymentProvider } from '#api/payments/port.ts'
import type { ProviderAccount } from '#api/payments/providers.ts'
import { unseal } from '#api/seal.ts'

/** Secrets the installation's environment names, by provider: for accounts that keep none of their own. */
export type InstallationSecrets = Record<string, Record<string, string>>

export interface ChoiceFacts {
  sandbox: PaymentProvider
  /** Who takes the payments of a store without an account; null: nobody does, and it sells nothing. */
  byDefault: PaymentProvider | null
  /** Makes the provider of an account. */
  provider: (account: ProviderAccount) => PaymentProvider
  sealSecret: string
  installation: InstallationSecrets
  log: Logger
}

/** Without a name: who takes a tenant's payments now. With one: who took a payment, even where another takes them since. */
export type ProviderOf = (customer: Pick<Customer, 'code' | 'paymentAccounts'>, name?: string) => PaymentProvider

/** An account's secrets, those of the installation where it has none. */
export const openSecrets = (
  { provider, secrets }: { provider: string; secrets: string | null },
  { sealSecret, installation }: Pick<ChoiceFacts, 'sealSecret' | 'installation'>,
): Record<string, string> => ({
  ...installation[provider],
  ...(secrets === null ? {} : (JSON.parse(unseal(sealSecret, secrets)) as Record<string, string>)),
})

/** Chooses the provider by the tenant's accounts, `byDefault` where a tenant has none. */
export const createChoice = (facts: ChoiceFacts): ProviderOf => {
  const { sandbox, byDefault, provider, log } = facts
  return ({ code, paymentAccounts }, name) => {
    const account = paymentAccounts.find((one) => (name === undefined ? one.active : one.provider === name))
    if (!account) {
      if (name === undefined) return byDefault ?? absentProvider('unset')
      return name === sandbox.name ? sandbox : absentProvider(name)
    }
    try {
      const { options } = account
      return provider({ provider: account.provider, options, secrets: openSecrets(account, facts) })
    } catch (error) {
      log.error({ err: error, customer: code, provider: account.provider }, 'A payment account does not work')
      return absentProvider(account.provider)
    }
  }
}
