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
      title: 'Your bank took your deposit back',
      text: 'The order waits for its deposit again. Until it comes, what you bought with it is closed.',
      facts: [
        [orderWords.en.amount, money(amount)],
        [orderWords.en.until, dueAt ? moment(dueAt) : '–'],
      ],
      note: 'If you did not ask your bank for this, please ask it, or write to us.',
    }),
  ko: ({ code, amount, dueAt }, { money, moment }) =>
    orderMail('ko', code, {
      title: '은행에서 입금이 취소되었습니다',
      text: '주문이 다시 입금 대기 상태가 되었습니다. 입금이 확인될 때까지 이 주문의 상품은 이용하실 수 없습니다.',
      facts: [
        [orderWords.ko.amount, money(amount)],
        [orderWords.ko.until, dueAt ? moment(dueAt) : '–'],
      ],
      note: '은행에 취소를 요청하신 적이 없다면 은행이나 저희에게 문의해 주세요.',
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
