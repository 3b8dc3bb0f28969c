import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { orderMail, orderWords } from '../order-mail.ts'
import { mailTemplate, type Wording } from '../template.ts'

interface RefundDone {
  code: string
  amount: Money
  titles: readonly string[]
}

const facts = (locale: Locale, { amount, titles }: RefundDone, { money }: Wording) => [
  [orderWords[locale].products, titles.join('\n')] as const,
  [orderWords[locale].amount, money(amount)] as const,
]

/** The money of an order, or of a part of it, has gone back. */
export const refundDoneMail = mailTemplate<RefundDone>('refund-done', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: `We refunded ${wording.money(data.amount)}`,
      text: 'Your refund is on its way. It may take a few days to appear on your statement.',
      facts: facts('en', data, wording),
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `${wording.money(data.amount)} 환불이 완료됐어요`,
      text: '환불이 처리됐어요. 은행이나 카드사에 따라 며칠 걸릴 수 있어요.',
      facts: facts('ko', data, wording),
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: `${wording.money(data.amount)}を返金しました`,
      text: '返金の手続きが完了しました。銀行やカード会社の明細に反映されるまで数日かかることがあります。',
      facts: facts('ja', data, wording),
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: `أُعيد إليك ${wording.money(data.amount)}`,
      text: 'المبلغ في طريقه إليك. قد يستغرق ظهوره لدى البنوك وشركات البطاقات بضعة أيام.',
      facts: facts('ar', data, wording),
    }),
})
