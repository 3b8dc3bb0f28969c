import { planFacts, planMail } from '#api/modules/plans/plan-mail.ts'
import type { MailTemplate } from '#api/platform/mail/template.ts'
import type { Money } from '#contract/money.ts'

const plan = 'Aurora Unlimited'
const amount: Money = { amount: 999, currency: 'USD' }

export interface SubscriptionCancelled {
  plan: string
  /** The time until which the plan's titles remain available. */
  endsAt: string
  /** True if the subscription ended at once because nothing had been paid for the time since. */
  immediate: boolean
}

/** Sent when a member cancels: the last day of access, and that no further charge follows. */
export const subscriptionCancelledMail: MailTemplate<SubscriptionCancelled> = {
  name: 'subscription-cancelled',
  samples: [
    { plan, endsAt: '2026-12-21T03:04:05.000Z', immediate: false },
    { plan, endsAt: '2026-11-21T03:04:05.000Z', immediate: true },
  ],
  content: ({ plan, endsAt, immediate }, { i18n, dateTime }) => {
    const until = dateTime(endsAt)
    return planMail(i18n, {
      title: immediate
        ? i18n._('Your subscription to {plan} has ended', { plan }, { context: 'canceled by the member' })
        : i18n._('Your subscription to {plan} ends on {until}', { plan, until }),
      text: immediate
        ? i18n._('You canceled your subscription. You won’t be charged again.')
        : i18n._(
            'You canceled your subscription. You won’t be charged again, and you can keep watching until {until}.',
            { until },
          ),
      facts: [planFacts.plan(i18n, plan), [i18n._('Ends'), until]],
      note: immediate ? null : i18n._('Changed your mind? You can undo the cancellation until then.'),
    })
  },
}

export interface SubscriptionReceipt {
  plan: string
  amount: Money
  /** Issuer and last four digits. Null if nothing was charged. */
  card: string | null
  periodStart: string
  periodEnd: string
  /** The charge at the end of the period. Null if there is none. */
  nextAmount: Money | null
}

const period = { periodStart: '2026-11-21T03:04:05.000Z', periodEnd: '2026-12-21T03:04:05.000Z' }

/** Sent when a charge for a plan is paid. */
export const subscriptionReceiptMail: MailTemplate<SubscriptionReceipt> = {
  name: 'subscription-receipt',
  samples: [
    { plan, amount, card: 'VISA 4242', ...period, nextAmount: amount },
    { plan, amount, card: null, ...period, nextAmount: null },
  ],
  content: ({ plan, amount, card, periodStart, periodEnd, nextAmount }, { i18n, money, day }) =>
    planMail(i18n, {
      title: i18n._('Your receipt for {plan}: {amount}', { plan, amount: money(amount) }),
      text: i18n._('Thank you. We charged your card for {plan}.', { plan }),
      facts: [
        planFacts.plan(i18n, plan),
        planFacts.amount(i18n, money(amount)),
        ...planFacts.card(i18n, card),
        [i18n._('Billing period'), `${day(periodStart)} – ${day(periodEnd)}`],
        ...(nextAmount ? [planFacts.nextPayment(i18n, day(periodEnd), money(nextAmount))] : []),
      ],
      note: i18n._(
        'Your plan renews automatically until you cancel. Cancel anytime and keep watching until the billing period ends.',
      ),
    }),
}

export interface SubscriptionUnpaid {
  plan: string
  amount: Money
}

/** Sent when the last retry of a renewal fails and the subscription ends. */
export const subscriptionUnpaidMail: MailTemplate<SubscriptionUnpaid> = {
  name: 'subscription-unpaid',
  samples: [{ plan, amount }],
  content: ({ plan, amount }, { i18n, money }) =>
    planMail(i18n, {
      title: i18n._('Your subscription to {plan} has ended', { plan }, { context: 'not paid' }),
      text: i18n._(
        'We tried several times but couldn’t charge your card. You won’t be charged again and owe nothing. You can resubscribe anytime.',
      ),
      facts: [planFacts.plan(i18n, plan), planFacts.amount(i18n, money(amount))],
    }),
}
