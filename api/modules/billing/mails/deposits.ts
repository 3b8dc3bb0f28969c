import { mailTemplate, type Wording } from '#api/platform/mail/template.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import type { BankAccount } from '#contract/orders.ts'
import { accountFacts, orderMail, orderWords } from './order-mail.ts'

interface DepositIssued {
  code: string
  titles: readonly string[]
  amount: Money
  account: BankAccount
}

const issuedFacts = (locale: Locale, data: DepositIssued, wording: Wording) => [
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
      facts: issuedFacts('en', data, wording),
      note: 'This account number is for this order only. Other amounts can’t be accepted and will be refunded.',
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: `${wording.moment(data.account.dueAt)}까지 ${wording.money(data.amount)} 입금해 주세요`,
      text: '주문해 주셔서 감사해요. 아래 계좌로 정확한 금액을 입금해 주세요. 입금이 확인되는 즉시 이용할 수 있어요.',
      facts: issuedFacts('ko', data, wording),
      note: '이 주문에만 쓰는 전용 계좌예요. 금액이 다르면 입금이 처리되지 않고 환불돼요.',
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: `${wording.moment(data.account.dueAt)}までに${wording.money(data.amount)}をお振り込みください`,
      text: 'ご注文ありがとうございます。下記の口座に、この金額を正確にお振り込みください。ご入金が確認でき次第、ご利用いただけます。',
      facts: issuedFacts('ja', data, wording),
      note: 'このご注文専用の口座です。金額が異なるお振り込みはお支払いとして扱えず、返金いたします。',
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: `يُرجى دفع ${wording.money(data.amount)} في موعد أقصاه ${wording.moment(data.account.dueAt)}`,
      text: 'شكرًا لطلبك. حوِّل هذا المبلغ بالضبط إلى الحساب أدناه، ويمكنك البدء فور وصوله.',
      facts: issuedFacts('ar', data, wording),
      note: 'أُنشئ هذا الحساب لهذا الطلب وحده. لا يُقبل مبلغ مختلف، وسيُعاد إليك.',
    }),
})

interface DepositReminder {
  code: string
  amount: Money
  /** Null where no account is open just now: another method was tried. */
  account: BankAccount | null
  dueAt: string
}

const reminderFacts = (locale: Locale, { amount, account, dueAt }: DepositReminder, wording: Wording) => {
  const { money, moment } = wording
  const sum = [orderWords[locale].amount, money(amount)] as const
  return account
    ? [sum, ...accountFacts(locale, account, wording)]
    : [sum, [orderWords[locale].until, moment(dueAt)] as const]
}

/** A day before a deposit's deadline. */
export const depositReminderMail = mailTemplate<DepositReminder>('deposit-reminder', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: 'We haven’t received your transfer yet',
      text: `Your transfer is due by ${wording.moment(data.dueAt)}. After that, your order is canceled automatically and you owe nothing.`,
      facts: reminderFacts('en', data, wording),
      note: 'If you’ve already paid, you don’t need to do anything. Bank transfers can take a while to arrive. You can also pay by card instead.',
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: '아직 입금이 확인되지 않았어요',
      text: `입금 기한은 ${wording.moment(data.dueAt)}까지예요. 기한이 지나면 주문이 자동으로 취소되고, 결제되는 금액은 없어요.`,
      facts: reminderFacts('ko', data, wording),
      note: '이미 입금했다면 은행 사정에 따라 확인이 늦어질 수 있으니 기다려 주세요. 카드로 결제할 수도 있어요.',
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: 'ご入金がまだ確認できていません',
      text: `お振り込み期限は${wording.moment(data.dueAt)}です。期限を過ぎるとご注文は自動的にキャンセルされ、請求は発生しません。`,
      facts: reminderFacts('ja', data, wording),
      note: 'すでにお振り込み済みの場合は、確認までしばらくお待ちください。カードでのお支払いに変更することもできます。',
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: 'ما زال طلبك ينتظر الإيداع',
      text: `تنتهي المهلة في ${wording.moment(data.dueAt)}. بعدها يُلغى الطلب تلقائيًا ولا يترتب عليك شيء.`,
      facts: reminderFacts('ar', data, wording),
      note: 'إن كنت قد دفعت فلا حاجة إلى شيء، فقد تحتاج البنوك إلى بعض الوقت. ويمكنك أيضًا الدفع بالبطاقة.',
    }),
})

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
