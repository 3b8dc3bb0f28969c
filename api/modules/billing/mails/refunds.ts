import type { MailTemplate } from '#api/platform/mail/template.ts'
import type { Money } from '#contract/money.ts'
import { orderFacts, orderMail, orderSample } from './order-mail.ts'

const { code, amount, titles } = orderSample

interface RefundAccountWanted {
  code: string
  amount: Money
  /** UNAPPLIED: money that the order could not take. REFUSED: the bank refused the account that was given. REFUND: the store refunds. */
  why: 'UNAPPLIED' | 'REFUSED' | 'REFUND'
}

/** Money is to be refunded by bank, and the account for it is missing. */
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
  code: string
  amount: Money
  titles: readonly string[]
}

/** The money of an order, or of a part of it, was refunded. */
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
  code: string
  /** As the store's team wrote it. */
  reason: string
}

/** The store's team rejected a request for a refund, and why. */
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
  code: string
  amount: Money
}

/** Money that the order could not take was refunded. */
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
