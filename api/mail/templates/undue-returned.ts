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
      title: `${wording.money(data.amount)} that was not due has been given back`,
      text: 'A payment came that your order could not take, because of its amount or its time. It is on its way back to you.',
      facts: facts('en', data, wording),
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `잘못 입금된 금액(${wording.money(data.amount)})을 돌려드렸습니다`,
      text: '금액이나 시점이 맞지 않아 주문에 사용할 수 없는 결제가 있었습니다. 해당 금액을 돌려드렸습니다.',
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
