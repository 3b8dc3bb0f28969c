import { mailTemplate, type Wording } from '#api/platform/mail/template.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { orderMail, orderWords } from './order-mail.ts'

interface RefundAccountWanted {
  code: string
  amount: Money
  /** UNDUE: money that the order could not take. REFUSED: the bank refused the account that was given. REFUND: the store refunds. */
  why: 'UNDUE' | 'REFUSED' | 'REFUND'
}

const wantedAccountFacts = (locale: Locale, { amount }: RefundAccountWanted, { money }: Wording) => [
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
      facts: wantedAccountFacts('en', data, wording),
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
      facts: wantedAccountFacts('ko', data, wording),
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
      facts: wantedAccountFacts('ja', data, wording),
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
      facts: wantedAccountFacts('ar', data, wording),
    }),
})

interface RefundDone {
  code: string
  amount: Money
  titles: readonly string[]
}

const refundFacts = (locale: Locale, { amount, titles }: RefundDone, { money }: Wording) => [
  [orderWords[locale].products, titles.join('\n')] as const,
  [orderWords[locale].amount, money(amount)] as const,
]

/** The money of an order, or of a part of it, has gone back. */
export const refundDoneMail = mailTemplate<RefundDone>('refund-done', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: `We refunded ${wording.money(data.amount)}`,
      text: 'Your refund is on its way. It may take a few days to appear on your statement.',
      facts: refundFacts('en', data, wording),
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `${wording.money(data.amount)} 환불이 완료됐어요`,
      text: '환불이 처리됐어요. 은행이나 카드사에 따라 며칠 걸릴 수 있어요.',
      facts: refundFacts('ko', data, wording),
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: `${wording.money(data.amount)}を返金しました`,
      text: '返金の手続きが完了しました。銀行やカード会社の明細に反映されるまで数日かかることがあります。',
      facts: refundFacts('ja', data, wording),
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: `أُعيد إليك ${wording.money(data.amount)}`,
      text: 'المبلغ في طريقه إليك. قد يستغرق ظهوره لدى البنوك وشركات البطاقات بضعة أيام.',
      facts: refundFacts('ar', data, wording),
    }),
})

interface RefundRejected {
  code: string
  /** The desk's own words. */
  reason: string
}

/** The desk has said no, and why. */
export const refundRejectedMail = mailTemplate<RefundRejected>('refund-rejected', {
  en: ({ code, reason }) =>
    orderMail('en', code, {
      title: 'We couldn’t approve your refund request',
      text: 'We reviewed your request and couldn’t approve it. You can use what you bought again. Here’s why:',
      quote: reason,
      facts: [],
    }),
  ko: ({ code, reason }) =>
    orderMail('ko', code, {
      title: '환불 요청이 승인되지 않았어요',
      text: '요청하신 내용을 확인했지만 환불해 드릴 수 없어요. 구매한 상품은 다시 이용할 수 있어요. 사유는 다음과 같아요.',
      quote: reason,
      facts: [],
    }),
  ja: ({ code, reason }) =>
    orderMail('ja', code, {
      title: 'キャンセルのご希望に添えませんでした',
      text: 'お申し出を確認しましたが、キャンセルを承ることができませんでした。ご購入の商品は再びご利用いただけます。理由は次のとおりです。',
      quote: reason,
      facts: [],
    }),
  ar: ({ code, reason }) =>
    orderMail('ar', code, {
      title: 'تعذّر قبول طلب الإلغاء',
      text: 'راجعنا طلبك ولم نتمكن من قبوله. ما اشتريته متاح لك من جديد. والسبب:',
      quote: reason,
      facts: [],
    }),
})

interface UndueReturned {
  code: string
  amount: Money
}

const returnedFacts = (locale: Locale, { amount }: UndueReturned, { money }: Wording) => [
  [orderWords[locale].amount, money(amount)] as const,
]

/** Money that the order could not take has gone back. */
export const undueReturnedMail = mailTemplate<UndueReturned>('undue-returned', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: `We refunded your unexpected payment of ${wording.money(data.amount)}`,
      text: 'We received a payment we couldn’t apply to your order because the amount was different or the deadline had passed. Your refund is on its way.',
      facts: returnedFacts('en', data, wording),
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `잘못 입금된 ${wording.money(data.amount)}을 환불해 드렸어요`,
      text: '금액이 다르거나 기한이 지나 주문에 적용하지 못한 입금을 환불해 드렸어요.',
      facts: returnedFacts('ko', data, wording),
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: `お支払いに充てられなかった${wording.money(data.amount)}を返金しました`,
      text: '金額または時期が合わず、ご注文に充てられない入金がありましたので、返金の手続きを行いました。',
      facts: returnedFacts('ja', data, wording),
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: `أُعيد إليك ${wording.money(data.amount)} لم يكن مستحقًا`,
      text: 'وصلت دفعة تعذّر قبولها لطلبك بسبب مبلغها أو موعدها، وهي في طريقها إليك.',
      facts: returnedFacts('ar', data, wording),
    }),
})
