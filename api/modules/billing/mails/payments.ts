import { planMail } from '#api/modules/plans/plans.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { BankAccount } from '#contract/orders.ts'
import { accountFacts, orderFacts, orderMail, orderSample } from './order-mail.ts'

const { code, amount, titles, account, dueAt } = orderSample

interface ReceiptMail {
  code: OrderCode
  items: readonly { title: string; option: string; price: Money }[]
  total: Money
  paidAt: string
  /** Days in which unopened items can be refunded. Null if nothing was paid. */
  refundDays: number | null
  /** The store gave the titles for nothing. Absent in older mails. */
  complimentary?: boolean
}

const sample: ReceiptMail = {
  code: orderSample.code,
  items: [
    { title: 'Lanterns', option: 'To own', price: { amount: 999, currency: 'USD' } },
    { title: 'The Tide', option: '48 hours', price: { amount: 300, currency: 'USD' } },
  ],
  total: { amount: 1299, currency: 'USD' },
  paidAt: '2026-11-21T03:04:05.000Z',
  refundDays: 7,
}

/** Sent as soon as an order is paid. */
export const receiptMail: MailTemplate<ReceiptMail> = {
  name: 'receipt',
  samples: [
    sample,
    { ...sample, refundDays: 1 },
    { ...sample, refundDays: null },
    { ...sample, total: { amount: 0, currency: 'USD' }, refundDays: null, complimentary: true },
  ],
  content: ({ code, items, total, paidAt, refundDays, complimentary }, { i18n, money, dateTime }) =>
    orderMail(i18n, code, {
      title: complimentary ? i18n._('You have new titles') : i18n._('Your receipt'),
      text: complimentary
        ? i18n._('These titles are a gift from us, free of charge. They are available now and yours to keep.')
        : i18n._(
            'Thank you for your order. Your titles are available now. You can print the receipt from your order page.',
          ),
      facts: [
        orderFacts.items(
          i18n,
          items.map(({ title, option, price }) => `${title} · ${option} · ${money(price)}`),
        ),
        [i18n._('Total'), money(total)],
        [i18n._('Payment date'), dateTime(paidAt)],
      ],
      note:
        refundDays === null
          ? null
          : i18n._(
              'You can get a refund within {days, plural, one {{days} day} other {{days} days}} for anything you haven’t played or downloaded.',
              { days: refundDays },
            ),
    }),
}

export interface CardExpiring {
  /** Issuer and last four digits. */
  card: string
  /** As printed on the card: `08/30`. */
  expiry: string
}

/** Sent when a card that pays for something expires soon. */
export const cardExpiringMail: MailTemplate<CardExpiring> = {
  name: 'card-expiring',
  samples: [{ card: 'VISA 4242', expiry: '08/30' }],
  content: ({ card, expiry }, { i18n }) =>
    planMail(i18n, {
      title: i18n._('Your card {card} expires soon', { card }),
      text: i18n._('Replace it before your plan renews to keep watching without interruption.'),
      facts: [[i18n._('Card'), `${card} · ${expiry}`]],
      to: 'cards',
    }),
}

interface RefundAccountWanted {
  code: OrderCode
  amount: Money
  /**
   * UNAPPLIED: the order could not accept the money. REFUSED: the bank refused the given account.
   * REFUND: the store refunds.
   */
  why: 'UNAPPLIED' | 'REFUSED' | 'REFUND'
}

/** Sent when a bank refund has no account to go to. */
export const refundAccountMail: MailTemplate<RefundAccountWanted> = {
  name: 'refund-account',
  samples: [
    { code, amount, why: 'UNAPPLIED' },
    { code, amount, why: 'REFUSED' },
    { code, amount, why: 'REFUND' },
  ],
  content: (data, { i18n, money }) => {
    const texts = {
      UNAPPLIED: i18n._(
        'We received a payment we can’t apply to your order because the amount was different or nothing was due. Enter your bank account on the order page and we’ll refund it.',
      ),
      REFUSED: i18n._(
        'We couldn’t send your refund to the bank account you provided. Enter another account on the order page.',
      ),
      REFUND: i18n._('We’re refunding your order. Enter the bank account for your refund on the order page.'),
    }
    return orderMail(i18n, data.code, {
      title: i18n._('Tell us where to send your {amount} refund', { amount: money(data.amount) }),
      text: texts[data.why],
      facts: [orderFacts.amount(i18n, money(data.amount))],
    })
  },
}

interface RefundDone {
  code: OrderCode
  amount: Money
  titles: readonly string[]
}

/** Sent when an order, or a part of it, is refunded. */
export const refundDoneMail: MailTemplate<RefundDone> = {
  name: 'refund-done',
  samples: [{ code, amount, titles }],
  content: (data, { i18n, money }) =>
    orderMail(i18n, data.code, {
      title: i18n._('We refunded {amount}', { amount: money(data.amount) }),
      text: i18n._('Your refund is on its way. It may take a few days to appear on your statement.'),
      facts: [orderFacts.items(i18n, data.titles), orderFacts.amount(i18n, money(data.amount))],
    }),
}

interface RefundRejected {
  code: OrderCode
  /** The text that the store's team wrote. */
  reason: string
}

/** Sent when the store's team rejects a refund request, with the reason. */
export const refundRejectedMail: MailTemplate<RefundRejected> = {
  name: 'refund-rejected',
  samples: [{ code, reason: 'The film was watched to its end.\nOur refund policy does not cover that.' }],
  content: (data, { i18n }) =>
    orderMail(i18n, data.code, {
      title: i18n._('We couldn’t approve your refund request'),
      text: i18n._('We reviewed your request and couldn’t approve it. You can use what you bought again. Here’s why:'),
      quote: data.reason,
      facts: [],
    }),
}

interface UnappliedReturned {
  code: OrderCode
  amount: Money
}

/** Sent when an unapplied payment is refunded. */
export const unappliedReturnedMail: MailTemplate<UnappliedReturned> = {
  name: 'unapplied-returned',
  samples: [{ code, amount }],
  content: (data, { i18n, money }) =>
    orderMail(i18n, data.code, {
      title: i18n._('We refunded your unexpected payment of {amount}', { amount: money(data.amount) }),
      text: i18n._(
        'We received a payment we couldn’t apply to your order because the amount was different or the deadline had passed. Your refund is on its way.',
      ),
      facts: [orderFacts.amount(i18n, money(data.amount))],
    }),
}

interface DepositIssued {
  code: OrderCode
  titles: readonly string[]
  amount: Money
  account: BankAccount
}

/** Sent when an account is issued for an order, with the exact amount and the deadline. */
export const depositIssuedMail: MailTemplate<DepositIssued> = {
  name: 'deposit-issued',
  samples: [{ code, titles, amount, account }],
  content: (data, formats) => {
    const { i18n, money, dateTime } = formats
    return orderMail(i18n, data.code, {
      title: i18n._('Transfer {amount} by {deadline}', {
        amount: money(data.amount),
        deadline: dateTime(data.account.dueAt),
      }),
      text: i18n._(
        'Thank you for your order. Transfer the exact amount to the account below. Your titles are available as soon as it arrives.',
      ),
      facts: [
        orderFacts.items(i18n, data.titles),
        orderFacts.amount(i18n, money(data.amount)),
        ...accountFacts(data.account, formats),
      ],
      note: i18n._('This account number is for this order only. Other amounts can’t be accepted and will be refunded.'),
    })
  },
}

interface DepositReminder {
  code: OrderCode
  amount: Money
  /** Null if no account is open because the member tried another method. */
  account: BankAccount | null
  dueAt: string
}

/** Sent a day before a deposit's deadline. */
export const depositReminderMail: MailTemplate<DepositReminder> = {
  name: 'deposit-reminder',
  samples: [
    { code, amount, account, dueAt },
    { code, amount, account: null, dueAt },
  ],
  content: (data, formats) => {
    const { i18n, money, dateTime } = formats
    return orderMail(i18n, data.code, {
      title: i18n._('We haven’t received your transfer yet'),
      text: i18n._(
        'Your transfer is due by {deadline}. After that, your order is canceled automatically and you owe nothing.',
        { deadline: dateTime(data.dueAt) },
      ),
      facts: [
        orderFacts.amount(i18n, money(data.amount)),
        ...(data.account ? accountFacts(data.account, formats) : [orderFacts.payBy(i18n, dateTime(data.dueAt))]),
      ],
      note: i18n._(
        'If you’ve already paid, you don’t need to do anything. Bank transfers can take a while to arrive. You can also pay by card instead.',
      ),
    })
  },
}

interface DepositReversed {
  code: OrderCode
  amount: Money
  dueAt: string | null
  /** It was the store, not the bank or the deadline. Absent in older mails. */
  byStore?: boolean
}

/**
 * Sent when the bank reverses a deposit, or the store undoes one that it had recorded by mistake.
 * The order waits for payment again.
 */
export const depositReversedMail: MailTemplate<DepositReversed> = {
  name: 'deposit-reversed',
  samples: [
    { code, amount, dueAt },
    { code, amount, dueAt: null },
    { code, amount, dueAt, byStore: true },
  ],
  content: (data, { i18n, money, dateTime }) =>
    orderMail(i18n, data.code, {
      title: data.byStore ? i18n._('Your order is awaiting payment again') : i18n._('Your bank reversed your transfer'),
      text: data.byStore
        ? i18n._(
            'We marked it as paid by mistake: we haven’t received your transfer. You can’t open its titles until you pay.',
          )
        : i18n._('Your order is awaiting payment again. You can’t open its titles until your transfer arrives.'),
      facts: [
        orderFacts.amount(i18n, money(data.amount)),
        orderFacts.payBy(i18n, data.dueAt ? dateTime(data.dueAt) : '–'),
      ],
      note: data.byStore
        ? i18n._(
            'Earlier account numbers are closed: open your order to choose how to pay. If you’ve already paid, contact our support team.',
          )
        : i18n._('If you didn’t request this, contact your bank or our support team.'),
    }),
}

/** Sent when the deadline passes without a deposit, or staff cancel the order before it. */
export const depositExpiredMail: MailTemplate<Omit<DepositReversed, 'dueAt'>> = {
  name: 'deposit-expired',
  samples: [
    { code, amount },
    { code, amount, byStore: true },
  ],
  content: (data, { i18n, money }) =>
    orderMail(i18n, data.code, {
      title: data.byStore
        ? i18n._('Your order was canceled')
        : i18n._('Your order was canceled because we didn’t receive your transfer'),
      text: i18n._(
        'You haven’t been charged and owe nothing. Please don’t transfer to this account anymore. Any late transfer will be refunded.',
      ),
      facts: [orderFacts.amount(i18n, money(data.amount))],
    }),
}
