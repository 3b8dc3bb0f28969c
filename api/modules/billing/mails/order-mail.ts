import type { Block, MailContent, Wording } from '#api/platform/mail/template.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { BankAccount } from '#contract/orders.ts'

/** Words that every mail about an order shares. */
export const orderWords = {
  en: {
    order: 'Order number',
    amount: 'Amount',
    bank: 'Bank',
    number: 'Account number',
    holder: 'Account holder',
    until: 'Pay by',
    products: 'Items',
    see: 'View order',
  },
  ko: {
    order: '주문 번호',
    amount: '금액',
    bank: '은행',
    number: '계좌 번호',
    holder: '예금주',
    until: '입금 기한',
    products: '상품',
    see: '주문 보기',
  },
  ja: {
    order: 'ご注文番号',
    amount: '金額',
    bank: '銀行',
    number: '口座番号',
    holder: '口座名義',
    until: 'お振り込み期限',
    products: '商品',
    see: 'ご注文を見る',
  },
  ar: {
    order: 'رقم الطلب',
    amount: 'المبلغ',
    bank: 'البنك',
    number: 'رقم الحساب',
    holder: 'صاحب الحساب',
    until: 'آخر موعد للدفع',
    products: 'المنتجات',
    see: 'عرض الطلب',
  },
} as const satisfies Record<Locale, Record<string, string>>

type Fact = readonly [label: string, value: string]

/** Where to pay, as rows of a table. */
export const accountFacts = (locale: Locale, account: BankAccount, { moment }: Wording): Fact[] => {
  const words = orderWords[locale]
  return [
    [words.bank, account.bank],
    [words.number, account.number],
    [words.holder, account.holder],
    [words.until, moment(account.dueAt)],
  ]
}

/** A mail about one order: what happened, the facts, the way to the order, and what holds besides. */
export const orderMail = (
  locale: Locale,
  code: string,
  said: { title: string; text: string; facts: readonly Fact[]; quote?: string | null; note?: string | null },
): MailContent => {
  const words = orderWords[locale]
  const blocks: Block[] = [{ kind: 'text', text: said.text }]
  if (said.quote) blocks.push({ kind: 'quote', text: said.quote })
  blocks.push({ kind: 'facts', facts: [[words.order, code], ...said.facts] })
  blocks.push({ kind: 'link', label: words.see, path: `/mypages/order-histories/${code}` })
  if (said.note) blocks.push({ kind: 'note', text: said.note })
  // A subject has no markup to keep the code in its order within a line from right to left.
  const spelt = locale === 'ar' ? `\u2066${code}\u2069` : code
  return { subject: `${said.title} (${spelt})`, title: said.title, blocks }
}
