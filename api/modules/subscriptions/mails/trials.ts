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
