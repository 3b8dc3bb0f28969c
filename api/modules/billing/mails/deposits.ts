import type { MailTemplate } from '#api/platform/mail/render.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { BankAccount } from '#contract/orders.ts'
import { accountFacts, orderFacts, orderMail, orderSample } from './order-mail.ts'

const { code, amount, titles, account, dueAt } = orderSample

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
}

/**
 * Sent when the bank reverses a deposit. The order waits for payment again, and its titles are
 * suspended until then.
 */
export const depositReversedMail: MailTemplate<DepositReversed> = {
  name: 'deposit-reversed',
  samples: [
    { code, amount, dueAt },
    { code, amount, dueAt: null },
  ],
  content: (data, { i18n, money, dateTime }) =>
    orderMail(i18n, data.code, {
      title: i18n._('Your bank reversed your transfer'),
      text: i18n._('Your order is awaiting payment again. You can’t open its titles until your transfer arrives.'),
      facts: [
        orderFacts.amount(i18n, money(data.amount)),
        orderFacts.payBy(i18n, data.dueAt ? dateTime(data.dueAt) : '–'),
      ],
      note: i18n._('If you didn’t request this, contact your bank or our support team.'),
    }),
}

interface DepositExpired {
  code: OrderCode
  amount: Money
}

/** Sent when the deadline passes without a deposit. */
export const depositExpiredMail: MailTemplate<DepositExpired> = {
  name: 'deposit-expired',
  samples: [{ code, amount }],
  content: (data, { i18n, money }) =>
    orderMail(i18n, data.code, {
      title: i18n._('Your order was canceled because we didn’t receive your transfer'),
      text: i18n._(
        'You haven’t been charged and owe nothing. Please don’t transfer to this account anymore. Any late transfer will be refunded.',
      ),
      facts: [orderFacts.amount(i18n, money(data.amount))],
    }),
}
