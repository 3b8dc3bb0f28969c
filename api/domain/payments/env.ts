import type { Ctx, Member } from '#api/context.ts'
import type { Merchant, PaymentProvider } from '#api/payments/port.ts'

/**
 * What the verbs of payment get in place of a context: they speak with a provider between their transactions, never inside one, so
 * that a slow provider holds no lock and no connection.
 */
export interface PaymentEnv extends Omit<Ctx, 'db'> {
  /** Who takes new payments. */
  provider: PaymentProvider
  /** Who took a payment, by the name kept with it: another may take new ones since. */
  providerNamed: (name: string) => PaymentProvider
  /** The store's, as the asking browser knows it. */
  origin: string
  /** Opens what is sealed in the database: cards' tokens, refund accounts. */
  sealSecret: string
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

/** The same for a member who has signed in. */
export type MemberPaymentEnv = PaymentEnv & { actor: Member }

/** The same, speaking with who took a payment. */
export const atProvider = <Env extends PaymentEnv>(env: Env, { provider }: { provider: string }): Env => ({
  ...env,
  provider: env.providerNamed(provider),
})

export const merchantOf = ({ customer, origin }: PaymentEnv): Merchant => ({
  id: customer.id,
  code: customer.code,
  origin,
  currency: customer.settings.base.currency,
})
