import { and, asc, count, eq, isNull, lt, lte } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import type { CardId, CustomerId, PaymentId, RowId } from '#contract/ids.ts'
import type { SandboxCardId, SandboxPaymentId } from './cards.ts'
import { sandboxCards, sandboxDeliveries, sandboxDeposits, sandboxPayments } from './sandbox.schema.ts'

/** Runs `work` in one transaction of one tenant. */
export type InTenant = <Answer>(
  customerId: CustomerId,
  work: (db: NodePgDatabase) => Promise<Answer>,
) => Promise<Answer>

export type SandboxPayment = typeof sandboxPayments.$inferSelect
export type SandboxCard = typeof sandboxCards.$inferSelect
export type SandboxDeposit = typeof sandboxDeposits.$inferSelect

/** The merchant's settings and code; undefined for an unknown tenant. */
export const findMerchant = async (db: NodePgDatabase, customerId: CustomerId) => {
  const [merchant] = await db.select().from(customers).where(eq(customers.customerId, customerId))
  return merchant
}

/** The sandbox's own id, or the store's reference. */
export type PaymentKey = { id: SandboxPaymentId } | { reference: PaymentId }

const isPayment = (customerId: CustomerId, key: PaymentKey) =>
  and(
    eq(sandboxPayments.customerId, customerId),
    'id' in key ? eq(sandboxPayments.id, key.id) : eq(sandboxPayments.reference, key.reference),
  )

/** Inserts a payment; returns undefined if its reference exists already. */
export const insertPayment = async (db: NodePgDatabase, payment: typeof sandboxPayments.$inferInsert) => {
  const [inserted] = await db
    .insert(sandboxPayments)
    .values(payment)
    .onConflictDoNothing({ target: [sandboxPayments.customerId, sandboxPayments.reference] })
    .returning()
  return inserted
}

/** Returns a payment of the sandbox, or null. */
export const readPayment = async (db: NodePgDatabase, customerId: CustomerId, key: PaymentKey) => {
  const [payment] = await db.select().from(sandboxPayments).where(isPayment(customerId, key))
  return payment ?? null
}

/**
 * Reads and locks a payment until the transaction ends, so that a form submitted twice charges a
 * card once.
 */
export const lockPayment = async (db: NodePgDatabase, customerId: CustomerId, key: PaymentKey) => {
  const [payment] = await db.select().from(sandboxPayments).where(isPayment(customerId, key)).for('update')
  return payment ?? null
}

/** Returns the payment as it is after the change. */
export const updatePayment = async (
  db: NodePgDatabase,
  payment: SandboxPayment,
  change: Partial<SandboxPayment>,
): Promise<SandboxPayment> => {
  await db
    .update(sandboxPayments)
    .set(change)
    .where(isPayment(payment.customerId, { id: payment.id }))
  return { ...payment, ...change }
}

/** Returns the payment of a virtual account, or null. */
export const findPaymentByAccount = async (db: NodePgDatabase, customerId: CustomerId, accountNumber: string) => {
  const [payment] = await db
    .select()
    .from(sandboxPayments)
    .where(and(eq(sandboxPayments.customerId, customerId), eq(sandboxPayments.accountNumber, accountNumber)))
  return payment ?? null
}

/** How many charges were made with a stored card. */
export const countCardCharges = async (db: NodePgDatabase, customerId: CustomerId, cardToken: string) => {
  const [row] = await db
    .select({ charges: count() })
    .from(sandboxPayments)
    .where(and(eq(sandboxPayments.customerId, customerId), eq(sandboxPayments.cardToken, cardToken)))
  return row?.charges ?? 0
}

/** Stores a deposit to a virtual account. */
export const insertDeposit = async (db: NodePgDatabase, deposit: typeof sandboxDeposits.$inferInsert) => {
  await db.insert(sandboxDeposits).values(deposit)
}

/** All deposits of a payment's account, oldest first, including reversed ones. */
export const listDeposits = (
  db: NodePgDatabase,
  payment: Pick<SandboxPayment, 'customerId' | 'id'>,
): Promise<SandboxDeposit[]> =>
  db
    .select()
    .from(sandboxDeposits)
    .where(and(eq(sandboxDeposits.customerId, payment.customerId), eq(sandboxDeposits.paymentId, payment.id)))
    .orderBy(asc(sandboxDeposits.at), asc(sandboxDeposits.id))

/** Marks a deposit as sent back by the bank. */
export const markDepositReversed = async (db: NodePgDatabase, deposit: SandboxDeposit, now: Date) => {
  await db
    .update(sandboxDeposits)
    .set({ reversedAt: now.toISOString() })
    .where(and(eq(sandboxDeposits.customerId, deposit.customerId), eq(sandboxDeposits.id, deposit.id)))
}

/** Inserts a card that is not registered yet. An existing reference is left unchanged. */
export const insertCard = async (db: NodePgDatabase, card: typeof sandboxCards.$inferInsert) => {
  await db
    .insert(sandboxCards)
    .values(card)
    .onConflictDoNothing({ target: [sandboxCards.customerId, sandboxCards.reference] })
}

/** Returns the card of a registration, or null. */
export const findCardByReference = async (db: NodePgDatabase, customerId: CustomerId, reference: CardId) => {
  const [card] = await db
    .select()
    .from(sandboxCards)
    .where(and(eq(sandboxCards.customerId, customerId), eq(sandboxCards.reference, reference)))
  return card ?? null
}

const hasToken = (customerId: CustomerId, token: string) =>
  and(eq(sandboxCards.customerId, customerId), eq(sandboxCards.token, token))

/** Returns the card of a token, or null. */
export const findCardByToken = async (db: NodePgDatabase, customerId: CustomerId, token: string) => {
  const [card] = await db.select().from(sandboxCards).where(hasToken(customerId, token))
  return card ?? null
}

/** Locks a card until the transaction ends and returns it. */
export const lockCard = async (db: NodePgDatabase, customerId: CustomerId, id: SandboxCardId) => {
  const [card] = await db
    .select()
    .from(sandboxCards)
    .where(and(eq(sandboxCards.customerId, customerId), eq(sandboxCards.id, id)))
    .for('update')
  return card ?? null
}

/** Returns the card as it is after the change. */
export const updateCard = async (
  db: NodePgDatabase,
  card: SandboxCard,
  change: Partial<SandboxCard>,
): Promise<SandboxCard> => {
  await db
    .update(sandboxCards)
    .set(change)
    .where(and(eq(sandboxCards.customerId, card.customerId), eq(sandboxCards.id, card.id)))
  return { ...card, ...change }
}

/** Deletes the card of a token. */
export const removeCardByToken = async (db: NodePgDatabase, customerId: CustomerId, token: string) => {
  await db.update(sandboxCards).set({ status: 'REMOVED' }).where(hasToken(customerId, token))
}

/** Queues webhooks. */
export const insertDeliveries = async (db: NodePgDatabase, deliveries: (typeof sandboxDeliveries.$inferInsert)[]) => {
  await db.insert(sandboxDeliveries).values(deliveries)
}

/**
 * Locks and returns due webhooks and postpones them by `retryAfterSeconds`, so that two processes
 * do not send the same webhook and a crash loses none.
 */
export const claimDueDeliveries = async (
  db: NodePgDatabase,
  customerId: CustomerId,
  now: Date,
  { maxAttempts, retryAfterSeconds }: { maxAttempts: number; retryAfterSeconds: (attempts: number) => number },
) => {
  const deliveries = await db
    .select()
    .from(sandboxDeliveries)
    .where(
      and(
        eq(sandboxDeliveries.customerId, customerId),
        isNull(sandboxDeliveries.deliveredAt),
        lt(sandboxDeliveries.attempts, maxAttempts),
        lte(sandboxDeliveries.dueAt, now.toISOString()),
      ),
    )
    .orderBy(sandboxDeliveries.dueAt)
    .limit(50)
    .for('update', { skipLocked: true })
  for (const { id, attempts } of deliveries) {
    const dueAt = new Date(now.getTime() + retryAfterSeconds(attempts) * 1000).toISOString()
    await db
      .update(sandboxDeliveries)
      .set({ attempts: attempts + 1, dueAt })
      .where(and(eq(sandboxDeliveries.customerId, customerId), eq(sandboxDeliveries.id, id)))
  }
  return deliveries
}

/** Marks a webhook as delivered. */
export const markDelivered = async (db: NodePgDatabase, customerId: CustomerId, id: RowId, now: Date) => {
  await db
    .update(sandboxDeliveries)
    .set({ deliveredAt: now.toISOString() })
    .where(and(eq(sandboxDeliveries.customerId, customerId), eq(sandboxDeliveries.id, id)))
}
