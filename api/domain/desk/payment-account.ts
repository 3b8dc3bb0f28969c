import type { Ctx } from '#api/context.ts'
import { keepPaymentAccount, type PaymentAccount } from '#api/db/queries/payment-accounts.ts'
import { type AuditActor, audit } from './audit.ts'

/**
 * Gives a store its account at a payment provider, and new payments to it. Payments made before are still asked about and given back
 * where they were made. `secrets` are sealed; the audit names them and does not hold them.
 */
export const choosePaymentAccount = async (
  ctx: Ctx,
  actor: AuditActor,
  account: Omit<PaymentAccount, 'active'>,
  secretNames: readonly string[],
): Promise<void> => {
  const { provider, options } = account
  await keepPaymentAccount(ctx.db, ctx.customer.id, { ...account, active: true }, ctx.clock.now())
  await audit(ctx, {
    ...{ actor, action: 'payment-provider.chosen', subject: `payment-provider:${provider}` },
    detail: { options, secrets: [...secretNames] },
  })
}
