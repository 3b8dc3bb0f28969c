import type { Money } from '#contract/money.ts'
import { orderMail, orderWords } from '../order-mail.ts'
import { mailTemplate } from '../template.ts'

interface DepositExpired {
  code: string
  amount: Money
}

/** The deadline has passed without a deposit. */
export const depositExpiredMail = mailTemplate<DepositExpired>('deposit-expired', {
  en: ({ code, amount }, { money }) =>
    orderMail('en', code, {
      title: 'Your order was canceled because we didn’t receive your transfer',
      text: 'You haven’t been charged and owe nothing. Please don’t transfer to this account anymore. Any late transfer will be refunded.',
      facts: [[orderWords.en.amount, money(amount)]],
    }),
  ko: ({ code, amount }, { money }) =>
    orderMail('ko', code, {
      title: '입금 기한이 지나 주문이 취소됐어요',
      text: '결제된 금액은 없어요. 이제 이 계좌로 입금하지 마세요. 늦게 입금된 금액은 환불해 드려요.',
      facts: [[orderWords.ko.amount, money(amount)]],
    }),
  ja: ({ code, amount }, { money }) =>
    orderMail('ja', code, {
      title: 'お振り込み期限を過ぎたため、ご注文をキャンセルしました',
      text: '料金は発生していません。今後この口座にはお振り込みにならないでください。遅れて届いた入金は返金いたします。',
      facts: [[orderWords.ja.amount, money(amount)]],
    }),
  ar: ({ code, amount }, { money }) =>
    orderMail('ar', code, {
      title: 'أُلغي طلبك لعدم وصول الإيداع في موعده',
      text: 'لم يُدفع شيء ولا يترتب عليك شيء. لا تحوِّل إلى الحساب بعد الآن، فما يصل متأخرًا يُعاد إليك.',
      facts: [[orderWords.ar.amount, money(amount)]],
    }),
})
