import { orderMail } from '../order-mail.ts'
import { mailTemplate } from '../template.ts'

interface RefundRejected {
  code: string
  /** The desk's own words. */
  reason: string
}

/** The desk has said no, and why. */
export const refundRejectedMail = mailTemplate<RefundRejected>('refund-rejected', {
  en: ({ code, reason }) =>
    orderMail('en', code, {
      title: 'Your order cannot be sent back',
      text: 'We have looked at your request and cannot grant it. What you bought is open to you again. This is why:',
      quote: reason,
      facts: [],
    }),
  ko: ({ code, reason }) =>
    orderMail('ko', code, {
      title: '취소 요청이 반려되었습니다',
      text: '요청하신 내용을 검토했으나 취소해 드릴 수 없습니다. 구매하신 상품은 다시 이용하실 수 있습니다. 사유는 다음과 같습니다.',
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
