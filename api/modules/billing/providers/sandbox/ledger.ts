import { createHash, randomInt } from 'node:crypto'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { RefundAccount } from '#api/modules/billing/providers/provider.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { SandboxDepositId } from './cards.ts'
import { type AcceptedCard, type Announcement, duplicateCount, lateSeconds, type Outcome } from './cards.ts'
import {
  findMerchant,
  findPaymentByAccount,
  insertDeliveries,
  insertDeposit,
  listDeposits,
  markDepositReversed,
  type SandboxDeposit,
  type SandboxPayment,
  updatePayment,
} from './sandbox.queries.ts'

/** The merchant's name as buyers see it. */
export const merchantName = async (db: NodePgDatabase, customerId: CustomerId): Promise<string> => {
  const merchant = await findMerchant(db, customerId)
  return merchant?.settings.base.name ?? merchant?.settings.business.company ?? merchant?.code ?? ''
}

/** Saves the outcome of a step and its webhooks in one transaction. */
export const saveOutcome = async (
  db: NodePgDatabase,
  payment: SandboxPayment,
  outcome: Outcome,
  card: AcceptedCard | null,
  now: Date,
) => {
  await updatePayment(db, payment, {
    status: outcome.status,
    failure: outcome.failure,
    ...(card ? { cardIssuer: card.issuer, cardLastFour: card.lastFour, scenario: card.behaviour } : {}),
    ...(outcome.status === 'PAID' ? { chargedAt: now.toISOString() } : {}),
  })
  if (outcome.announcement) await announce(db, payment, outcome.announcement, now)
}

/**
 * Puts webhooks into the outbox. Copies of one event carry the same event id, as a real provider's
 * repeats do.
 */
export const announce = async (db: NodePgDatabase, payment: SandboxPayment, announcement: Announcement, now: Date) => {
  const eventId = `evt_${newId().replaceAll('-', '')}`
  const dueAt = new Date(now.getTime() + announcement.afterSeconds * 1000).toISOString()
  const payload = { id: eventId, type: announcement.type, reference: payment.reference, createdAt: now.toISOString() }
  await insertDeliveries(
    db,
    Array.from({ length: announcement.times }, () => ({
      customerId: payment.customerId,
      id: newId(),
      eventId,
      payload,
      dueAt,
    })),
  )
}

/** How the store is notified of what happened at the bank. */
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

const longestSecondWait = 7 * dayMilliseconds

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('')

/**
 * The first four digits of an account number identify the merchant, as a bank's branch code does.
 */
const branchOf = (customerId: CustomerId) =>
  String(createHash('sha256').update(customerId).digest().readUInt32BE() % 10_000).padStart(4, '0')

/** Creates an account for one payment. */
export const newAccount = (customerId: CustomerId, holder: string) => {
  const branch = branchOf(customerId)
  return {
    accountBank: 'Marquee Bank',
    accountNumber: `70${branch.slice(0, 2)}-${branch.slice(2)}${digits(2)}-${digits(6)}`,
    accountHolder: holder,
  }
}

/** Accounts that end in four zeros do not exist and cannot receive money. */
export const accountExists = ({ number }: RefundAccount) => !number.replace(/\D/g, '').endsWith('0000')

/** Deposits into a payment's account that have not been reversed, oldest first. */
export const listActiveDeposits = async (db: NodePgDatabase, payment: Pick<SandboxPayment, 'customerId' | 'id'>) => {
  const all = await listDeposits(db, payment)
  return all.filter((deposit) => deposit.reversedAt === null)
}

/** Returns the sum of deposits in the currency's minor unit. */
export const sumOf = (deposits: readonly { amount: number }[]) => deposits.reduce((sum, { amount }) => sum + amount, 0)

const isOpen = (payment: SandboxPayment, now: Date) =>
  payment.status === 'READY' && payment.dueAt !== null && Date.parse(payment.dueAt) > now.getTime()

/**
 * Takes a deposit of any amount. The exact amount in time pays; any other deposit is unapplied
 * until it is refunded. `late` expires the account first. The payment must be locked.
 */
export const receiveDeposit = async (
  db: NodePgDatabase,
  payment: SandboxPayment,
  deposit: { amount: number; late: boolean; fault: BankFault },
  now: Date,
) => {
  const open = isOpen(payment, now)
  const paysOrder = open && !deposit.late && deposit.amount === payment.amount
  await insertDeposit(db, {
    customerId: payment.customerId,
    id: newId(),
    paymentId: payment.id,
    amount: deposit.amount,
    paysOrder,
    at: now.toISOString(),
  })
  if (paysOrder) await updatePayment(db, payment, { status: 'PAID', failure: null, chargedAt: now.toISOString() })
  else if (open && deposit.late) await updatePayment(db, payment, { status: 'FAILED', failure: 'DEPOSIT_EXPIRED' })
  const announcement = announcementOf(paysOrder ? 'payment.paid' : 'payment.deposited', deposit.fault)
  if (announcement) await announce(db, payment, announcement, now)
}

/**
 * Whether a deposit can be reversed: only while some of the account's money is left. After a
 * partial refund, only the paying deposit can be, because it is unknown whether an unapplied one
 * was refunded.
 */
export const mayReverse = (
  { refundedAmount }: SandboxPayment,
  live: readonly SandboxDeposit[],
  { paysOrder, reversedAt }: SandboxDeposit,
) => reversedAt === null && (refundedAmount === 0 || (paysOrder && refundedAmount < sumOf(live)))

/**
 * Reverses a deposit, as a bank does after fraud. Returns false if it was reversed before or if the
 * money has been refunded. A payment that depended on it waits again for the original duration, a
 * week at most. The payment must be locked.
 */
export const reverseDeposit = async (
  db: NodePgDatabase,
  payment: SandboxPayment,
  depositId: SandboxDepositId,
  fault: BankFault,
  now: Date,
): Promise<boolean> => {
  const live = await listActiveDeposits(db, payment)
  const deposit = live.find(({ id }) => id === depositId)
  if (!deposit || !mayReverse(payment, live, deposit)) return false
  await markDepositReversed(db, deposit, now)
  if (deposit.paysOrder) {
    const atFirst = Date.parse(payment.dueAt ?? payment.createdAt) - Date.parse(payment.createdAt)
    const dueAt = new Date(now.getTime() + Math.min(atFirst, longestSecondWait)).toISOString()
    await updatePayment(db, payment, { status: 'READY', chargedAt: null, dueAt })
  }
  const announcement = announcementOf('payment.reversed', fault)
  if (announcement) await announce(db, payment, announcement, now)
  return true
}

const digitsOf = (number: string) => number.replace(/\D/g, '')

/** Whether the number can belong to this merchant. Avoids reading other tenants' rows. */
export const mayBeAccountOf = (customerId: CustomerId, number: string) => {
  const plain = digitsOf(number)
  return plain.length === 14 && plain.startsWith(`70${branchOf(customerId)}`)
}

/**
 * Returns a payment by its account number, with or without hyphens. Null if the merchant has no
 * such account.
 */
export const paymentOfAccount = (db: NodePgDatabase, customerId: CustomerId, number: string) => {
  const plain = digitsOf(number)
  const written = `${plain.slice(0, 4)}-${plain.slice(4, 8)}-${plain.slice(8)}`
  return findPaymentByAccount(db, customerId, written)
}
