import type { I18n } from '#api/platform/i18n/messages.ts'
import type { Block, Fact, MailContent, MailFormats } from '#api/platform/mail/render.ts'
import { directionOf } from '#contract/direction.ts'
import { type OrderCode, orderCode } from '#contract/ids.ts'
import type { BankAccount } from '#contract/orders.ts'

/** Labels that several order mails share. */
export const orderFacts = {
  amount: (i18n: I18n, amount: string): Fact => [i18n._('Amount'), amount],
  payBy: (i18n: I18n, deadline: string): Fact => [i18n._('Pay by'), deadline],
  items: (i18n: I18n, items: readonly string[]): Fact => [i18n._('Items'), items.join('\n')],
}

/** The account to pay into, as table rows. */
export const accountFacts = (account: BankAccount, { i18n, dateTime }: MailFormats): Fact[] => [
  [i18n._('Bank'), account.bank],
  [i18n._('Account number'), account.number],
  [i18n._('Account holder'), account.holder],
  orderFacts.payBy(i18n, dateTime(account.dueAt)),
]

interface OrderMail {
  title: string
  text: string
  facts: readonly Fact[]
  quote?: string
  note?: string | null
}

/** Builds a mail about one order: the event, the facts, a link to the order and a note. */
export const orderMail = (i18n: I18n, code: OrderCode, { title, text, facts, quote, note }: OrderMail): MailContent => {
  const blocks: Block[] = [{ kind: 'text', text }]
  if (quote) blocks.push({ kind: 'quote', text: quote })
  blocks.push({ kind: 'facts', facts: [[i18n._('Order number'), code], ...facts] })
  blocks.push({ kind: 'link', label: i18n._('View order'), path: `/mypages/order-histories/${code}` })
  if (note) blocks.push({ kind: 'note', text: note })
  // A subject has no markup, so control characters isolate the code in a right-to-left line.
  const isolated = directionOf(i18n.locale) === 'rtl' ? `\u2066${code}\u2069` : code
  return { subject: `${title} (${isolated})`, title, blocks }
}

const sampleCode = orderCode.parse('20261121-7K3M9P')
const price = { amount: 1299, currency: 'USD' }

/** Data that the samples of order mails share. */
export const orderSample = {
  code: sampleCode,
  amount: price,
  titles: ['Lanterns', 'The Tide'],
  dueAt: '2026-11-28T03:04:05.000Z',
  account: {
    bank: 'Sandbox Bank',
    number: '7000-0000-000017',
    holder: 'Aurora',
    dueAt: '2026-11-28T03:04:05.000Z',
  } satisfies BankAccount,
}
