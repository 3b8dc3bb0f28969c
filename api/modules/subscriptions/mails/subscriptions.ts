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

interface SubscriptionPaused {
  plan: string
  /** The end of access. Null if it has ended. */
  until: string | null
  /** Null until the store resumes it. */
  resumeAt: string | null
}

/** Sent when the store pauses a subscription, or changes when it resumes. */
export const subscriptionPausedMail: MailTemplate<SubscriptionPaused> = {
  name: 'subscription-paused',
  samples: [
    { plan, until: '2026-12-21T03:04:05.000Z', resumeAt: '2027-03-01T00:00:00.000Z' },
    { plan, until: null, resumeAt: null },
  ],
  content: ({ plan, until, resumeAt }, { i18n, dateTime, day }) =>
    planMail(i18n, {
      title: i18n._('Your subscription to {plan} is paused', { plan }),
      text: until
        ? i18n._('You can keep watching until {until}. You won’t be charged while it’s paused.', {
            until: dateTime(until),
          })
        : i18n._('You can’t watch the titles in this plan for now. You won’t be charged while it’s paused.'),
      facts: [planFacts.plan(i18n, plan), ...(resumeAt ? [[i18n._('Resumes'), day(resumeAt)] as const] : [])],
      note: resumeAt
        ? i18n._('Your plan resumes on that day, and your card is charged for the next period.')
        : i18n._('Resume it in your account whenever you like.'),
    }),
}

interface NextCharge {
  at: string
  amount: Money
}

interface SubscriptionResumed {
  plan: string
  nextCharge: NextCharge | null
}

const nextCharge: NextCharge = { at: '2026-12-21T03:04:05.000Z', amount }

/** Sent when a paused subscription resumes. */
export const subscriptionResumedMail: MailTemplate<SubscriptionResumed> = {
  name: 'subscription-resumed',
  samples: [
    { plan, nextCharge },
    { plan, nextCharge: null },
  ],
  content: ({ plan, nextCharge }, { i18n, day, money }) =>
    planMail(i18n, {
      title: i18n._('Your subscription to {plan} has resumed', { plan }),
      text: i18n._('You can watch every title in your plan again.'),
      facts: [
        planFacts.plan(i18n, plan),
        ...(nextCharge ? [planFacts.nextPayment(i18n, day(nextCharge.at), money(nextCharge.amount))] : []),
      ],
    }),
}

interface SubscriptionPlanChanged {
  /** NOW: it applies. UNCHANGED: a change that was scheduled for the renewal is canceled. */
  kind: 'NOW' | 'RENEWAL' | 'UNCHANGED'
  /** The chosen plan. */
  plan: string
  nextCharge: NextCharge | null
  refund: Money | null
}

const planTexts = (i18n: I18n, kind: SubscriptionPlanChanged['kind'], plan: string) =>
  ({
    NOW: {
      title: i18n._('Your plan is now {plan}', { plan }),
      text: i18n._('We changed your plan. It applies from now on.'),
    },
    RENEWAL: {
      title: i18n._('Your plan changes to {plan}', { plan }),
      text: i18n._('We scheduled this change for your next renewal. Your plan stays as it is until then.'),
    },
    UNCHANGED: {
      title: i18n._('You keep {plan}', { plan }),
      text: i18n._('We canceled the change of your plan. Your plan stays as it is.'),
    },
  })[kind]

/** Sent when the store changes the plan of a subscription: the plan, its next charge and refund. */
export const subscriptionPlanChangedMail: MailTemplate<SubscriptionPlanChanged> = {
  name: 'subscription-plan-changed',
  samples: [
    { kind: 'NOW', plan, nextCharge, refund: amount },
    { kind: 'RENEWAL', plan, nextCharge, refund: null },
    { kind: 'UNCHANGED', plan, nextCharge, refund: null },
  ],
  content: ({ kind, plan, nextCharge, refund }, { i18n, day, money }) =>
    planMail(i18n, {
      ...planTexts(i18n, kind, plan),
      facts: [
        planFacts.plan(i18n, plan),
        ...(nextCharge ? [planFacts.nextPayment(i18n, day(nextCharge.at), money(nextCharge.amount))] : []),
        ...(refund ? [[i18n._('Refund'), money(refund)] as const] : []),
      ],
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
