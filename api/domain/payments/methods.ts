import type { PaymentMethod } from '#contract/enumerations.ts'
import type { PaymentEnv } from './env.ts'

/** What can be paid with: what the tenant offers and the provider can do. */
export const offeredMethods = ({ customer, provider }: Pick<PaymentEnv, 'customer' | 'provider'>): PaymentMethod[] =>
  customer.settings.order.methods.filter((method) => provider.methods.includes(method))
