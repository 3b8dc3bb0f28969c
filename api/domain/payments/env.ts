import type { Ctx } from '#api/context.ts'
import type { Merchant, PaymentProvider } from '#api/payments/port.ts'

/**
 * What the verbs of payment get in place of a context: they speak with a provider between their transactions, never inside one, so
 * that a slow provider holds no lock and no connection.
 */
export interface PaymentEnv extends Omit<Ctx, 'db'> {
  provider: PaymentProvider
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

export const merchantOf = ({ customer }: PaymentEnv): Merchant => ({ id: customer.id, code: customer.code })
