import { findCard, lockPayer } from '#api/modules/billing/cards.queries.ts'
import { settleCard } from '#api/modules/billing/cards.ts'
import { askAgainAt, type PaymentEnv } from '#api/modules/billing/payment-states.ts'
import { findPlan } from '#api/modules/plans/plans.queries.ts'
import { accessEnd, dayOfMonth, firstCharges, isPastGrace, periodEnd } from '#api/modules/plans/plans.ts'
import {
  abandonedSubscriptions,
  appendSubscriptionEvent,
  dueSubscriptions,
  endingTrials,
  findCurrentSubscription,
  findSubscription,
  hasHadTrial,
  type SubscriptionRow,
  updateSubscription,
} from '#api/modules/plans/subscriptions.queries.ts'
import { type Ctx, type Failure, failure, type Member } from '#api/platform/context.ts'
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
import { end, refundUnappliedCharges } from './ending.ts'
import { mailTrialEnding, mailTrialStarted } from './subscription-mails.ts'

/**
 * Begins a subscription whose card is there, under the payer's lock: its trial at once, or its first charge, which is written down here
 * and run after the transaction. Answers the charge to run; null where nothing is charged now.
 */
export const start = async (
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
    const begun = await updateSubscription(db, subscription, {
      status: 'PROCEEDING',
      activatedAt: now.toISOString(),
      trialEndsAt: first.toISOString(),
      periodStart: now.toISOString(),
      periodEnd: first.toISOString(),
      anchorDay: dayOfMonth(first, timeZone),
    })
    await appendSubscriptionEvent(db, subscription, { type: 'TRIAL_STARTED', at: now })
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
 * Brings a subscription that has been asked for as far as it will go now: its card is asked about, its first charge run or asked about.
 * Safe to repeat, by the browser that came back and by the sweep at once. Answers it as it stands.
 */
export const advance = async (env: PaymentEnv, id: SubscriptionId): Promise<SubscriptionRow | null> => {
  const read = () => env.inTransaction(({ db, customer }) => findSubscription(db, customer.id, id))
  const asked = await read()
  if (!asked || asked.endedAt !== null) return asked
  const underWay = await env.inTransaction(({ db }) => findPendingCharge(db, asked))
  if (underWay) await settleCharge(env, underWay.id)
  else if (asked.activatedAt === null) await begin(env, asked)
  return read()
}

const begin = async (env: PaymentEnv, { id, cardId, memberId }: SubscriptionRow) => {
  const card = cardId === null ? null : await settleCard(env, cardId)
  if (card?.status === 'READY') return
  const begun = await env.inTransaction(async (ctx) => {
    const { db, customer } = ctx
    await lockPayer(db, memberId)
    const waiting = await findSubscription(db, customer.id, id)
    if (!waiting || waiting.endedAt !== null || waiting.activatedAt !== null || (await findPendingCharge(db, waiting)))
      return null
    const usable = cardId === null ? null : await findCard(db, customer.id, cardId)
    if (usable?.status === 'ACTIVE') return start(ctx, waiting, env.provider.name)
    await end(ctx, waiting, 'FIRST_CHARGE_FAILED')
    return null
  })
  if (begun?.charge) await runCharge(env, begun.charge)
}

/** Does what is due to one subscription now: ends it, or charges its next period. Null where nothing was due. */
export const renewOne = async (env: PaymentEnv, id: SubscriptionId): Promise<ChargeOutcome | null> => {
  const charge = await env.inTransaction((ctx) => prepare(ctx, env, id))
  return charge && runCharge(env, charge.id)
}

/** Under the payer's lock: what is due. A charge to run is written down first, so that a crash after it loses nothing. */
const prepare = async (ctx: Ctx, env: PaymentEnv, id: SubscriptionId): Promise<ChargeRow | null> => {
  const { db, customer } = ctx
  const known = await findSubscription(db, customer.id, id)
  if (!known) return null
  await lockPayer(db, known.memberId)
  const row = await findSubscription(db, customer.id, id)
  if (!row || row.endedAt !== null || row.activatedAt === null || (await findPendingCharge(db, row))) return null
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
    return overdue && !(await findPendingCharge(db, row)) ? writeRenewal(ctx, env, row) : null
  })
  return charge && runCharge(env, charge.id)
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

const atOnce = 200
/** A charge is left to whoever runs it for so long; then the provider is asked how it stands. */
const staleAfter = 60_000
/** A renewal that nobody answers for is asked about this often at least: access hangs on it. */
const longestPause = 3_600_000
/** After so long a first try that waits for its card counts as left. */
const abandonedAfter = 30 * 60_000
/** A trial's end is told of so long before. */
const trialNotice = 3 * 86_400_000

/**
 * Does what is due to one tenant's subscriptions: charges under way are asked about, those that were asked for are begun or closed,
 * periods renewed, tried again or ended, ends of trials told of, and what came too late is given back. Bounded, and safe to run twice,
 * in several processes, and after a crash at any step: what is charged is written down before the provider is asked, under the id the
 * provider knows it by. One that fails is logged, and holds up no other.
 */
export const renewDue = async (env: PaymentEnv): Promise<void> => {
  const now = env.clock.now()
  const stale = await env.inTransaction(({ db, customer }) =>
    staleCharges(db, customer.id, new Date(now.getTime() - staleAfter), now, atOnce),
  )
  for (const { id, createdAt } of stale) {
    await apart(env, { chargeId: id }, () => settleCharge(env, id))
    const askAt = askAgainAt(env.clock.now(), createdAt, longestPause)
    await env.inTransaction(({ db, customer }) => updateCharge(db, { customerId: customer.id, id }, { askAt }))
  }

  const waiting = await env.inTransaction(({ db, customer }) =>
    abandonedSubscriptions(db, customer.id, new Date(now.getTime() - staleAfter), atOnce),
  )
  for (const id of waiting) await apart(env, { subscriptionId: id }, () => maintainWaiting(env, id))

  const due = await env.inTransaction(({ db, customer }) => dueSubscriptions(db, customer.id, now, atOnce))
  for (const id of due) await apart(env, { subscriptionId: id }, () => renewOne(env, id))

  await env.inTransaction(async (ctx) => {
    const until = new Date(now.getTime() + trialNotice)
    for (const row of await endingTrials(ctx.db, ctx.customer.id, now, until, atOnce)) await mailTrialEnding(ctx, row)
  })
  await refundUnappliedCharges(env)
}

/** Begun if its card is there by now; closed when it was left too long ago. */
const maintainWaiting = async (env: PaymentEnv, id: SubscriptionId) => {
  const row = await advance(env, id)
  const age = env.clock.now().getTime() - Date.parse(row?.createdAt ?? '')
  if (!row || row.endedAt !== null || row.activatedAt !== null || age < abandonedAfter) return
  await env.inTransaction(async (ctx) => {
    await lockPayer(ctx.db, row.memberId)
    const left = await findSubscription(ctx.db, ctx.customer.id, id)
    const card = left?.cardId ? await findCard(ctx.db, ctx.customer.id, left.cardId) : null
    if (left?.endedAt === null && left.activatedAt === null && card?.status !== 'ACTIVE')
      await end(ctx, left, 'FIRST_CHARGE_FAILED')
  })
}

const apart = async (env: PaymentEnv, about: Record<string, string>, work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    env.log.error({ err: error, ...about }, 'What was due to a subscription could not be done')
  }
}

/** Tries an overdue renewal again now, with the card of today. One that is not overdue is left as it is. */
export const retryCharge = async (env: PaymentEnv & { actor: Member }): Promise<Failure | undefined> => {
  const { memberId } = env.actor
  const read = () =>
    env.inTransaction(async ({ db, customer }) => {
      const row = await findCurrentSubscription(db, customer.id, memberId)
      return row && { row, underWay: await findPendingCharge(db, row), latest: await latestCharge(db, row) }
    })
  const before = await read()
  if (!before?.row.activatedAt) return failure('NOT_FOUND')
  const outcome = before.underWay ? await settleCharge(env, before.underWay.id) : await retryNow(env, before.row.id)
  if (outcome === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  if (outcome === 'FAILED')
    return failure('CARD_REFUSED', { data: { failure: (await read())?.latest?.failure ?? null } })
  return undefined
}
