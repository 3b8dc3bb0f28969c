import { activeCards } from '#api/modules/billing/cards.queries.ts'
import { readAddressee } from '#api/modules/identity/identity.queries.ts'
import { queueMemberMail } from '#api/modules/identity/profile.ts'
import { findPlan } from '#api/modules/plans/plans.queries.ts'
import { isSuspended, nextChargeOf } from '#api/modules/plans/plans.ts'
import type { SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import {
  subscriptionCancelledMail,
  subscriptionExtendedMail,
  subscriptionPausedMail,
  subscriptionPlanChangedMail,
  subscriptionReceiptMail,
  subscriptionResumedMail,
  subscriptionUnpaidMail,
} from '#api/modules/subscriptions/mails/subscriptions.ts'
import {
  renewalFailedMail,
  subscriptionContinuedMail,
  subscriptionRefundedMail,
  trialEndingMail,
  trialStartedMail,
} from '#api/modules/subscriptions/mails/trials.ts'
import type { Ctx } from '#api/platform/context.ts'
import { textFor } from '#api/platform/i18n/translations.ts'
import type { PlanId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { ChargeRow } from './charges.queries.ts'

/** The plan's name in the payer's language. */
const nameOf = async (ctx: Ctx, planId: PlanId, subscription: Pick<SubscriptionRow, 'memberId'>) => {
  const plan = await findPlan(ctx.db, ctx.customer.id, planId)
  const addressee = await readAddressee(ctx.db, ctx.customer.id, payer(subscription))
  const locale = addressee?.locale ?? ctx.customer.settings.base.locale
  return plan ? textFor({ ...ctx, locale }, plan.name, plan.translations, 'name').text : ''
}

const payer = ({ memberId }: Pick<SubscriptionRow, 'memberId'>) => memberId
const moneyOf = ({ amount, currency }: ChargeRow) => ({ amount, currency })

const cardOf = async (ctx: Ctx, subscription: SubscriptionRow) => {
  const cards = await activeCards(ctx.db, ctx.customer.id, payer(subscription))
  const card = cards.find(({ id }) => id === subscription.cardId) ?? cards[0]
  return card ? `${card.issuer} ${card.lastFour}` : null
}

/** Mails the receipt of a paid charge. `subscription` is the state after the charge. */
export const mailReceipt = async (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow) => {
  const next = subscription.nextPriceAmount ?? subscription.priceAmount
  await queueMemberMail(ctx, payer(subscription), {
    template: subscriptionReceiptMail,
    once: `subscription-receipt:${charge.id}`,
    data: {
      plan: await nameOf(ctx, charge.planId, subscription),
      amount: moneyOf(charge),
      card: charge.cardIssuer && charge.cardLastFour ? `${charge.cardIssuer} ${charge.cardLastFour}` : null,
      periodStart: charge.periodStart,
      periodEnd: charge.periodEnd,
      nextAmount: subscription.cancelAt === null ? { amount: next, currency: subscription.currency } : null,
    },
  })
}

/** Mails the first failure of a renewal, with the next retry and the end of access. */
export const mailOverdue = async (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow) => {
  const { nextAttemptAt, graceUntil } = subscription
  if (nextAttemptAt === null || graceUntil === null) return
  await queueMemberMail(ctx, payer(subscription), {
    template: renewalFailedMail,
    once: `renewal-failed:${charge.id}`,
    data: {
      plan: await nameOf(ctx, charge.planId, subscription),
      amount: moneyOf(charge),
      card: await cardOf(ctx, subscription),
      nextAttemptAt,
      graceUntil,
    },
  })
}

/** Mails that the last retry failed and the subscription has ended. */
export const mailUnpaidEnd = async (ctx: Ctx, subscription: SubscriptionRow, charge: ChargeRow) =>
  queueMemberMail(ctx, payer(subscription), {
    template: subscriptionUnpaidMail,
    once: `subscription-unpaid:${subscription.id}`,
    data: { plan: await nameOf(ctx, charge.planId, subscription), amount: moneyOf(charge) },
  })

/** Mails the start of a trial, with the charge that follows automatically. */
export const mailTrialStarted = async (ctx: Ctx, subscription: SubscriptionRow) =>
  queueMemberMail(ctx, payer(subscription), {
    template: trialStartedMail,
    once: `trial-started:${subscription.id}`,
    data: {
      plan: await nameOf(ctx, subscription.planId, subscription),
      amount: { amount: subscription.priceAmount, currency: subscription.currency },
      endsAt: subscription.trialEndsAt ?? '',
    },
  })

/**
 * Mails the cancellation, with the end of access or the fact that it has ended. A subscription that
 * was resumed may be cancelled, and mailed about, again.
 */
export const mailCancelled = async (ctx: Ctx, subscription: SubscriptionRow, byStore: boolean) => {
  const now = ctx.clock.now()
  const endsAt = subscription.cancelAt ?? now.toISOString()
  await queueMemberMail(ctx, payer(subscription), {
    template: subscriptionCancelledMail,
    data: {
      plan: await nameOf(ctx, subscription.planId, subscription),
      endsAt,
      immediate: Date.parse(endsAt) <= now.getTime(),
      byStore,
    },
  })
}

/** Mails that the store has ended the subscription, with what it refunds. */
export const mailEndedByStore = async (ctx: Ctx, subscription: SubscriptionRow, refund: Money | null) =>
  queueMemberMail(ctx, payer(subscription), {
    template: subscriptionCancelledMail,
    data: {
      plan: await nameOf(ctx, subscription.planId, subscription),
      endsAt: subscription.endedAt ?? '',
      immediate: true,
      byStore: true,
      refund,
    },
  })

/** Mails that the store gave the subscription days for nothing. */
export const mailExtended = async (ctx: Ctx, subscription: SubscriptionRow, days: number) =>
  queueMemberMail(ctx, payer(subscription), {
    template: subscriptionExtendedMail,
    data: {
      plan: await nameOf(ctx, subscription.planId, subscription),
      days,
      until: subscription.periodEnd ?? '',
      isCharged: subscription.cancelAt === null,
    },
  })

/** Mails that the store paused the subscription, or changed when it resumes. */
export const mailPaused = async (ctx: Ctx, subscription: SubscriptionRow) =>
  queueMemberMail(ctx, payer(subscription), {
    template: subscriptionPausedMail,
    data: {
      plan: await nameOf(ctx, subscription.planId, subscription),
      until: isSuspended(subscription, ctx.clock.now()) ? null : subscription.periodEnd,
      resumeAt: subscription.resumeAt,
    },
  })

/** Mails that a paused subscription has resumed, with its next charge, which may be due. */
export const mailResumed = async (ctx: Ctx, subscription: SubscriptionRow) =>
  queueMemberMail(ctx, payer(subscription), {
    template: subscriptionResumedMail,
    data: {
      plan: await nameOf(ctx, subscription.planId, subscription),
      nextCharge: subscription.cancelAt === null ? nextChargeOf(subscription) : null,
    },
  })

/** Mails that the store revoked the cancellation, with the next charge. */
export const mailContinued = async (ctx: Ctx, subscription: SubscriptionRow) =>
  queueMemberMail(ctx, payer(subscription), {
    template: subscriptionContinuedMail,
    data: {
      plan: await nameOf(ctx, subscription.planId, subscription),
      nextCharge: nextChargeOf(subscription),
    },
  })

/** Mails that the store refunds a charge, or a part of it. */
export const mailChargeRefunded = async (ctx: Ctx, charge: ChargeRow, amount: Money) =>
  queueMemberMail(ctx, payer(charge), {
    template: subscriptionRefundedMail,
    data: { plan: await nameOf(ctx, charge.planId, charge), amount, paidAt: charge.createdAt },
  })

/** Mails that the store changed the plan now or at the renewal, or canceled a change. */
export const mailPlanChanged = async (
  ctx: Ctx,
  subscription: SubscriptionRow,
  { kind, refund = 0 }: { kind: 'NOW' | 'RENEWAL' | 'UNCHANGED'; refund?: number },
) => {
  const { planId, nextPlanId, currency } = subscription
  await queueMemberMail(ctx, payer(subscription), {
    template: subscriptionPlanChangedMail,
    data: {
      kind,
      plan: await nameOf(ctx, (kind === 'RENEWAL' ? nextPlanId : null) ?? planId, subscription),
      nextCharge: nextChargeOf(subscription),
      refund: refund > 0 ? { amount: refund, currency } : null,
    },
  })
}

/**
 * Mails that a trial that continues into paid periods ends soon, once for each end: staff may
 * extend a trial. `endingTrials` reads the key.
 */
export const mailTrialEnding = async (ctx: Ctx, subscription: SubscriptionRow) => {
  const planId = subscription.nextPlanId ?? subscription.planId
  const amount = subscription.nextPriceAmount ?? subscription.priceAmount
  const seconds = Math.floor(Date.parse(subscription.trialEndsAt ?? '') / 1000)
  await queueMemberMail(ctx, payer(subscription), {
    template: trialEndingMail,
    once: `trial-ending:${subscription.id}:${seconds}`,
    data: {
      plan: await nameOf(ctx, planId, subscription),
      amount: { amount, currency: subscription.currency },
      endsAt: subscription.trialEndsAt ?? '',
    },
  })
}
