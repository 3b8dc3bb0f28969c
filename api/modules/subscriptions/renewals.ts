import { findCard, lockPayer } from '#api/modules/billing/cards.queries.ts'
import { settleCard } from '#api/modules/billing/cards.ts'
import { calculateNextCheck, type MemberPaymentEnv, type PaymentEnv } from '#api/modules/billing/payment-states.ts'
import { findPlan } from '#api/modules/plans/plans.queries.ts'
import { accessEnd, dayOfMonth, firstCharges, isPastGrace, periodEnd } from '#api/modules/plans/plans.ts'
import {
  abandonedSubscriptions,
  dueSubscriptions,
  endingTrials,
  findCurrentSubscription,
  findSubscription,
  hasHadTrial,
  type SubscriptionRow,
} from '#api/modules/plans/subscriptions.queries.ts'
import { changeSubscription } from '#api/modules/plans/subscriptions.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { PaymentId, SubscriptionId } from '#contract/ids.ts'
import {
  type ChargeRow,
  countCharges,
  findPendingCharge,
  insertCharge,
  latestCharge,
  staleCharges,
  updateCharge,
} from './charges.queries.ts'
import { type ChargeOutcome, runCharge, settleCharge } from './charges.ts'
import { endSubscription, refundUnappliedCharges } from './ending.ts'
import { mailTrialEnding, mailTrialStarted } from './subscription-mails.ts'

/**
 * Starts a subscription whose card is registered. Requires the payer's lock. A trial starts at
 * once; a first charge is stored here and runs after the transaction. Returns the charge to run, or
 * null if nothing is charged now.
 */
export const startSubscription = async (
  ctx: Ctx,
  subscription: SubscriptionRow,
  provider: string,
): Promise<{ charge: PaymentId | null }> => {
  const { db, customer } = ctx
  const { timeZone } = customer.settings.base
  const now = ctx.clock.now()
  const plan = await findPlan(db, customer.id, subscription.planId)
  const cycle = subscription.cycle
  const trialDays = plan?.trialDays ?? 0
  if (trialDays > 0 && !(await hasHadTrial(db, customer.id, subscription.memberId))) {
    const { first } = firstCharges({ cycle, trialDays }, true, now, timeZone)
    const trial = {
      status: 'PROCEEDING',
      activatedAt: now.toISOString(),
      trialEndsAt: first.toISOString(),
      periodStart: now.toISOString(),
      periodEnd: first.toISOString(),
      anchorDay: dayOfMonth(first, timeZone),
    } as const
    const begun = await changeSubscription(ctx, subscription, trial, { type: 'TRIAL_STARTED' })
    await mailTrialStarted(ctx, begun)
    return { charge: null }
  }
  const charge = await insertCharge(db, {
    customerId: customer.id,
    id: newId(),
    subscriptionId: subscription.id,
    memberId: subscription.memberId,
    planId: subscription.planId,
    kind: 'FIRST',
    periodStart: now.toISOString(),
    periodEnd: periodEnd(now, cycle, dayOfMonth(now, timeZone), timeZone).toISOString(),
    amount: subscription.priceAmount,
    currency: subscription.currency,
    provider,
    createdAt: now.toISOString(),
  })
  return { charge: charge.id }
}

/**
 * Advances a pending subscription as far as possible: queries its card and runs or queries its
 * first charge. The returning browser and the sweep may call this at the same time. Returns the
 * subscription.
 */
export const advance = async (env: PaymentEnv, id: SubscriptionId): Promise<SubscriptionRow | null> => {
  const read = () => env.inTransaction(({ db, customer }) => findSubscription(db, customer.id, id))
  const due = await read()
  if (!due || due.endedAt !== null) return due
  const underWay = await env.inTransaction(({ db }) => findPendingCharge(db, due))
  if (underWay) await settleCharge(env, underWay.id)
  else if (due.activatedAt === null) await startPending(env, due)
  return read()
}

const startPending = async (env: PaymentEnv, { id, cardId, memberId }: SubscriptionRow) => {
  const card = cardId === null ? null : await settleCard(env, cardId)
  if (card?.status === 'READY') return
  const begun = await env.inTransaction(async (ctx) => {
    const { db, customer } = ctx
    await lockPayer(db, memberId)
    const waiting = await findSubscription(db, customer.id, id)
    if (!waiting || waiting.endedAt !== null || waiting.activatedAt !== null || (await findPendingCharge(db, waiting)))
      return null
    const usable = cardId === null ? null : await findCard(db, customer.id, cardId)
    if (usable?.status === 'ACTIVE') return startSubscription(ctx, waiting, env.provider.name)
    await endSubscription(ctx, waiting, 'FIRST_CHARGE_FAILED')
    return null
  })
  if (begun?.charge) await runCharge(env, begun.charge)
}

/**
 * Processes what is due for one subscription: ends it or charges its next period. Returns null if
 * nothing is due.
 */
export const renewOne = async (env: PaymentEnv, id: SubscriptionId): Promise<ChargeOutcome | null> => {
  const charge = await env.inTransaction((ctx) => prepare(ctx, env, id))
  return charge && runCharge(env, charge.id)
}

/**
 * Determines what is due. Requires the payer's lock. A charge is stored before it runs, so that a
 * crash loses nothing.
 */
const prepare = async (ctx: Ctx, env: PaymentEnv, id: SubscriptionId): Promise<ChargeRow | null> => {
  const { db, customer } = ctx
  const known = await findSubscription(db, customer.id, id)
  if (!known) return null
  await lockPayer(db, known.memberId)
  const row = await findSubscription(db, customer.id, id)
  if (!row || row.endedAt !== null || row.activatedAt === null || (await findPendingCharge(db, row))) return null
  const now = ctx.clock.now().getTime()
  const due = (at: string | null) => at !== null && Date.parse(at) <= now
  if (due(row.cancelAt)) {
    await endSubscription(ctx, row, 'CANCELLED')
    return null
  }
  const isDue = row.status === 'PENDING' ? due(row.nextAttemptAt) : row.cancelAt === null && due(row.periodEnd)
  if (!isDue) return null
  // A closed store charges nobody.
  if (!customer.useCustomer || !customer.useSite || !customer.opened) return null
  // A store that no longer sells plans charges none. Paid periods run out.
  const { useSubscribe } = customer.settings.order
  if (useSubscribe && !isPastGrace(row, ctx.clock.now())) return writeRenewal(ctx, env, row)
  await endSubscription(ctx, row, useSubscribe ? 'UNPAID' : 'CANCELLED')
  return null
}

/**
 * Charges an overdue renewal now, regardless of its schedule. Returns null if none is overdue or a
 * charge is pending.
 */
const chargeOverdue = async (env: PaymentEnv, id: SubscriptionId): Promise<ChargeOutcome | null> => {
  const charge = await env.inTransaction(async (ctx) => {
    const { db, customer } = ctx
    const known = await findSubscription(db, customer.id, id)
    if (!known) return null
    await lockPayer(db, known.memberId)
    const row = await findSubscription(db, customer.id, id)
    const overdue = row?.endedAt === null && row.graceUntil !== null && row.activatedAt !== null
    return overdue && !(await findPendingCharge(db, row)) ? writeRenewal(ctx, env, row) : null
  })
  return charge && runCharge(env, charge.id)
}

/**
 * Stores the charge of the next period. The period follows the previous one if access continued. If
 * access has ended, it starts now, so that nobody pays for time without access.
 */
const writeRenewal = async (ctx: Ctx, env: PaymentEnv, row: SubscriptionRow): Promise<ChargeRow> => {
  const { db, customer } = ctx
  const { timeZone } = customer.settings.base
  const now = ctx.clock.now()
  const accessUntil = accessEnd(row)
  const isLate = row.graceUntil === null && accessUntil !== null && accessUntil <= now
  const start = isLate || row.periodEnd === null ? now : new Date(row.periodEnd)
  const anchorDay = isLate ? dayOfMonth(now, timeZone) : (row.anchorDay ?? dayOfMonth(start, timeZone))
  const next = row.nextPlanId === null ? null : await findPlan(db, customer.id, row.nextPlanId)
  const cycle = next?.cycle ?? row.cycle
  return insertCharge(db, {
    customerId: customer.id,
    id: newId(),
    subscriptionId: row.id,
    memberId: row.memberId,
    planId: next?.id ?? row.planId,
    kind: 'RENEWAL',
    attempt: await countCharges(db, row, 'RENEWAL', start),
    periodStart: start.toISOString(),
    periodEnd: periodEnd(start, cycle, anchorDay, timeZone).toISOString(),
    amount: next ? (row.nextPriceAmount ?? next.priceAmount) : row.priceAmount,
    currency: row.currency,
    provider: env.provider.name,
    createdAt: now.toISOString(),
  })
}

const batchSize = 200
/**
 * Milliseconds a charge belongs to the process that runs it. After that, the provider is queried.
 */
const staleAfter = 60_000
/**
 * Milliseconds. A renewal without an answer is queried at least this often, because access depends
 * on it.
 */
const longestPause = 3_600_000
/** Milliseconds after which a first attempt that waits for its card counts as abandoned. */
const abandonedAfter = 30 * 60_000
/** Milliseconds before a trial's end at which the notice is sent. */
const trialNotice = 3 * dayMilliseconds

/**
 * Processes everything due for one tenant's subscriptions: queries pending charges, starts or
 * closes pending subscriptions, renews, retries or ends periods, announces ends of trials, and
 * refunds late payments. Each run is bounded. Safe to repeat, in several processes and after a
 * crash at any step, because a charge is stored before it is sent, under the id that the provider
 * uses. A subscription that fails is logged and does not delay others.
 */
export const renewDue = async (env: PaymentEnv): Promise<void> => {
  const now = env.clock.now()
  const stale = await env.inTransaction(({ db, customer }) =>
    staleCharges(db, customer.id, new Date(now.getTime() - staleAfter), now, batchSize),
  )
  for (const { id, createdAt } of stale) {
    await runIsolated(env, { chargeId: id }, () => settleCharge(env, id))
    const nextCheckAt = calculateNextCheck(env.clock.now(), createdAt, longestPause)
    await env.inTransaction(({ db, customer }) => updateCharge(db, { customerId: customer.id, id }, { nextCheckAt }))
  }

  const waiting = await env.inTransaction(({ db, customer }) =>
    abandonedSubscriptions(db, customer.id, new Date(now.getTime() - staleAfter), batchSize),
  )
  for (const id of waiting) await runIsolated(env, { subscriptionId: id }, () => maintainWaiting(env, id))

  const due = await env.inTransaction(({ db, customer }) => dueSubscriptions(db, customer.id, now, batchSize))
  for (const id of due) await runIsolated(env, { subscriptionId: id }, () => renewOne(env, id))

  await env.inTransaction(async (ctx) => {
    const until = new Date(now.getTime() + trialNotice)
    for (const row of await endingTrials(ctx.db, ctx.customer.id, now, until, batchSize))
      await mailTrialEnding(ctx, row)
  })
  await refundUnappliedCharges(env)
}

/** Starts the subscription if its card is registered. Closes it if it was abandoned. */
const maintainWaiting = async (env: PaymentEnv, id: SubscriptionId) => {
  const row = await advance(env, id)
  const age = env.clock.now().getTime() - Date.parse(row?.createdAt ?? '')
  if (!row || row.endedAt !== null || row.activatedAt !== null || age < abandonedAfter) return
  await env.inTransaction(async (ctx) => {
    await lockPayer(ctx.db, row.memberId)
    const left = await findSubscription(ctx.db, ctx.customer.id, id)
    const card = left?.cardId ? await findCard(ctx.db, ctx.customer.id, left.cardId) : null
    if (left?.endedAt === null && left.activatedAt === null && card?.status !== 'ACTIVE')
      await endSubscription(ctx, left, 'FIRST_CHARGE_FAILED')
  })
}

const runIsolated = async (env: PaymentEnv, about: Record<string, string>, work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    env.log.error({ err: error, ...about }, 'The renewal of a subscription failed')
  }
}

/**
 * Retries the member's overdue renewal with the current card, or queries a charge that is pending.
 * A subscription that is not overdue is left unchanged. Failures: NOT_FOUND without an active
 * subscription, PROVIDER_UNAVAILABLE without an answer, CARD_REFUSED (`data` holds the reason).
 */
export const retryCharge = async (env: MemberPaymentEnv): Promise<Failure | undefined> => {
  const { memberId } = env.actor
  const read = () =>
    env.inTransaction(async ({ db, customer }) => {
      const row = await findCurrentSubscription(db, customer.id, memberId)
      return row && { row, underWay: await findPendingCharge(db, row), latest: await latestCharge(db, row) }
    })
  const before = await read()
  if (!before?.row.activatedAt) return failure('NOT_FOUND')
  const outcome = before.underWay
    ? await settleCharge(env, before.underWay.id)
    : await chargeOverdue(env, before.row.id)
  if (outcome === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  if (outcome === 'FAILED')
    return failure('CARD_REFUSED', { data: { failure: (await read())?.latest?.failure ?? null } })
  return undefined
}
