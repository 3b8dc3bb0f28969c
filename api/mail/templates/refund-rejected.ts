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
