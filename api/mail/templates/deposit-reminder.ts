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
      title: 'We haven’t received your transfer yet',
      text: `Your transfer is due by ${wording.moment(data.dueAt)}. After that, your order is canceled automatically and you owe nothing.`,
      facts: facts('en', data, wording),
      note: 'If you’ve already paid, you don’t need to do anything. Bank transfers can take a while to arrive. You can also pay by card instead.',
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: '아직 입금이 확인되지 않았어요',
      text: `입금 기한은 ${wording.moment(data.dueAt)}까지예요. 기한이 지나면 주문이 자동으로 취소되고, 결제되는 금액은 없어요.`,
      facts: facts('ko', data, wording),
      note: '이미 입금했다면 은행 사정에 따라 확인이 늦어질 수 있으니 기다려 주세요. 카드로 결제할 수도 있어요.',
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
