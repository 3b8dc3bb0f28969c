import { and, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { sandboxPayments } from '#api/db/schema/sandbox.ts'
import type { RefundAccount } from '#api/payments/port.ts'
import { accountExists, liveDeposits, sumOf } from './bank.ts'
import { announce } from './books.ts'
import type { SandboxPayment } from './outcome.ts'

const refused = (reason: string) => ({ code: 'REFUSED', reason }) as const

const change = async (db: NodePgDatabase, payment: SandboxPayment, to: Partial<SandboxPayment>) => {
  await db
    .update(sandboxPayments)
    .set(to)
    .where(and(eq(sandboxPayments.customerId, payment.customerId), eq(sandboxPayments.id, payment.id)))
  return { ...payment, ...to }
}

/** Gives money back until `total` has been given back. The payment must be locked; null is one that was never made. */
export const giveBack = async (
  db: NodePgDatabase,
  payment: SandboxPayment | null,
  { total, account, onlyWhilePaid }: { total: number; account: RefundAccount | undefined; onlyWhilePaid: boolean },
  now: Date,
): Promise<{ code: 'REFUNDED'; payment: SandboxPayment } | { code: 'REFUSED'; reason: string }> => {
  if (!payment) return refused('NOT_PAID')
  const received = await receivedOf(db, payment)
  if (received === 0) return refused('NOT_PAID')
  if (onlyWhilePaid && payment.status !== 'PAID') return refused('NOT_PAID')
  if (total > received) return refused('MORE_THAN_PAID')
  if (total <= payment.refundedAmount) return { code: 'REFUNDED', payment }
  if (payment.method === 'BANK' && !account) return refused('ACCOUNT_MISSING')
  if (payment.method === 'BANK' && account && !accountExists(account)) return refused('ACCOUNT_REFUSED')
  if (payment.scenario === 'REFUND_REFUSED') {
    await change(db, payment, { scenario: 'REFUND_REFUSED_ONCE' })
    return refused('REFUND_REFUSED')
  }
  const given = await change(db, payment, { refundedAmount: total })
  await announce(db, payment, { type: 'payment.refunded', times: 1, afterSeconds: 0 }, now)
  return { code: 'REFUNDED', payment: given }
}

const receivedOf = async (db: NodePgDatabase, payment: SandboxPayment) => {
  if (payment.method === 'BANK') return sumOf(await liveDeposits(db, payment))
  return payment.status === 'PAID' ? payment.amount : 0
}
