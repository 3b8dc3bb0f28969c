import { and, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { cards } from '#api/db/schema/cards.ts'
import { payments } from '#api/db/schema/commerce.ts'
import { paymentAccounts } from '#api/db/schema/desk.ts'
import { subscriptionCharges } from '#api/db/schema/plans.ts'
import type { CardId, CustomerId, PaymentId } from '#contract/ids.ts'

/** A tenant's account at a provider. `secrets` is sealed. */
export interface PaymentAccount {
  provider: string
  active: boolean
  options: Record<string, string>
  secrets: string | null
}

export const readPaymentAccounts = (db: TenantDb, customerId: CustomerId): Promise<PaymentAccount[]> =>
  db
    .select({
      provider: paymentAccounts.provider,
      active: paymentAccounts.active,
      options: paymentAccounts.options,
      secrets: paymentAccounts.secrets,
    })
    .from(paymentAccounts)
    .where(eq(paymentAccounts.customerId, customerId))

/** The provider's own id of a payment, or of a charge of a stored card. */
export const providerRefOf = async (db: TenantDb, customerId: CustomerId, id: PaymentId): Promise<string | null> => {
  const [payment] = await db
    .select({ ref: payments.providerRef })
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.id, id)))
  if (payment) return payment.ref
  const [charge] = await db
    .select({ ref: subscriptionCharges.providerRef })
    .from(subscriptionCharges)
    .where(and(eq(subscriptionCharges.customerId, customerId), eq(subscriptionCharges.id, id)))
  return charge?.ref ?? null
}

export const cardRefOf = async (db: TenantDb, customerId: CustomerId, id: CardId): Promise<string | null> => {
  const [card] = await db
    .select({ ref: cards.providerRef })
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.id, id)))
  return card?.ref ?? null
}

/** Writes an account down. An active one takes the place of the one before it, which is kept for the payments made there. */
export const keepPaymentAccount = async (
  db: TenantDb,
  customerId: CustomerId,
  { provider, active, options, secrets }: PaymentAccount,
  now: Date,
): Promise<void> => {
  if (active) {
    await db.update(paymentAccounts).set({ active: false }).where(eq(paymentAccounts.customerId, customerId))
  }
  const kept = { active, options, secrets, updatedAt: now.toISOString() }
  await db
    .insert(paymentAccounts)
    .values({ customerId, provider, ...kept })
    .onConflictDoUpdate({ target: [paymentAccounts.customerId, paymentAccounts.provider], set: kept })
}

/** Whether a payment may still be paid, or a card still be registered. */
export const isOpenAtProvider = async (db: TenantDb, customerId: CustomerId, reference: string): Promise<boolean> => {
  const [payment] = await db
    .select({ status: payments.status })
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.id, reference)))
  if (payment) return payment.status === 'READY' || payment.status === 'PROCESSING'
  const [card] = await db
    .select({ status: cards.status })
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.id, reference)))
  return card?.status === 'READY'
}
