import { findPlan } from '#api/modules/plans/plans.queries.ts'
import { accessEnd, dayOfMonth, graceMilliseconds, periodEnd, retryDays } from '#api/modules/plans/plans.ts'
import { findQuote, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import { changeSubscription, closeQuotes, recordSubscriptionEvent } from '#api/modules/plans/subscriptions.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { emit } from '#api/platform/events.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import { type ChargeRow, quoteOfCharge, updateCharge, useCredit } from './charges.queries.ts'
import { endSubscription, idsOf, publishCancellation } from './ending.ts'
import { mailOverdue, mailPlanChanged, mailReceipt, mailUnpaidEnd } from './subscription-mails.ts'

/**
 * A settled charge. Its outcome is applied under the payer's lock, in the transaction that settles
 * it.
 */
interface Settled {
  subscription: SubscriptionRow
  charge: ChargeRow
}

const zoneOf = (ctx: Ctx) => ctx.customer.settings.base.timeZone

const noteCharged = (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow) =>
  charge.amount === 0
    ? undefined
    : recordSubscriptionEvent(ctx, subscription, { type: 'CHARGED', amount: charge.amount })

/** Applies a paid first charge: the period starts now. */
export const activate = async (ctx: Ctx, { subscription, charge }: Settled) => {
  const now = ctx.clock.now()
  const anchorDay = dayOfMonth(now, zoneOf(ctx))
  const period = {
    periodStart: now.toISOString(),
    periodEnd: periodEnd(now, subscription.cycle, anchorDay, zoneOf(ctx)).toISOString(),
  }
  const paid = await updateCharge(ctx.db, charge, period)
  const started = { status: 'PROCEEDING', activatedAt: now.toISOString(), anchorDay, ...period } as const
  await changeSubscription(ctx, subscription, started, { type: 'STARTED' })
  await noteCharged(ctx, subscription, paid)
  await emit(ctx, 'subscriptionStarted', {
    ...idsOf(subscription),
    periodEnd: period.periodEnd,
    trialEndsAt: subscription.trialEndsAt,
  })
  await mailReceipt(ctx, subscription, paid)
}

/** Applies a paid renewal: the next period starts on the plan that was charged. */
export const renew = async (ctx: Ctx, { subscription, charge }: Settled) => {
  const next = charge.planId === subscription.planId ? null : await findPlan(ctx.db, ctx.customer.id, charge.planId)
  const { periodStart, paid } = await inTime(ctx, subscription, charge, next?.cycle ?? subscription.cycle)
  const continues = periodStart === subscription.periodEnd
  const renewed = await changeSubscription(ctx, subscription, {
    status: 'PROCEEDING',
    periodStart,
    periodEnd: paid.periodEnd,
    attempts: 0,
    nextAttemptAt: null,
    graceUntil: null,
    ...(continues ? {} : { anchorDay: dayOfMonth(new Date(periodStart), zoneOf(ctx)) }),
    ...(next
      ? { planId: next.id, cycle: next.cycle, priceAmount: charge.amount, nextPlanId: null, nextPriceAmount: null }
      : {}),
    // Cancelled while the charge was pending: access lasts for the period that was paid.
    ...(subscription.cancelAt === null ? {} : { cancelAt: paid.periodEnd }),
  })
  await publishCancellation(ctx, renewed)
  await closeQuotes(ctx, subscription)
  if (next) {
    await recordSubscriptionEvent(ctx, renewed, { type: 'DOWNGRADED' })
    await emit(ctx, 'subscriptionPlanChanged', { ...idsOf(renewed), formerPlanId: subscription.planId })
  }
  const type = subscription.status === 'PENDING' ? 'RECOVERED' : 'RENEWED'
  await recordSubscriptionEvent(ctx, renewed, { type })
  await noteCharged(ctx, renewed, paid)
  await emit(ctx, 'subscriptionRenewed', {
    ...idsOf(renewed),
    periodEnd: paid.periodEnd,
    amount: { amount: paid.amount, currency: paid.currency },
  })
  await mailReceipt(ctx, renewed, paid)
}

/**
 * Returns the charge with its period. If access ended before the payment, the period starts now.
 */
const inTime = async (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow, cycle: PlanCycle) => {
  const now = ctx.clock.now()
  const until = accessEnd({ ...subscription, cancelAt: null })
  if (until === null || until > now) return { periodStart: charge.periodStart, paid: charge }
  const periodStart = now.toISOString()
  const end = periodEnd(now, cycle, dayOfMonth(now, zoneOf(ctx)), zoneOf(ctx)).toISOString()
  return { periodStart, paid: await updateCharge(ctx.db, charge, { periodStart, periodEnd: end }) }
}

/** The day of renewals after a period that begins now: its first, unless free days move its end. */
const anchorOf = (period: { periodStart: string; periodEnd: string }, cycle: PlanCycle, timeZone: string) => {
  const start = new Date(period.periodStart)
  const day = dayOfMonth(start, timeZone)
  const end = new Date(period.periodEnd)
  return periodEnd(start, cycle, day, timeZone).getTime() === end.getTime() ? day : dayOfMonth(end, timeZone)
}

/**
 * Applies an upgrade, or a change by staff, that is paid or costs nothing now. The quoted plan
 * applies at once, at the quoted price.
 */
export const upgrade = async (ctx: Ctx, { subscription, charge }: Settled) => {
  const now = ctx.clock.now()
  const quote = await findQuote(ctx.db, ctx.customer.id, quoteOfCharge(charge))
  const plan = quote && (await findPlan(ctx.db, ctx.customer.id, quote.planId))
  if (!plan) throw new Error(`The charge ${charge.id} has no quote`)
  const restarts = quote.periodEnd !== subscription.periodEnd
  const inTrial = subscription.trialEndsAt !== null && Date.parse(subscription.trialEndsAt) > now.getTime()
  const upgraded = await changeSubscription(ctx, subscription, {
    planId: plan.id,
    cycle: plan.cycle,
    priceAmount: quote.priceAmount,
    nextPlanId: null,
    nextPriceAmount: null,
    ...(restarts
      ? {
          periodStart: quote.periodStart,
          periodEnd: quote.periodEnd,
          anchorDay: anchorOf(quote, plan.cycle, zoneOf(ctx)),
          ...(inTrial ? { trialEndsAt: quote.periodStart } : {}),
        }
      : {}),
    ...(subscription.cancelAt === null ? {} : { cancelAt: quote.periodEnd }),
  })
  await publishCancellation(ctx, upgraded)
  await closeQuotes(ctx, subscription)
  await useCredit(ctx.db, subscription)
  await recordSubscriptionEvent(ctx, upgraded, { type: quote.byStore ? 'PLAN_CHANGED' : 'UPGRADED' })
  await emit(ctx, 'subscriptionPlanChanged', { ...idsOf(upgraded), formerPlanId: subscription.planId })
  await noteCharged(ctx, upgraded, charge)
  if (quote.byStore) await mailPlanChanged(ctx, upgraded, { kind: 'NOW', refund: quote.refundAmount })
  if (charge.amount > 0) await mailReceipt(ctx, upgraded, charge)
}

/** Returns the next retry of a failed renewal, or null if none remains. */
const nextTry = (graceUntil: Date, now: Date): Date | null => {
  const failedAt = graceUntil.getTime() - graceMilliseconds
  const nextRetry = retryDays.map((days) => failedAt + days * dayMilliseconds).find((at) => at > now.getTime())
  return nextRetry === undefined ? null : new Date(nextRetry)
}

const publishFailure = (ctx: Ctx, { subscription, charge }: Settled, failure: string, nextAttempt: Date | null) =>
  emit(ctx, 'chargeFailed', {
    ...idsOf(subscription),
    chargeId: charge.id,
    kind: charge.kind,
    amount: { amount: charge.amount, currency: charge.currency },
    failure,
    nextAttemptAt: nextAttempt?.toISOString() ?? null,
  })

/** Records a declined charge that is not repeated. */
const recordFailure = async (ctx: Ctx, { subscription, charge }: Settled, failure: string) => {
  await recordSubscriptionEvent(ctx, subscription, { type: 'CHARGE_FAILED', amount: charge.amount, detail: failure })
  await publishFailure(ctx, { subscription, charge }, failure, null)
}

/**
 * Applies a declined renewal. It is retried on the remaining days with continued access; after the
 * last retry the subscription ends.
 */
export const failRenewal = async (ctx: Ctx, { subscription, charge }: Settled, failure: string) => {
  const now = ctx.clock.now()
  const isFirst = subscription.graceUntil === null
  const { amount } = charge
  // Access had already ended at this attempt, so there is no grace period.
  const hadEnded = charge.periodStart !== subscription.periodEnd
  const graceUntil = new Date(subscription.graceUntil ?? now.getTime() + graceMilliseconds)
  const next = hadEnded ? null : nextTry(graceUntil, now)
  const type = isFirst && next ? 'OVERDUE' : 'CHARGE_FAILED'
  await recordSubscriptionEvent(ctx, subscription, { type, amount, detail: failure })
  await publishFailure(ctx, { subscription, charge }, failure, next)
  const attempts = subscription.attempts + 1
  if (!next) {
    await endSubscription(ctx, await changeSubscription(ctx, subscription, { attempts }), 'UNPAID')
    return mailUnpaidEnd(ctx, subscription, charge)
  }
  const overdue = await changeSubscription(ctx, subscription, {
    status: 'PENDING',
    attempts,
    nextAttemptAt: next.toISOString(),
    graceUntil: graceUntil.toISOString(),
  })
  if (isFirst) await mailOverdue(ctx, overdue, charge)
}

/** Applies a declined first charge: the subscription does not start. */
export const failFirst = async (ctx: Ctx, { subscription, charge }: Settled, failure: string) => {
  await recordFailure(ctx, { subscription, charge }, failure)
  await endSubscription(ctx, subscription, 'FIRST_CHARGE_FAILED')
}

/** Applies a declined upgrade: the subscription does not change. */
export const failUpgrade = (ctx: Ctx, settled: Settled, failure: string) => recordFailure(ctx, settled, failure)
