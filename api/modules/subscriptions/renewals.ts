import { findCard, lockPayer } from '#api/modules/billing/cards.queries.ts'
import { settleCard } from '#api/modules/billing/cards.ts'
import { calculateNextCheck, type PaymentCtx } from '#api/modules/billing/payment-states.ts'
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
import { emit } from '#api/platform/events.ts'
import type { MemberId, PaymentId, SubscriptionId } from '#contract/ids.ts'
import { storeStateOf } from '#contract/store-state.ts'
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
import { endSubscription, idsOf, refundDueCharges, resumeRow } from './ending.ts'
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
  const { cycle, planId } = subscription
  const trialDays = subscription.trialDays ?? (await findPlan(db, customer.id, planId))?.trialDays ?? 0
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
    await emit(ctx, 'subscriptionStarted', {
      ...idsOf(begun),
      periodEnd: trial.periodEnd,
      trialEndsAt: trial.trialEndsAt,
    })
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
export const advance = async (ctx: PaymentCtx, id: SubscriptionId): Promise<SubscriptionRow | null> => {
  const read = () => ctx.inTransaction(({ db, customer }) => findSubscription(db, customer.id, id))
  const due = await read()
  if (!due || due.endedAt !== null) return due
  const inProgress = await ctx.inTransaction(({ db }) => findPendingCharge(db, due))
  if (inProgress) await settleCharge(ctx, inProgress.id)
  else if (due.activatedAt === null) await startPending(ctx, due)
  return read()
}

const startPending = async (ctx: PaymentCtx, { id, cardId, memberId }: SubscriptionRow) => {
  const card = cardId === null ? null : await settleCard(ctx, cardId)
  if (card?.status === 'READY') return
  const begun = await ctx.inTransaction(async (tx) => {
    const { db, customer } = tx
    await lockPayer(db, memberId)
    const waiting = await findSubscription(db, customer.id, id)
    if (!waiting || waiting.endedAt !== null || waiting.activatedAt !== null || (await findPendingCharge(db, waiting)))
      return null
    const usable = cardId === null ? null : await findCard(db, customer.id, cardId)
    if (usable?.status === 'ACTIVE') return startSubscription(tx, waiting, ctx.provider.name)
    await endSubscription(tx, waiting, 'FIRST_CHARGE_FAILED')
    return null
  })
  if (begun?.charge) await runCharge(ctx, begun.charge)
}

/**
 * Processes what is due for one subscription: ends it or charges its next period. Returns null if
 * nothing is due.
 */
export const renewOne = async (ctx: PaymentCtx, id: SubscriptionId): Promise<ChargeOutcome | null> => {
  const charge = await ctx.inTransaction((tx) => prepare(tx, ctx, id))
  return charge && runCharge(ctx, charge.id)
}

/**
 * Determines what is due. Requires the payer's lock. A charge is stored before it runs, so that a
 * crash loses nothing.
 */
const prepare = async (tx: Ctx, ctx: PaymentCtx, id: SubscriptionId): Promise<ChargeRow | null> => {
  const { db, customer } = tx
  const subscription = await findSubscription(db, customer.id, id)
  if (!subscription) return null
  await lockPayer(db, subscription.memberId)
  const current = await findSubscription(db, customer.id, id)
  if (!current?.activatedAt || current.endedAt !== null || (await findPendingCharge(db, current))) return null
  const now = tx.clock.now().getTime()
  const due = (at: string | null) => at !== null && Date.parse(at) <= now
  if (due(current.cancelAt)) {
    await endSubscription(tx, current, 'CANCELLED')
    return null
  }
  const row = due(current.resumeAt) ? await resumeRow(tx, current) : current
  if (row.pausedAt !== null) return null
  const isDue = row.status === 'PENDING' ? due(row.nextAttemptAt) : row.cancelAt === null && due(row.periodEnd)
  if (!isDue) return null
  // A closed store charges nobody.
  if (storeStateOf(customer) !== 'OPEN') return null
  // A store that no longer sells plans charges none. Paid periods run out.
  const { useSubscribe } = customer.settings.order
  if (useSubscribe && !isPastGrace(row, tx.clock.now())) return writeRenewal(tx, ctx, row)
  await endSubscription(tx, row, useSubscribe ? 'UNPAID' : 'CANCELLED')
  return null
}

/**
 * Charges an overdue renewal now, regardless of its schedule. Returns null if none is overdue or a
 * charge is pending.
 */
const chargeOverdue = async (ctx: PaymentCtx, id: SubscriptionId): Promise<ChargeOutcome | null> => {
  const charge = await ctx.inTransaction(async (tx) => {
    const { db, customer } = tx
    const subscription = await findSubscription(db, customer.id, id)
    if (!subscription) return null
    await lockPayer(db, subscription.memberId)
    const row = await findSubscription(db, customer.id, id)
    const overdue = row?.endedAt === null && row.graceUntil !== null && row.activatedAt !== null
    return overdue && !(await findPendingCharge(db, row)) ? writeRenewal(tx, ctx, row) : null
  })
  return charge && runCharge(ctx, charge.id)
}

/**
 * Stores the charge of the next period. The period follows the previous one if access continued. If
 * access has ended, it starts now, so that nobody pays for time without access.
 */
const writeRenewal = async (tx: Ctx, ctx: PaymentCtx, row: SubscriptionRow): Promise<ChargeRow> => {
  const { db, customer } = tx
  const { timeZone } = customer.settings.base
  const now = tx.clock.now()
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
    provider: ctx.provider.name,
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
export const renewDue = async (ctx: PaymentCtx): Promise<void> => {
  const now = ctx.clock.now()
  const stale = await ctx.inTransaction(({ db, customer }) =>
    staleCharges(db, customer.id, new Date(now.getTime() - staleAfter), now, batchSize),
  )
  for (const { id, createdAt } of stale) {
    await runIsolated(ctx, { chargeId: id }, () => settleCharge(ctx, id))
    const nextCheckAt = calculateNextCheck(ctx.clock.now(), createdAt, longestPause)
    await ctx.inTransaction(({ db, customer }) => updateCharge(db, { customerId: customer.id, id }, { nextCheckAt }))
  }

  const waiting = await ctx.inTransaction(({ db, customer }) =>
    abandonedSubscriptions(db, customer.id, new Date(now.getTime() - staleAfter), batchSize),
  )
  for (const id of waiting) await runIsolated(ctx, { subscriptionId: id }, () => maintainWaiting(ctx, id))

  const due = await ctx.inTransaction(({ db, customer }) => dueSubscriptions(db, customer.id, now, batchSize))
  for (const id of due) await runIsolated(ctx, { subscriptionId: id }, () => renewOne(ctx, id))

  // A store that is offline charges nobody.
  if (storeStateOf(ctx.customer) === 'OPEN')
    await ctx.inTransaction(async (tx) => {
      const until = new Date(now.getTime() + trialNotice)
      for (const row of await endingTrials(tx.db, tx.customer.id, now, until, batchSize)) await mailTrialEnding(tx, row)
    })
  await refundDueCharges(ctx)
}

/** Starts the subscription if its card is registered. Closes it if it was abandoned. */
const maintainWaiting = async (ctx: PaymentCtx, id: SubscriptionId) => {
  const row = await advance(ctx, id)
  const age = ctx.clock.now().getTime() - Date.parse(row?.createdAt ?? '')
  if (!row || row.endedAt !== null || row.activatedAt !== null || age < abandonedAfter) return
  await ctx.inTransaction(async (tx) => {
    await lockPayer(tx.db, row.memberId)
    const subscription = await findSubscription(tx.db, tx.customer.id, id)
    const card = subscription?.cardId ? await findCard(tx.db, tx.customer.id, subscription.cardId) : null
    if (subscription?.endedAt === null && subscription.activatedAt === null && card?.status !== 'ACTIVE')
      await endSubscription(tx, subscription, 'FIRST_CHARGE_FAILED')
  })
}

const runIsolated = async (ctx: PaymentCtx, about: Record<string, string>, work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    ctx.log.error({ err: error, ...about }, 'The renewal of a subscription failed')
  }
}

/**
 * Retries a member's overdue renewal with the current card, or queries a charge that is pending.
 * A subscription that is not overdue is left unchanged. Failures: NOT_FOUND without an active
 * subscription, PROVIDER_UNAVAILABLE without an answer, CARD_REFUSED (`data` holds the reason).
 */
export const retryCharge = async (ctx: PaymentCtx, memberId: MemberId): Promise<Failure | undefined> => {
  const read = () =>
    ctx.inTransaction(async ({ db, customer }) => {
      const row = await findCurrentSubscription(db, customer.id, memberId)
      return row && { row, inProgress: await findPendingCharge(db, row), latest: await latestCharge(db, row) }
    })
  const before = await read()
  if (!before?.row.activatedAt) return failure('NOT_FOUND')
  const outcome = before.inProgress
    ? await settleCharge(ctx, before.inProgress.id)
    : await chargeOverdue(ctx, before.row.id)
  if (outcome === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  if (outcome === 'FAILED')
    return failure('CARD_REFUSED', { data: { failure: (await read())?.latest?.failure ?? null } })
  return undefined
}
