import { and, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { sandboxDeliveries, sandboxPayments } from '#api/db/schema/sandbox.ts'
import { customers } from '#api/db/schema/tenancy.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Announcement, Outcome, SandboxPayment } from './outcome.ts'

/** One transaction of one tenant. */
export type InTenant = <Answer>(
  customerId: CustomerId,
  work: (db: NodePgDatabase) => Promise<Answer>,
) => Promise<Answer>

/** What a merchant is called to those who pay. */
export const nameOf = async (db: NodePgDatabase, customerId: CustomerId): Promise<string> => {
  const [merchant] = await db.select().from(customers).where(eq(customers.customerId, customerId))
  return merchant?.settings.base.name ?? merchant?.settings.business.company ?? merchant?.code ?? ''
}

/** How a payment is asked for: the sandbox's own id, or the store's reference. */
export type PaymentKey = { id: string } | { reference: string }

const whose = (customerId: CustomerId, key: PaymentKey) =>
  and(
    eq(sandboxPayments.customerId, customerId),
    'id' in key ? eq(sandboxPayments.id, key.id) : eq(sandboxPayments.reference, key.reference),
  )

export const readPayment = async (db: NodePgDatabase, customerId: CustomerId, key: PaymentKey) => {
  const [payment] = await db.select().from(sandboxPayments).where(whose(customerId, key))
  return payment ?? null
}

/** Reads a payment and keeps others from changing it until the transaction ends: a card is charged once, however often it is sent. */
export const lockPayment = async (db: NodePgDatabase, customerId: CustomerId, key: PaymentKey) => {
  const [payment] = await db.select().from(sandboxPayments).where(whose(customerId, key)).for('update')
  return payment ?? null
}

/** Writes what came of a step, with the webhooks that tell the store, in one transaction. */
export const record = async (
  db: NodePgDatabase,
  payment: SandboxPayment,
  outcome: Outcome,
  card: { issuer: string; lastFour: string; behaviour: string } | null,
  now: Date,
) => {
  await db
    .update(sandboxPayments)
    .set({
      status: outcome.status,
      failure: outcome.failure,
      ...(card ? { cardIssuer: card.issuer, cardLastFour: card.lastFour, scenario: card.behaviour } : {}),
      ...(outcome.status === 'PAID' ? { chargedAt: now.toISOString() } : {}),
    })
    .where(whose(payment.customerId as CustomerId, { id: payment.id }))
  if (outcome.announcement) await announce(db, payment, outcome.announcement, now)
}

/** Puts webhooks into the outbox. Copies of one event carry the same event id, as a real provider's repeats do. */
export const announce = async (db: NodePgDatabase, payment: SandboxPayment, announcement: Announcement, now: Date) => {
  const eventId = `evt_${newId().replaceAll('-', '')}`
  const dueAt = new Date(now.getTime() + announcement.afterSeconds * 1000).toISOString()
  const payload = { id: eventId, type: announcement.type, reference: payment.reference, createdAt: now.toISOString() }
  await db.insert(sandboxDeliveries).values(
    Array.from({ length: announcement.times }, () => ({
      customerId: payment.customerId,
      id: newId(),
      eventId,
      payload,
      dueAt,
    })),
  )
}
