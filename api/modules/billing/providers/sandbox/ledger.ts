import { createHash, randomInt } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { RefundAccount } from '#api/modules/billing/providers/provider.ts'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId } from '#contract/ids.ts'
import { type Announcement, duplicateCount, lateSeconds, type Outcome, type SandboxPayment } from './cards.ts'
import { sandboxDeliveries, sandboxDeposits, sandboxPayments } from './sandbox.schema.ts'

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
    .where(whose(payment.customerId, { id: payment.id }))
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

export type SandboxDeposit = typeof sandboxDeposits.$inferSelect

/** How the store is told of what happened at the bank. */
export const bankFaults = ['NONE', 'LATE', 'DUPLICATE', 'LOST'] as const
export type BankFault = (typeof bankFaults)[number]

const announcementOf = (type: Announcement['type'], fault: BankFault): Announcement | null => {
  switch (fault) {
    case 'NONE':
      return { type, times: 1, afterSeconds: 0 }
    case 'LATE':
      return { type, times: 1, afterSeconds: lateSeconds }
    case 'DUPLICATE':
      return { type, times: duplicateCount, afterSeconds: 0 }
    case 'LOST':
      return null
    default:
      return fault satisfies never
  }
}

const longestSecondWait = 7 * 86_400_000

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('')

/** The four digits by which an account's number begins to tell whose it is, as a bank's branch does. */
const branchOf = (customerId: CustomerId) =>
  String(createHash('sha256').update(customerId).digest().readUInt32BE() % 10_000).padStart(4, '0')

/** An account made for one payment. */
export const newAccount = (customerId: CustomerId, holder: string) => {
  const branch = branchOf(customerId)
  return {
    accountBank: 'Marquee Bank',
    accountNumber: `70${branch.slice(0, 2)}-${branch.slice(2)}${digits(2)}-${digits(6)}`,
    accountHolder: holder,
  }
}

/** Accounts that end in four zeros do not exist: money cannot be sent there. */
export const accountExists = ({ number }: RefundAccount) => !number.replace(/\D/g, '').endsWith('0000')

/** What was paid into a payment's account and has not been reversed, first things first. */
export const liveDeposits = async (db: NodePgDatabase, payment: Pick<SandboxPayment, 'customerId' | 'id'>) => {
  const all = await allDeposits(db, payment)
  return all.filter((deposit) => deposit.reversedAt === null)
}

export const allDeposits = (
  db: NodePgDatabase,
  payment: Pick<SandboxPayment, 'customerId' | 'id'>,
): Promise<SandboxDeposit[]> =>
  db
    .select()
    .from(sandboxDeposits)
    .where(and(eq(sandboxDeposits.customerId, payment.customerId), eq(sandboxDeposits.paymentId, payment.id)))
    .orderBy(asc(sandboxDeposits.at), asc(sandboxDeposits.id))

export const sumOf = (deposits: readonly { amount: number }[]) => deposits.reduce((sum, { amount }) => sum + amount, 0)

const isOpen = (payment: SandboxPayment, now: Date) =>
  payment.status === 'READY' && payment.dueAt !== null && Date.parse(payment.dueAt) > now.getTime()

const change = async (db: NodePgDatabase, payment: SandboxPayment, to: Partial<SandboxPayment>) => {
  await db
    .update(sandboxPayments)
    .set(to)
    .where(and(eq(sandboxPayments.customerId, payment.customerId), eq(sandboxPayments.id, payment.id)))
}

/**
 * Takes a deposit, whatever its amount. The exact amount in time pays; everything else lies beside it until it is given back. `late`
 * lets the account's time run out first. The payment must be locked.
 */
export const takeDeposit = async (
  db: NodePgDatabase,
  payment: SandboxPayment,
  deposit: { amount: number; late: boolean; fault: BankFault },
  now: Date,
) => {
  const open = isOpen(payment, now)
  const pays = open && !deposit.late && deposit.amount === payment.amount
  await db.insert(sandboxDeposits).values({
    customerId: payment.customerId,
    id: newId(),
    paymentId: payment.id,
    amount: deposit.amount,
    pays,
    at: now.toISOString(),
  })
  if (pays) await change(db, payment, { status: 'PAID', failure: null, chargedAt: now.toISOString() })
  else if (open && deposit.late) await change(db, payment, { status: 'FAILED', failure: 'DEPOSIT_EXPIRED' })
  const announcement = announcementOf(pays ? 'payment.paid' : 'payment.deposited', deposit.fault)
  if (announcement) await announce(db, payment, announcement, now)
}

/**
 * Whether a deposit can be taken back: while something of the account's money is left. Once a part went back, that is the deposit
 * that pays: of money beside it nobody could say whether it is what went.
 */
export const mayReverse = (
  { refundedAmount }: SandboxPayment,
  live: readonly SandboxDeposit[],
  { pays, reversedAt }: SandboxDeposit,
) => reversedAt === null && (refundedAmount === 0 || (pays && refundedAmount < sumOf(live)))

/**
 * Takes a deposit back, as a bank does that was deceived. False where it has been reversed before, or where so much has
 * been given back already that nothing of it is left. A payment that stood on it waits again, for as long as at first, a week at most. The payment must be locked.
 */
export const reverseDeposit = async (
  db: NodePgDatabase,
  payment: SandboxPayment,
  depositId: string,
  fault: BankFault,
  now: Date,
): Promise<boolean> => {
  const live = await liveDeposits(db, payment)
  const deposit = live.find(({ id }) => id === depositId)
  if (!deposit || !mayReverse(payment, live, deposit)) return false
  await db
    .update(sandboxDeposits)
    .set({ reversedAt: now.toISOString() })
    .where(and(eq(sandboxDeposits.customerId, payment.customerId), eq(sandboxDeposits.id, deposit.id)))
  if (deposit.pays) {
    const atFirst = Date.parse(payment.dueAt ?? payment.createdAt) - Date.parse(payment.createdAt)
    const dueAt = new Date(now.getTime() + Math.min(atFirst, longestSecondWait)).toISOString()
    await change(db, payment, { status: 'READY', chargedAt: null, dueAt })
  }
  const announcement = announcementOf('payment.reversed', fault)
  if (announcement) await announce(db, payment, announcement, now)
  return true
}

const digitsOf = (number: string) => number.replace(/\D/g, '')

/** Whether the number may be of an account of this merchant: nobody else's books are opened for it. */
export const mayBeAccountOf = (customerId: CustomerId, number: string) => {
  const plain = digitsOf(number)
  return plain.length === 14 && plain.startsWith(`70${branchOf(customerId)}`)
}

/** A payment by its account's number, with or without its hyphens; null where there is none at this merchant. */
export const paymentOfAccount = async (db: NodePgDatabase, customerId: CustomerId, number: string) => {
  const plain = digitsOf(number)
  const written = `${plain.slice(0, 4)}-${plain.slice(4, 8)}-${plain.slice(8)}`
  const [payment] = await db
    .select()
    .from(sandboxPayments)
    .where(and(eq(sandboxPayments.customerId, customerId), eq(sandboxPayments.accountNumber, written)))
  return payment ?? null
}
