import type { Ctx, Member } from '#api/context.ts'
import { lockPayer } from '#api/db/queries/cards.ts'
import { chargeUnderWay, findCharge, insertCharge } from '#api/db/queries/subscription-charges.ts'
import {
  appendSubscriptionEvent,
  closeQuotes,
  findQuote,
  type SubscriptionRow,
  updateSubscription,
} from '#api/db/queries/subscriptions.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import type { PaymentId, PlanId, QuoteId } from '#contract/ids.ts'
import { runCharge, settleCharge } from './charge.ts'
import { keepConsent } from './consent.ts'
import { type Change, reckonChange } from './reckon-change.ts'

type MemberEnv = PaymentEnv & { actor: Member }
interface Wish {
  planId: PlanId
  quoteId?: QuoteId | undefined
}

/**
 * Changes the plan: up at once for the price of its quote, down at the renewal; the plan one has takes a downgrade back. The charge of
 * an upgrade has its quote's id, so that a quote is charged once however often this is asked.
 */
export const changePlan = async (env: MemberEnv, wish: Wish): Promise<Failure | undefined> => {
  const begun = await env.inTransaction((ctx) => begin(ctx, env, wish))
  if (isFailure(begun)) return begun
  const { charge, known } = begun
  if (charge === null) return undefined
  const outcome = known ? await settleCharge(env, charge) : await runCharge(env, charge)
  if (outcome === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  const settled = await env.inTransaction(({ db, customer }) => findCharge(db, customer.id, charge))
  return settled?.status === 'PAID'
    ? undefined
    : failure('CARD_REFUSED', { data: { failure: settled?.failure ?? null } })
}

type Begun = { charge: PaymentId | null; known: boolean }
const done: Begun = { charge: null, known: false }

const begin = async (ctx: Ctx, env: MemberEnv, { planId, quoteId }: Wish): Promise<Begun | Failure> => {
  const { db, customer } = ctx
  const { memberId } = env.actor
  await lockPayer(db, memberId)
  // Asked again after an answer was lost: the quote has its charge.
  const charged = quoteId && (await findCharge(db, customer.id, quoteId as string as PaymentId))
  if (charged)
    return charged.memberId === memberId ? { charge: charged.id as PaymentId, known: true } : failure('NOT_FOUND')
  const change = await reckonChange(ctx, memberId, planId)
  if (isFailure(change)) return change
  if (await chargeUnderWay(db, change.subscription)) return failure('CONFLICT')
  switch (change.kind) {
    case 'CURRENT':
      await takeBack(ctx, change.subscription)
      return done
    case 'DOWNGRADE':
      await setDowngrade(ctx, change)
      return done
    case 'UPGRADE':
      return beginUpgrade(ctx, env, change, quoteId)
    default:
      return change.kind satisfies never
  }
}

const takeBack = async (ctx: Ctx, subscription: SubscriptionRow) => {
  if (subscription.nextPlanId === null) return
  await updateSubscription(ctx.db, subscription, { nextPlanId: null, nextPriceAmount: null })
  const undone = { ...subscription, planId: subscription.nextPlanId }
  await appendSubscriptionEvent(ctx.db, undone, { type: 'DOWNGRADE_UNDONE', at: ctx.clock.now() })
}

const setDowngrade = async (ctx: Ctx, { subscription, plan }: Change) => {
  if (subscription.nextPlanId === plan.id && subscription.nextPriceAmount === plan.priceAmount) return
  await updateSubscription(ctx.db, subscription, { nextPlanId: plan.id, nextPriceAmount: plan.priceAmount })
  await keepConsent(ctx, subscription.memberId, plan, 0)
  const next = { ...subscription, planId: plan.id }
  await appendSubscriptionEvent(ctx.db, next, { type: 'DOWNGRADE_SET', at: ctx.clock.now() })
}

const beginUpgrade = async (
  ctx: Ctx,
  env: MemberEnv,
  { subscription, plan }: Change,
  quoteId: QuoteId | undefined,
): Promise<Begun | Failure> => {
  const { db, customer } = ctx
  const now = ctx.clock.now()
  const quote = quoteId ? await findQuote(db, customer.id, quoteId) : null
  const holds =
    quote?.memberId === env.actor.memberId &&
    quote.subscriptionId === subscription.id &&
    quote.planId === plan.id &&
    quote.usedAt === null &&
    Date.parse(quote.expiresAt) > now.getTime()
  if (!quote || !holds) return failure('QUOTE_EXPIRED')
  await closeQuotes(db, subscription, now)
  await keepConsent(ctx, subscription.memberId, { ...plan, priceAmount: quote.priceAmount }, 0)
  const charge = await insertCharge(db, {
    ...{ customerId: customer.id, id: quote.id, subscriptionId: subscription.id, memberId: subscription.memberId },
    ...{ planId: plan.id, kind: 'UPGRADE', periodStart: now.toISOString(), periodEnd: quote.periodEnd },
    ...{ amount: quote.chargeAmount, currency: quote.currency },
    ...{ provider: env.provider.name, createdAt: now.toISOString() },
  })
  return { charge: charge.id as PaymentId, known: false }
}
