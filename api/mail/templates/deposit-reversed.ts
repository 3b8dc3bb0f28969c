import type { Money } from '#contract/money.ts'
import { orderMail, orderWords } from '../order-mail.ts'
import { mailTemplate } from '../template.ts'

interface DepositReversed {
  code: string
  amount: Money
  dueAt: string | null
}

/** The bank took the deposit back: the order waits again and what it gave is closed until then. */
export const depositReversedMail = mailTemplate<DepositReversed>('deposit-reversed', {
  en: ({ code, amount, dueAt }, { money, moment }) =>
    orderMail('en', code, {
      title: 'Your bank reversed your transfer',
      text: 'Your order is awaiting payment again. You can’t open its titles until your transfer arrives.',
      facts: [
        [orderWords.en.amount, money(amount)],
        [orderWords.en.until, dueAt ? moment(dueAt) : '–'],
      ],
      note: 'If you didn’t request this, contact your bank or our support team.',
    }),
  ko: ({ code, amount, dueAt }, { money, moment }) =>
    orderMail('ko', code, {
      title: '은행에서 입금이 취소됐어요',
      text: '주문이 다시 입금 대기 상태가 됐어요. 입금이 확인될 때까지 주문한 상품을 이용할 수 없어요.',
      facts: [
        [orderWords.ko.amount, money(amount)],
        [orderWords.ko.until, dueAt ? moment(dueAt) : '–'],
      ],
      note: '취소를 요청한 적이 없다면 은행이나 고객센터에 문의해 주세요.',
    }),
  ja: ({ code, amount, dueAt }, { money, moment }) =>
    orderMail('ja', code, {
      title: '銀行によりお振り込みが取り消されました',
      text: 'ご注文は再びご入金待ちになりました。ご入金が確認できるまで、このご注文の商品はご利用いただけません。',
      facts: [
        [orderWords.ja.amount, money(amount)],
        [orderWords.ja.until, dueAt ? moment(dueAt) : '–'],
      ],
      note: 'お心当たりがない場合は、銀行または当ストアまでお問い合わせください。',
    }),
  ar: ({ code, amount, dueAt }, { money, moment }) =>
    orderMail('ar', code, {
      title: 'استرد بنكك مبلغ الإيداع',
      text: 'عاد الطلب إلى انتظار الإيداع، وما اشتريته به غير متاح إلى أن يصل المبلغ.',
      facts: [
        [orderWords.ar.amount, money(amount)],
        [orderWords.ar.until, dueAt ? moment(dueAt) : '–'],
      ],
      note: 'إن لم تطلب ذلك من البنك فتواصل معه أو راسلنا.',
    }),
})
