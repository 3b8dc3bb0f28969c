import type { Ctx } from '#api/context.ts'
import { depositsDueBetween } from '#api/db/queries/orders.ts'
import { openPayments } from '#api/db/queries/payments.ts'
import { remindOfDeposit } from './deposit-mails.ts'

const hoursBefore = 24
/** A deadline so close after the account was issued needs no reminder: the first mail said it. */
const leastHoursOld = 12

/** Reminds of deposits that must come within a day, once for each deadline. Answers how many were looked at. */
export const remindDeposits = async (ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>, atOnce: number): Promise<number> => {
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + hoursBefore * 3_600_000)
  const due = await depositsDueBetween(ctx.db, ctx.customer.id, { from: now, until, leastHoursOld, limit: atOnce })
  for (const order of due) {
    const payments = await openPayments(ctx.db, ctx.customer.id, [order.id])
    await remindOfDeposit(ctx, order, payments.find(({ method }) => method === 'BANK') ?? null)
  }
  return due.length
}
