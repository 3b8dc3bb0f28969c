import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { orderMail, orderWords } from '../order-mail.ts'
import { mailTemplate, type Wording } from '../template.ts'

interface RefundAccountWanted {
  code: string
  amount: Money
  /** UNDUE: money that the order could not take. REFUSED: the bank refused the account that was given. REFUND: the store refunds. */
  why: 'UNDUE' | 'REFUSED' | 'REFUND'
}

const facts = (locale: Locale, { amount }: RefundAccountWanted, { money }: Wording) => [
  [orderWords[locale].amount, money(amount)] as const,
]

/** Money waits to go back by bank, and the account for it is missing. */
export const refundAccountMail = mailTemplate<RefundAccountWanted>('refund-account', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: `Tell us where to send your ${wording.money(data.amount)} refund`,
      text: {
        UNDUE:
          'We received a payment we can’t apply to your order because the amount was different or nothing was due. Enter your bank account on the order page and we’ll refund it.',
        REFUSED:
          'We couldn’t send your refund to the bank account you provided. Enter another account on the order page.',
        REFUND: 'We’re refunding your order. Enter the bank account for your refund on the order page.',
      }[data.why],
      facts: facts('en', data, wording),
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `${wording.money(data.amount)} 환불 계좌를 알려 주세요`,
      text: {
        UNDUE:
          '금액이 다르거나 입금할 금액이 없어 주문에 적용하지 못한 입금이 있어요. 주문 상세에서 환불 계좌를 입력해 주세요.',
        REFUSED: '알려 주신 환불 계좌로 입금하지 못했어요. 주문 상세에서 다른 계좌를 입력해 주세요.',
        REFUND: '주문을 환불해 드려요. 주문 상세에서 환불 계좌를 입력해 주세요.',
      }[data.why],
      facts: facts('ko', data, wording),
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: `${wording.money(data.amount)}の返金先をお知らせください`,
      text: {
        UNDUE:
          '金額が異なる、またはお支払いの必要がないときに届いたため、ご注文に充てられない入金があります。ご注文ページで返金先の口座をお知らせください。',
        REFUSED: 'お知らせいただいた返金先の口座に送金できませんでした。ご注文ページで別の口座をお知らせください。',
        REFUND: 'ご注文を返金いたします。ご注文ページで返金先の口座をお知らせください。',
      }[data.why],
      facts: facts('ja', data, wording),
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: `إلى أي حساب نعيد ${wording.money(data.amount)}؟`,
      text: {
        UNDUE:
          'وصل مبلغ لا يمكننا قبوله لطلبك: إما أنه مختلف أو وصل حين لم يكن مستحقًا. أخبرنا في صفحة الطلب بالحساب الذي نعيده إليه.',
        REFUSED: 'رفض البنك الحساب الذي حددته. يُرجى تحديد حساب آخر في صفحة الطلب.',
        REFUND: 'نعيد إليك مبلغ طلبك. يُرجى تحديد الحساب البنكي الذي يُحوَّل إليه المبلغ في صفحة الطلب.',
      }[data.why],
      facts: facts('ar', data, wording),
    }),
})
