import { activeCards, lockPayer } from '#api/modules/billing/cards.queries.ts'
import { callProvider, vaultOf } from '#api/modules/billing/cards.ts'
import { atProvider, merchantOf, type PaymentCtx, verdictOf } from '#api/modules/billing/payment-states.ts'
import type { ProviderPayment } from '#api/modules/billing/providers/provider.ts'
import { findPlan } from '#api/modules/plans/plans.queries.ts'
import { isPastGrace } from '#api/modules/plans/plans.ts'
import { findSubscription, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import { type Ctx, failure } from '#api/platform/context.ts'
import { decrypt } from '#api/platform/crypto.ts'
import { countPayment } from '#api/platform/telemetry/telemetry.ts'
import type { MemberId, PaymentId } from '#contract/ids.ts'
import { activate, failFirst, failRenewal, failUpgrade, renew, upgrade } from './charge-outcomes.ts'
import { type ChargeRow, findCharge, readMemberCharges, unapplied, updateCharge } from './charges.queries.ts'
import { refundDueCharges } from './ending.ts'

/**
 * `WAITING`: the provider has not decided or is unavailable. `UNAPPLIED`: the money came too late
 * and is refunded.
 */
export type ChargeOutcome = 'PAID' | 'FAILED' | 'WAITING' | 'SETTLED_BEFORE' | 'UNAPPLIED' | 'UNKNOWN_CHARGE'

type Answer = Pick<ProviderPayment, 'status' | 'amount' | 'failure' | 'card'>

/**
 * Milliseconds. An older first charge or upgrade that never reached the provider is not sent,
 * because the member has left.
 */
const returnMilliseconds = 30 * 60_000

/**
 * Settles a stored charge. This is the only way a payment changes a subscription. The provider is
 * queried outside any transaction; a charge it does not know, because the process stopped in
 * between, is sent now. Safe to repeat at any time and in several processes: the charge's id is the
 * provider's reference, and the answer is applied once, under the payer's lock.
 */
export const settleCharge = async (ctx: PaymentCtx, id: PaymentId): Promise<ChargeOutcome> => {
  const charge = await ctx.inTransaction((tx) => findCharge(tx.db, tx.customer.id, id))
  if (!charge) return 'UNKNOWN_CHARGE'
  if (charge.status !== 'PENDING') return 'SETTLED_BEFORE'
  const answer = await callProvider(ctx, { chargeId: id }, () =>
    ctx.providerNamed(charge.provider).query(merchantOf(ctx), id),
  )
  if (!answer) return 'WAITING'
  if (answer.answer) return applyAnswer(ctx, id, answer.answer)
  const waited = ctx.clock.now().getTime() - Date.parse(charge.createdAt)
  return charge.kind !== 'RENEWAL' && waited > returnMilliseconds
    ? applyAnswer(ctx, id, declined(charge, 'ABANDONED'))
    : runCharge(ctx, id)
}

/** Sends a stored charge to the provider with the current card and applies the answer. */
export const runCharge = async (ctx: PaymentCtx, id: PaymentId): Promise<ChargeOutcome> => {
  const due = await ctx.inTransaction((tx) => readDue(tx, id))
  if (!due) return 'UNKNOWN_CHARGE'
  const { charge, card, title, isOver } = due
  const amount = { amount: charge.amount, currency: charge.currency }
  if (isOver) return applyAnswer(ctx, id, declined(charge, 'ABANDONED'))
  if (charge.amount === 0) return applyAnswer(ctx, id, { status: 'PAID', amount, failure: null, card: null })
  if (!card?.token) return applyAnswer(ctx, id, declined(charge, 'CARD_MISSING'))
  const token = decrypt(ctx.encryptionSecret, card.token)
  const result = await callProvider(ctx, { chargeId: id }, () =>
    vaultOf(atProvider(ctx, card)).charge(merchantOf(ctx), { reference: id, token, amount, title }),
  )
  return result ? applyAnswer(ctx, id, result.answer) : 'WAITING'
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
  const card = cards.find((candidate) => candidate.id === subscription.cardId) ?? cards[0]
  // The provider that stores the card is charged, even if new cards go to another provider.
  if (card && card.provider !== charge.provider) await updateCharge(db, charge, { provider: card.provider })
  return {
    charge,
    card,
    title: plan.name,
    isOver: subscription.endedAt !== null || isPastGrace(subscription, clock.now()),
  }
}

const applyAnswer = async (ctx: PaymentCtx, id: PaymentId, answer: Answer): Promise<ChargeOutcome> => {
  const outcome = await ctx.inTransaction((tx) => settleUnderLock(tx, id, answer))
  if (outcome !== 'SETTLED_BEFORE') countPayment('charge', ctx.provider.name, outcome)
  if (outcome === 'UNAPPLIED') await refundDueCharges(ctx)
  return outcome
}

const settleUnderLock = async (ctx: Ctx, id: PaymentId, answer: Answer): Promise<ChargeOutcome> => {
  const unlocked = await findCharge(ctx.db, ctx.customer.id, id)
  if (!unlocked) return 'UNKNOWN_CHARGE'
  await lockPayer(ctx.db, unlocked.memberId)
  // Read again under the lock: the previous holder may have settled this charge.
  const charge = await findCharge(ctx.db, ctx.customer.id, id)
  const subscription = await findSubscription(ctx.db, ctx.customer.id, unlocked.subscriptionId)
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
      ctx.log.error({ chargeId: id, answer }, 'A charge has a different amount than requested')
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

/** A declined charge of a subscription that has since ended changes nothing else. */
const fail = (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow, failure: string) => {
  if (subscription.endedAt !== null) return undefined
  if (charge.kind === 'FIRST') return failFirst(ctx, { subscription, charge }, failure)
  return charge.kind === 'UPGRADE'
    ? failUpgrade(ctx, { subscription, charge }, failure)
    : failRenewal(ctx, { subscription, charge }, failure)
}

/** The latest hundred charges of a member with their plan names. */
export const listCharges = ({ db, customer }: Ctx, memberId: MemberId) => readMemberCharges(db, customer.id, memberId)

/** A charge. Failure: NOT_FOUND. */
export const showCharge = async ({ db, customer }: Ctx, id: PaymentId) => {
  const charge = await findCharge(db, customer.id, id)
  return charge ? { charge } : failure('NOT_FOUND')
}
