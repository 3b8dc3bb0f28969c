import { planFacts, planMail } from '#api/modules/plans/plans.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import type { Money } from '#contract/money.ts'

const sample = {
  plan: 'Aurora Unlimited',
  amount: { amount: 999, currency: 'USD' },
  endsAt: '2026-12-05T03:04:05.000Z',
}

export interface TrialStarted {
  plan: string
  /** The next charge and its date. */
  amount: Money
  endsAt: string
}

/** Sent when a trial starts, with its end and the first charge. */
export const trialStartedMail: MailTemplate<TrialStarted> = {
  name: 'trial-started',
  samples: [sample],
  content: ({ plan, ...data }, { i18n, money, dateTime }) => {
    const [amount, end] = [money(data.amount), dateTime(data.endsAt)]
    return planMail(i18n, {
      title: i18n._('Your free trial of {plan} has started', { plan }),
      text: i18n._(
        'It’s free until {end}. After that, your card will be charged {amount}. Cancel before then and you won’t be charged. We’ll remind you before your trial ends.',
        { end, amount },
      ),
      facts: [planFacts.plan(i18n, plan), planFacts.nextPayment(i18n, end, amount)],
    })
  },
}

export interface TrialEnding {
  plan: string
  amount: Money
  endsAt: string
}

/** Sent before a trial ends and the first charge follows. */
export const trialEndingMail: MailTemplate<TrialEnding> = {
  name: 'trial-ending',
  samples: [sample],
  content: ({ plan, ...data }, { i18n, money, dateTime }) => {
    const [amount, end] = [money(data.amount), dateTime(data.endsAt)]
    return planMail(i18n, {
      title: i18n._('Your free trial of {plan} ends on {end}', { plan, end }),
      text: i18n._('Your card will then be charged {amount}. Cancel before that and you won’t be charged.', { amount }),
      facts: [planFacts.plan(i18n, plan), planFacts.nextPayment(i18n, end, amount)],
    })
  },
}

export interface RenewalFailed {
  plan: string
  amount: Money
  card: string | null
  nextAttemptAt: string
  graceUntil: string
}

/** Sent when a renewal fails. It is retried, and access continues for a while. */
export const renewalFailedMail: MailTemplate<RenewalFailed> = {
  name: 'renewal-failed',
  samples: [
    {
      plan: sample.plan,
      amount: sample.amount,
      card: 'VISA 4242',
      nextAttemptAt: '2026-11-24T03:04:05.000Z',
      graceUntil: '2026-11-28T03:04:05.000Z',
    },
  ],
  content: ({ plan, amount, card, nextAttemptAt, graceUntil }, { i18n, money, day }) =>
    planMail(i18n, {
      title: i18n._('We couldn’t renew {plan}', { plan }),
      text: i18n._(
        'Your card was declined. You can keep watching until {graceUntil}, and we’ll try again on {nextAttempt}. To renew right away, use another card.',
        { graceUntil: day(graceUntil), nextAttempt: day(nextAttemptAt) },
      ),
      facts: [planFacts.plan(i18n, plan), planFacts.amount(i18n, money(amount)), ...planFacts.card(i18n, card)],
    }),
}

interface SubscriptionContinued {
  plan: string
  nextCharge: { at: string; amount: Money } | null
}

/** Sent when the store revokes the cancellation of a subscription. */
export const subscriptionContinuedMail: MailTemplate<SubscriptionContinued> = {
  name: 'subscription-continued',
  samples: [
    { plan: sample.plan, nextCharge: { at: sample.endsAt, amount: sample.amount } },
    { plan: sample.plan, nextCharge: null },
  ],
  content: ({ plan, nextCharge }, { i18n, day, money }) =>
    planMail(i18n, {
      title: i18n._('Your subscription to {plan} continues', { plan }),
      text: i18n._(
        'We revoked the cancellation of your subscription, so it renews as before. You can cancel it at any time.',
      ),
      facts: [
        planFacts.plan(i18n, plan),
        ...(nextCharge ? [planFacts.nextPayment(i18n, day(nextCharge.at), money(nextCharge.amount))] : []),
      ],
    }),
}

interface SubscriptionRefunded {
  plan: string
  amount: Money
  /** When the refunded charge was paid. */
  paidAt: string
}

/** Sent when the store refunds a charge, or a part of it. */
export const subscriptionRefundedMail: MailTemplate<SubscriptionRefunded> = {
  name: 'subscription-refunded',
  samples: [{ plan: sample.plan, amount: sample.amount, paidAt: '2026-11-21T03:04:05.000Z' }],
  content: ({ plan, amount, paidAt }, { i18n, day, money }) =>
    planMail(i18n, {
      title: i18n._('We refunded {amount}', { amount: money(amount) }),
      text: i18n._(
        'We’re refunding a part or all of your payment of {day}. It may take a few days to appear on your statement. Your subscription stays as it is.',
        { day: day(paidAt) },
      ),
      facts: [planFacts.plan(i18n, plan), planFacts.amount(i18n, money(amount))],
    }),
}
