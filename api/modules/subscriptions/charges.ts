import { activeCards, lockPayer } from '#api/modules/billing/cards.queries.ts'
import { asked, vaultOf } from '#api/modules/billing/cards.ts'
import { atProvider, merchantOf, type PaymentEnv, verdictOf } from '#api/modules/billing/payment-states.ts'
import type { ProviderPayment } from '#api/modules/billing/providers/provider.ts'
import { findPlan } from '#api/modules/plans/plans.queries.ts'
import {
  accessEnd,
  dayOfMonth,
  graceMilliseconds,
  isPastGrace,
  periodEnd,
  retryDays,
} from '#api/modules/plans/plans.ts'
import {
  appendSubscriptionEvent,
  closeQuotes,
  findQuote,
  findSubscription,
  type SubscriptionRow,
  updateSubscription,
} from '#api/modules/plans/subscriptions.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import { decrypt } from '#api/platform/crypto.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { PaymentId } from '#contract/ids.ts'
import { type ChargeRow, findCharge, quoteOfCharge, unapplied, updateCharge } from './charges.queries.ts'
import { end, refundUnappliedCharges } from './ending.ts'
import { mailOverdue, mailReceipt, mailUnpaidEnd } from './subscription-mails.ts'

/** What comes of a charge that is settled, under the payer's lock, in the transaction that settles it. */
interface Settled {
  subscription: SubscriptionRow
  charge: ChargeRow
}

const zoneOf = (ctx: Ctx) => ctx.customer.settings.base.timeZone

const noteCharged = (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow) =>
  charge.amount === 0
    ? undefined
    : appendSubscriptionEvent(ctx.db, subscription, { type: 'CHARGED', amount: charge.amount, at: ctx.clock.now() })

/** The first charge is paid: the period runs from now. */
export const activate = async (ctx: Ctx, { subscription, charge }: Settled) => {
  const now = ctx.clock.now()
  const anchorDay = dayOfMonth(now, zoneOf(ctx))
  const period = {
    periodStart: now.toISOString(),
    periodEnd: periodEnd(now, subscription.cycle, anchorDay, zoneOf(ctx)).toISOString(),
  }
  const paid = await updateCharge(ctx.db, charge, period)
  await updateSubscription(ctx.db, subscription, {
    status: 'PROCEEDING',
    activatedAt: now.toISOString(),
    anchorDay,
    ...period,
  })
  await appendSubscriptionEvent(ctx.db, subscription, { type: 'STARTED', at: now })
  await noteCharged(ctx, subscription, paid)
  await mailReceipt(ctx, subscription, paid)
}

/** A renewal is paid: the next period stands, on the plan it was charged for. */
export const renew = async (ctx: Ctx, { subscription, charge }: Settled) => {
  const now = ctx.clock.now()
  const next = charge.planId === subscription.planId ? null : await findPlan(ctx.db, ctx.customer.id, charge.planId)
  const { periodStart, paid } = await inTime(ctx, subscription, charge, next?.cycle ?? subscription.cycle)
  const continues = periodStart === subscription.periodEnd
  const renewed = await updateSubscription(ctx.db, subscription, {
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
    // Cancelled while the money was under way: what is paid for is had.
    ...(subscription.cancelAt === null ? {} : { cancelAt: paid.periodEnd }),
  })
  await closeQuotes(ctx.db, subscription, now)
  if (next) await appendSubscriptionEvent(ctx.db, renewed, { type: 'DOWNGRADED', at: now })
  const type = subscription.status === 'PENDING' ? 'RECOVERED' : 'RENEWED'
  await appendSubscriptionEvent(ctx.db, renewed, { type, at: now })
  await noteCharged(ctx, renewed, paid)
  await mailReceipt(ctx, renewed, paid)
}

/** The charge with the period that it pays for: where access had ended before it was paid, that begins now. */
const inTime = async (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow, cycle: string) => {
  const now = ctx.clock.now()
  const until = accessEnd({ ...subscription, cancelAt: null })
  if (until === null || until > now) return { periodStart: charge.periodStart, paid: charge }
  const periodStart = now.toISOString()
  const end = periodEnd(now, cycle as PlanCycle, dayOfMonth(now, zoneOf(ctx)), zoneOf(ctx)).toISOString()
  return { periodStart, paid: await updateCharge(ctx.db, charge, { periodStart, periodEnd: end }) }
}

/** An upgrade is paid, or costs nothing now: the plan of the quote stands at once, at the price agreed to with it. */
export const upgrade = async (ctx: Ctx, { subscription, charge }: Settled) => {
  const now = ctx.clock.now()
  const quote = await findQuote(ctx.db, ctx.customer.id, quoteOfCharge(charge))
  const plan = quote && (await findPlan(ctx.db, ctx.customer.id, quote.planId))
  if (!plan) throw new Error(`The charge ${charge.id} has no quote`)
  const restarts = quote.periodEnd !== subscription.periodEnd
  const inTrial = subscription.trialEndsAt !== null && Date.parse(subscription.trialEndsAt) > now.getTime()
  const upgraded = await updateSubscription(ctx.db, subscription, {
    planId: plan.id,
    cycle: plan.cycle,
    priceAmount: quote.priceAmount,
    nextPlanId: null,
    nextPriceAmount: null,
    ...(restarts
      ? {
          periodStart: quote.periodStart,
          periodEnd: quote.periodEnd,
          anchorDay: dayOfMonth(new Date(quote.periodStart), zoneOf(ctx)),
          ...(inTrial ? { trialEndsAt: quote.periodStart } : {}),
        }
      : {}),
    ...(subscription.cancelAt === null ? {} : { cancelAt: quote.periodEnd }),
  })
  await closeQuotes(ctx.db, subscription, now)
  await appendSubscriptionEvent(ctx.db, upgraded, { type: 'UPGRADED', at: now })
  await noteCharged(ctx, upgraded, charge)
  if (charge.amount > 0) await mailReceipt(ctx, upgraded, charge)
}

const day = 86_400_000

/** The next try after a failed renewal, of those that are left; null when there is none. */
const nextTry = (graceUntil: Date, now: Date): Date | null => {
  const failedAt = graceUntil.getTime() - graceMilliseconds
  const left = retryDays.map((days) => failedAt + days * day).find((at) => at > now.getTime())
  return left === undefined ? null : new Date(left)
}

/** A renewal was declined: it is tried again on the days that are left, with access until the last of them; then it ends. */
export const fallDue = async (ctx: Ctx, { subscription, charge }: Settled, failure: string) => {
  const now = ctx.clock.now()
  const isFirst = subscription.graceUntil === null
  const { amount } = charge
  // Nobody had access when this was tried, so there is no grace to give.
  const hadEnded = charge.periodStart !== subscription.periodEnd
  const graceUntil = new Date(subscription.graceUntil ?? now.getTime() + graceMilliseconds)
  const next = hadEnded ? null : nextTry(graceUntil, now)
  const type = isFirst && next ? 'OVERDUE' : 'CHARGE_FAILED'
  await appendSubscriptionEvent(ctx.db, subscription, { type, amount, detail: failure, at: now })
  const attempts = subscription.attempts + 1
  if (!next) {
    await end(ctx, await updateSubscription(ctx.db, subscription, { attempts }), 'UNPAID')
    return mailUnpaidEnd(ctx, subscription, charge)
  }
  const overdue = await updateSubscription(ctx.db, subscription, {
    status: 'PENDING',
    attempts,
    nextAttemptAt: next.toISOString(),
    graceUntil: graceUntil.toISOString(),
  })
  if (isFirst) await mailOverdue(ctx, overdue, charge)
}

/** The first charge was declined: nothing has begun. */
export const failFirst = async (ctx: Ctx, { subscription, charge }: Settled, failure: string) => {
  const event = { type: 'CHARGE_FAILED', amount: charge.amount, detail: failure, at: ctx.clock.now() } as const
  await appendSubscriptionEvent(ctx.db, subscription, event)
  await end(ctx, subscription, 'FIRST_CHARGE_FAILED')
}

/** An upgrade was declined: everything stays as it is. */
export const failUpgrade = (ctx: Ctx, { subscription, charge }: Settled, failure: string) =>
  appendSubscriptionEvent(ctx.db, subscription, {
    type: 'CHARGE_FAILED',
    amount: charge.amount,
    detail: failure,
    at: ctx.clock.now(),
  })

/** `WAITING`: nothing has been decided at the provider, or it does not answer. `UNAPPLIED`: money came too late and is given back. */
export type ChargeOutcome = 'PAID' | 'FAILED' | 'WAITING' | 'SETTLED_BEFORE' | 'UNAPPLIED' | 'UNKNOWN_CHARGE'

type Answer = Pick<ProviderPayment, 'status' | 'amount' | 'failure' | 'card'>

/** A first charge or an upgrade the provider was never asked for is not made up for when the person has long gone. */
const stillWanted = 30 * 60_000

/**
 * Settles a charge that has been written down: the one way in which money changes a subscription. The provider is asked how it stands,
 * outside of any transaction; one it has never heard of (we stopped in between) is asked for now. Safe to repeat, at any moment and in
 * several processes: the charge's id is the provider's reference, and the answer is applied once, under the payer's lock.
 */
export const settleCharge = async (env: PaymentEnv, id: PaymentId): Promise<ChargeOutcome> => {
  const charge = await env.inTransaction((ctx) => findCharge(ctx.db, ctx.customer.id, id))
  if (!charge) return 'UNKNOWN_CHARGE'
  if (charge.status !== 'PENDING') return 'SETTLED_BEFORE'
  const known = await asked(env, { chargeId: id }, () => env.providerNamed(charge.provider).query(merchantOf(env), id))
  if (!known) return 'WAITING'
  if (known.answer) return apply(env, id, known.answer)
  const waited = env.clock.now().getTime() - Date.parse(charge.createdAt)
  return charge.kind !== 'RENEWAL' && waited > stillWanted
    ? apply(env, id, declined(charge, 'ABANDONED'))
    : runCharge(env, id)
}

/** Asks the provider for a charge that has been written down, with the card of this moment, and applies what it says. */
export const runCharge = async (env: PaymentEnv, id: PaymentId): Promise<ChargeOutcome> => {
  const due = await env.inTransaction((ctx) => readDue(ctx, id))
  if (!due) return 'UNKNOWN_CHARGE'
  const { charge, card, title, isOver } = due
  const amount = { amount: charge.amount, currency: charge.currency }
  if (isOver) return apply(env, id, declined(charge, 'ABANDONED'))
  if (charge.amount === 0) return apply(env, id, { status: 'PAID', amount, failure: null, card: null })
  if (!card?.token) return apply(env, id, declined(charge, 'CARD_MISSING'))
  const token = decrypt(env.encryptionSecret, card.token)
  const said = await asked(env, { chargeId: id }, () =>
    vaultOf(atProvider(env, card)).charge(merchantOf(env), { reference: id, token, amount, title }),
  )
  return said ? apply(env, id, said.answer) : 'WAITING'
}

const declined = ({ amount, currency }: ChargeRow, failure: string): Answer => ({
  status: 'FAILED',
  amount: { amount, currency },
  failure,
  card: null,
})

const readDue = async ({ db, customer, clock }: Ctx, id: PaymentId) => {
  const charge = await findCharge(db, customer.id, id)
  const subscription = charge && (await findSubscription(db, customer.id, charge.subscriptionId))
  const plan = charge && (await findPlan(db, customer.id, charge.planId))
  if (!subscription || !plan) return null
  const cards = await activeCards(db, customer.id, charge.memberId)
  const card = cards.find((one) => one.id === subscription.cardId) ?? cards[0]
  // Whoever keeps the card is asked, even where new cards are left with another since.
  if (card && card.provider !== charge.provider) await updateCharge(db, charge, { provider: card.provider })
  return {
    charge,
    card,
    title: plan.name,
    isOver: subscription.endedAt !== null || isPastGrace(subscription, clock.now()),
  }
}

const apply = async (env: PaymentEnv, id: PaymentId, answer: Answer): Promise<ChargeOutcome> => {
  const outcome = await env.inTransaction((ctx) => decide(ctx, id, answer))
  if (outcome === 'UNAPPLIED') await refundUnappliedCharges(env)
  return outcome
}

const decide = async (ctx: Ctx, id: PaymentId, answer: Answer): Promise<ChargeOutcome> => {
  const known = await findCharge(ctx.db, ctx.customer.id, id)
  if (!known) return 'UNKNOWN_CHARGE'
  await lockPayer(ctx.db, known.memberId)
  // Read again under the lock: whoever held it before may have settled this very charge.
  const charge = await findCharge(ctx.db, ctx.customer.id, id)
  const subscription = await findSubscription(ctx.db, ctx.customer.id, known.subscriptionId)
  if (!charge || !subscription) return 'UNKNOWN_CHARGE'
  if (charge.status !== 'PENDING') return 'SETTLED_BEFORE'

  const verdict = verdictOf(answer, charge)
  switch (verdict) {
    case 'WAITING':
      return 'WAITING'
    case 'PAID': {
      const late = subscription.endedAt !== null
      const paid = await settle(ctx, charge, 'PAID', answer, late ? unapplied : null)
      if (late) return 'UNAPPLIED'
      await succeed(ctx, subscription, paid)
      return 'PAID'
    }
    case 'FAILED': {
      const failure = answer.failure ?? 'DECLINED'
      await fail(ctx, subscription, await settle(ctx, charge, 'FAILED', answer, failure), failure)
      return 'FAILED'
    }
    case 'AMOUNT_MISMATCH':
      ctx.log.error({ chargeId: id, answer }, 'A charge came with another amount than was asked for')
      await fail(ctx, subscription, await settle(ctx, charge, 'FAILED', answer, unapplied), verdict)
      return 'UNAPPLIED'
    default:
      return verdict satisfies never
  }
}

const settle = (ctx: Ctx, charge: ChargeRow, status: 'PAID' | 'FAILED', { card }: Answer, failure: string | null) =>
  updateCharge(ctx.db, charge, {
    status,
    failure,
    settledAt: ctx.clock.now().toISOString(),
    ...(card ? { cardIssuer: card.issuer, cardLastFour: card.lastFour } : {}),
  })

const succeed = (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow) => {
  if (charge.kind === 'FIRST') return activate(ctx, { subscription, charge })
  return charge.kind === 'UPGRADE' ? upgrade(ctx, { subscription, charge }) : renew(ctx, { subscription, charge })
}

/** What was declined for a subscription that has ended meanwhile changes nothing more. */
const fail = (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow, failure: string) => {
  if (subscription.endedAt !== null) return undefined
  if (charge.kind === 'FIRST') return failFirst(ctx, { subscription, charge }, failure)
  return charge.kind === 'UPGRADE'
    ? failUpgrade(ctx, { subscription, charge }, failure)
    : fallDue(ctx, { subscription, charge }, failure)
}
