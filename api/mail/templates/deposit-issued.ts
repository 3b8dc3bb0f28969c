import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import type { BankAccount } from '#contract/orders.ts'
import { accountFacts, orderMail, orderWords } from '../order-mail.ts'
import { mailTemplate, type Wording } from '../template.ts'

interface DepositIssued {
  code: string
  titles: readonly string[]
  amount: Money
  account: BankAccount
}

const facts = (locale: Locale, data: DepositIssued, wording: Wording) => [
  [orderWords[locale].products, data.titles.join('\n')] as const,
  [orderWords[locale].amount, wording.money(data.amount)] as const,
  ...accountFacts(locale, data.account, wording),
]

/** The account made for an order, with the exact amount and the deadline. */
export const depositIssuedMail = mailTemplate<DepositIssued>('deposit-issued', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: `Transfer ${wording.money(data.amount)} by ${wording.moment(data.account.dueAt)}`,
      text: 'Thank you for your order. Transfer the exact amount to the account below. Your titles are available as soon as it arrives.',
      facts: facts('en', data, wording),
      note: 'This account number is for this order only. Other amounts can’t be accepted and will be refunded.',
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `${wording.moment(data.account.dueAt)}까지 ${wording.money(data.amount)} 입금해 주세요`,
      text: '주문해 주셔서 감사해요. 아래 계좌로 정확한 금액을 입금해 주세요. 입금이 확인되는 즉시 이용할 수 있어요.',
      facts: facts('ko', data, wording),
      note: '이 주문에만 쓰는 전용 계좌예요. 금액이 다르면 입금이 처리되지 않고 환불돼요.',
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: `${wording.moment(data.account.dueAt)}までに${wording.money(data.amount)}をお振り込みください`,
      text: 'ご注文ありがとうございます。下記の口座に、この金額を正確にお振り込みください。ご入金が確認でき次第、ご利用いただけます。',
      facts: facts('ja', data, wording),
      note: 'このご注文専用の口座です。金額が異なるお振り込みはお支払いとして扱えず、返金いたします。',
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: `يُرجى دفع ${wording.money(data.amount)} في موعد أقصاه ${wording.moment(data.account.dueAt)}`,
      text: 'شكرًا لطلبك. حوِّل هذا المبلغ بالضبط إلى الحساب أدناه، ويمكنك البدء فور وصوله.',
      facts: facts('ar', data, wording),
      note: 'أُنشئ هذا الحساب لهذا الطلب وحده. لا يُقبل مبلغ مختلف، وسيُعاد إليك.',
    }),
})
