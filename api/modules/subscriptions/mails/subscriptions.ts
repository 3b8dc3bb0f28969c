import { planFacts, planMail } from '#api/modules/plans/plans.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import type { Money } from '#contract/money.ts'

const plan = 'Aurora Unlimited'
const amount: Money = { amount: 999, currency: 'USD' }

export interface SubscriptionCancelled {
  plan: string
  /** The time until which the plan's titles remain available. */
  endsAt: string
  /** True if the subscription ended at once because nothing had been paid for the time since. */
  immediate: boolean
  /** True if the store cancelled it. Absent in older mails, of members who did so themselves. */
  byStore?: boolean
  /** What the store refunds. */
  refund?: Money | null
}

const textOf = ({ immediate, byStore }: SubscriptionCancelled, until: string, i18n: I18n) => {
  if (immediate)
    return byStore
      ? i18n._('We canceled your subscription. You won’t be charged again.')
      : i18n._('You canceled your subscription. You won’t be charged again.')
  return byStore
    ? i18n._('We canceled your subscription. You won’t be charged again, and you can keep watching until {until}.', {
        until,
      })
    : i18n._('You canceled your subscription. You won’t be charged again, and you can keep watching until {until}.', {
        until,
      })
}

/**
 * Sent when a member or the store cancels: the last day of access, that no further charge follows,
 * and what is refunded.
 */
export const subscriptionCancelledMail: MailTemplate<SubscriptionCancelled> = {
  name: 'subscription-cancelled',
  samples: [
    { plan, endsAt: '2026-12-21T03:04:05.000Z', immediate: false },
    { plan, endsAt: '2026-11-21T03:04:05.000Z', immediate: true },
    { plan, endsAt: '2026-12-21T03:04:05.000Z', immediate: false, byStore: true },
    { plan, endsAt: '2026-11-21T03:04:05.000Z', immediate: true, byStore: true, refund: amount },
  ],
  content: (data, { i18n, dateTime, money }) => {
    const { immediate, byStore, refund } = data
    const until = dateTime(data.endsAt)
    return planMail(i18n, {
      title: immediate
        ? i18n._('Your subscription to {plan} has ended', { plan: data.plan }, { context: 'canceled by the member' })
        : i18n._('Your subscription to {plan} ends on {until}', { plan: data.plan, until }),
      text: textOf(data, until, i18n),
      facts: [
        planFacts.plan(i18n, data.plan),
        [i18n._('Ends'), until],
        ...(refund ? [[i18n._('Refund'), money(refund)] as const] : []),
      ],
      note: immediate || byStore ? null : i18n._('Changed your mind? You can undo the cancellation until then.'),
    })
  },
}

interface SubscriptionExtended {
  plan: string
  days: number
  until: string
  /** Whether a payment follows at the new end. */
  isCharged: boolean
}

/** Sent when the store adds free days to a subscription. */
export const subscriptionExtendedMail: MailTemplate<SubscriptionExtended> = {
  name: 'subscription-extended',
  samples: [
    { plan, days: 14, until: '2026-12-21T03:04:05.000Z', isCharged: true },
    { plan, days: 1, until: '2026-12-21T03:04:05.000Z', isCharged: false },
  ],
  content: ({ plan, days, until, isCharged }, { i18n, dateTime }) =>
    planMail(i18n, {
      title: i18n._('We extended your subscription to {plan}', { plan }),
      text: i18n._(
        'We added {days, plural, one {{days} day} other {{days} days}} to your subscription, free of charge.',
        {
          days,
        },
      ),
      facts: [planFacts.plan(i18n, plan), [isCharged ? i18n._('Next payment') : i18n._('Ends'), dateTime(until)]],
      note: null,
    }),
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
