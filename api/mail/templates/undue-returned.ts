import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { orderMail, orderWords } from '../order-mail.ts'
import { mailTemplate, type Wording } from '../template.ts'

interface UndueReturned {
  code: string
  amount: Money
}

const facts = (locale: Locale, { amount }: UndueReturned, { money }: Wording) => [
  [orderWords[locale].amount, money(amount)] as const,
]

/** Money that the order could not take has gone back. */
export const undueReturnedMail = mailTemplate<UndueReturned>('undue-returned', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: `We refunded your unexpected payment of ${wording.money(data.amount)}`,
      text: 'We received a payment we couldn’t apply to your order because the amount was different or the deadline had passed. Your refund is on its way.',
      facts: facts('en', data, wording),
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `잘못 입금된 ${wording.money(data.amount)}을 환불해 드렸어요`,
      text: '금액이 다르거나 기한이 지나 주문에 적용하지 못한 입금을 환불해 드렸어요.',
      facts: facts('ko', data, wording),
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: `お支払いに充てられなかった${wording.money(data.amount)}を返金しました`,
      text: '金額または時期が合わず、ご注文に充てられない入金がありましたので、返金の手続きを行いました。',
      facts: facts('ja', data, wording),
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: `أُعيد إليك ${wording.money(data.amount)} لم يكن مستحقًا`,
      text: 'وصلت دفعة تعذّر قبولها لطلبك بسبب مبلغها أو موعدها، وهي في طريقها إليك.',
      facts: facts('ar', data, wording),
    }),
})
