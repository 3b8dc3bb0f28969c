import { keepPaymentAccount } from '#api/modules/billing/payments.queries.ts'
import { setPartnership } from '#api/modules/identity/identity.queries.ts'
import { lowerEmail } from '#api/modules/identity/profile.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, failure, type PaymentAccount } from '#api/platform/context.ts'

export interface Partnership {
  email: string
  until: Date
  /** The name that the member sees, such as the company's or the contract's. */
  name: string | null
}

/** Grants a member every product on a plan until a date. A past date revokes the grant. */
export const grantPartnership = async (ctx: Ctx, by: AuditActor, { email, until, name }: Partnership) => {
  const { db, customer } = ctx
  const partnershipUntil = until.toISOString()
  const memberId = await setPartnership(db, customer.id, lowerEmail(email), { until: partnershipUntil, name })
  if (!memberId) return failure('NOT_FOUND')
  const ended = until <= ctx.clock.now()
  await audit(ctx, {
    actor: by,
    action: ended ? 'partnership.ended' : 'partnership.granted',
    subject: `member:${memberId}`,
    detail: { until: partnershipUntil, name },
  })
  return { memberId, until: partnershipUntil }
}

/**
 * Sets a store's account at a payment provider for new payments. Earlier payments are still queried
 * and refunded at their own account. `secrets` are encrypted; the audit log has only their names.
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
    actor,
    action: 'payment-provider.chosen',
    subject: `payment-provider:${provider}`,
    detail: { options, secrets: [...secretNames] },
  })
}
