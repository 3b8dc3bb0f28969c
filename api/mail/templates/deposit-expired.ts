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
      title: 'Your order was cancelled: no deposit came in time',
      text: 'Nothing was paid and nothing is owed. Please transfer nothing to the account any more: what comes now is given back.',
      facts: [[orderWords.en.amount, money(amount)]],
    }),
  ko: ({ code, amount }, { money }) =>
    orderMail('ko', code, {
      title: '입금 기한이 지나 주문이 취소되었습니다',
      text: '결제된 금액이 없으며 청구되는 금액도 없습니다. 이제 해당 계좌로 입금하지 말아 주세요. 늦게 입금된 금액은 돌려드립니다.',
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
