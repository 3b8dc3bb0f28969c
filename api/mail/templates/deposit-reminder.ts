import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import type { BankAccount } from '#contract/orders.ts'
import { accountFacts, orderMail, orderWords } from '../order-mail.ts'
import { mailTemplate, type Wording } from '../template.ts'

interface DepositReminder {
  code: string
  amount: Money
  /** Null where no account is open just now: another method was tried. */
  account: BankAccount | null
  dueAt: string
}

const facts = (locale: Locale, { amount, account, dueAt }: DepositReminder, wording: Wording) => {
  const { money, moment } = wording
  const sum = [orderWords[locale].amount, money(amount)] as const
  return account
    ? [sum, ...accountFacts(locale, account, wording)]
    : [sum, [orderWords[locale].until, moment(dueAt)] as const]
}

/** A day before a deposit's deadline. */
export const depositReminderMail = mailTemplate<DepositReminder>('deposit-reminder', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: 'Your order is still waiting for its deposit',
      text: `The time for it ends on ${wording.moment(data.dueAt)}. After that the order is cancelled by itself, and nothing is owed.`,
      facts: facts('en', data, wording),
      note: 'If you have paid already, there is nothing to do: banks sometimes need a moment. You may also pay by card instead.',
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: '아직 입금이 확인되지 않았습니다',
      text: `입금 기한은 ${wording.moment(data.dueAt)}입니다. 기한이 지나면 주문이 자동으로 취소되며 청구되는 금액은 없습니다.`,
      facts: facts('ko', data, wording),
      note: '이미 입금하셨다면 은행 처리에 시간이 걸릴 수 있으니 기다려 주세요. 카드로 결제하실 수도 있습니다.',
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: 'ご入金がまだ確認できていません',
      text: `お振り込み期限は${wording.moment(data.dueAt)}です。期限を過ぎるとご注文は自動的にキャンセルされ、請求は発生しません。`,
      facts: facts('ja', data, wording),
      note: 'すでにお振り込み済みの場合は、確認までしばらくお待ちください。カードでのお支払いに変更することもできます。',
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: 'ما زال طلبك ينتظر الإيداع',
      text: `تنتهي المهلة في ${wording.moment(data.dueAt)}. بعدها يُلغى الطلب تلقائيًا ولا يترتب عليك شيء.`,
      facts: facts('ar', data, wording),
      note: 'إن كنت قد دفعت فلا حاجة إلى شيء، فقد تحتاج البنوك إلى بعض الوقت. ويمكنك أيضًا الدفع بالبطاقة.',
    }),
})
