import type { Ctx } from '#api/context.ts'
import { lockPayer } from '#api/db/queries/cards.ts'
import { findPlan } from '#api/db/queries/plans.ts'
import { type ChargeRow, chargeUnderWay, insertCharge, triesOf } from '#api/db/queries/subscription-charges.ts'
import { findSubscription, type SubscriptionRow } from '#api/db/queries/subscriptions.ts'
import { newId } from '#api/db/uuid.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import { accessEnd, isPastGrace } from '#api/domain/plans/access.ts'
import { dayOfMonth, periodEnd } from '#api/domain/plans/period.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { PaymentId, PlanId, SubscriptionId } from '#contract/ids.ts'
import { type ChargeOutcome, runCharge } from './charge.ts'
import { end } from './end-subscription.ts'

/** Does what is due to one subscription now: ends it, or charges its next period. Null where nothing was due. */
export const renewOne = async (env: PaymentEnv, id: SubscriptionId): Promise<ChargeOutcome | null> => {
  const charge = await env.inTransaction((ctx) => prepare(ctx, env, id))
  return charge && runCharge(env, charge.id as PaymentId)
}

/** Under the payer's lock: what is due. A charge to run is written down first, so that a crash after it loses nothing. */
const prepare = async (ctx: Ctx, env: PaymentEnv, id: SubscriptionId): Promise<ChargeRow | null> => {
  const { db, customer } = ctx
  const known = await findSubscription(db, customer.id, id)
  if (!known) return null
  await lockPayer(db, known.memberId)
  const row = await findSubscription(db, customer.id, id)
  if (!row || row.endedAt !== null || row.activatedAt === null || (await chargeUnderWay(db, row))) return null
  const now = ctx.clock.now().getTime()
  const due = (at: string | null) => at !== null && Date.parse(at) <= now
  if (due(row.cancelAt)) return ended(ctx, row, 'CANCELLED')
  const isDue = row.status === 'PENDING' ? due(row.nextAttemptAt) : row.cancelAt === null && due(row.periodEnd)
  if (!isDue) return null
  // A store that is closed charges nobody.
  if (!customer.useCustomer || !customer.useSite || !customer.opened) return null
  // A store that sells no plans any more charges for none: what is paid for runs out.
  if (!customer.settings.order.useSubscribe) return ended(ctx, row, 'CANCELLED')
  if (isPastGrace(row, ctx.clock.now())) return ended(ctx, row, 'UNPAID')
  return writeRenewal(ctx, env, row)
}

const ended = async (ctx: Ctx, row: SubscriptionRow, reason: 'CANCELLED' | 'UNPAID') => {
  await end(ctx, row, reason)
  return null
}

/** Tries an overdue renewal now, whenever its next try would be; null where none is overdue, or one is under way. */
export const retryNow = async (env: PaymentEnv, id: SubscriptionId): Promise<ChargeOutcome | null> => {
  const charge = await env.inTransaction(async (ctx) => {
    const { db, customer } = ctx
    const known = await findSubscription(db, customer.id, id)
    if (!known) return null
    await lockPayer(db, known.memberId)
    const row = await findSubscription(db, customer.id, id)
    const overdue = row?.endedAt === null && row.graceUntil !== null && row.activatedAt !== null
    return overdue && !(await chargeUnderWay(db, row)) ? writeRenewal(ctx, env, row) : null
  })
  return charge && runCharge(env, charge.id as PaymentId)
}

/**
 * Writes down the charge of the next period. It follows on the last one while access has gone on; when this comes so late that access
 * had ended, it begins now, so that nobody pays for time they could not watch.
 */
const writeRenewal = async (ctx: Ctx, env: PaymentEnv, row: SubscriptionRow): Promise<ChargeRow> => {
  const { db, customer } = ctx
  const { timeZone } = customer.settings.base
  const now = ctx.clock.now()
  const had = accessEnd(row)
  const isLate = row.graceUntil === null && had !== null && had <= now
  const start = isLate || row.periodEnd === null ? now : new Date(row.periodEnd)
  const anchorDay = isLate ? dayOfMonth(now, timeZone) : (row.anchorDay ?? dayOfMonth(start, timeZone))
  const next = row.nextPlanId === null ? null : await findPlan(db, customer.id, row.nextPlanId as PlanId)
  const cycle = (next?.cycle ?? row.cycle) as PlanCycle
  return insertCharge(db, {
    ...{ customerId: customer.id, id: newId(), subscriptionId: row.id, memberId: row.memberId },
    ...{ planId: next?.id ?? row.planId, kind: 'RENEWAL', attempt: await triesOf(db, row, 'RENEWAL', start) },
    ...{ periodStart: start.toISOString(), periodEnd: periodEnd(start, cycle, anchorDay, timeZone).toISOString() },
    ...{ amount: next ? (row.nextPriceAmount ?? next.priceAmount) : row.priceAmount, currency: row.currency },
    ...{ provider: env.provider.name, createdAt: now.toISOString() },
  })
}
