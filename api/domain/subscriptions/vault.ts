import type { PaymentEnv } from '#api/domain/payments/env.ts'
import { type CardVault, ProviderUnavailable } from '#api/payments/port.ts'

/** The provider's keeping of cards. A provider that keeps none can take no subscription: it does not answer for any. */
export const vaultOf = ({ provider }: PaymentEnv): CardVault => {
  if (!provider.cards) throw new ProviderUnavailable(`${provider.name} keeps no cards`)
  return provider.cards
}

/** What the provider answers; null while it does not. */
export const asked = async <Answer>(
  env: PaymentEnv,
  about: Record<string, string>,
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer } | null> => {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    env.log.warn({ ...about, provider: env.provider.name }, 'The payment provider did not answer')
    return null
  }
}
