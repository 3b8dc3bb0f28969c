import { planMail } from '#api/modules/plans/plans.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { orderFacts, orderMail, orderSample } from './order-mail.ts'

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
