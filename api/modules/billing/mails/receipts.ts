import { planMail, planWords } from '#api/modules/plans/plan-mail.ts'
import { mailTemplate, type Wording } from '#api/platform/mail/template.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { orderMail, orderWords } from './order-mail.ts'

interface ReceiptMail {
  code: string
  items: readonly { title: string; option: string; price: Money }[]
  total: Money
  paidAt: string
  /** Days within which what was not opened may be sent back; null where nothing was paid. */
  refundDays: number | null
}

const paidOn = { en: 'Payment date', ko: '결제일', ja: 'お支払い日', ar: 'تاريخ الدفع' }
const sum = { en: 'Total', ko: '합계', ja: '合計', ar: 'الإجمالي' }

/** "within so many days", whose word changes with the number. */
const arabicDays = (days: number) => {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    one: 'يوم واحد',
    two: 'يومين',
    few: `${days} أيام`,
    many: `${days} يومًا`,
  }
  return forms[new Intl.PluralRules('ar').select(days)] ?? `${days} يوم`
}

const facts = (locale: Locale, { items, total, paidAt }: ReceiptMail, { money, moment }: Wording) => [
  [
    orderWords[locale].products,
    items.map(({ title, option, price }) => `${title} · ${option} · ${money(price)}`).join('\n'),
  ] as const,
  [sum[locale], money(total)] as const,
  [paidOn[locale], moment(paidAt)] as const,
]

/** What was paid, as soon as it is. */
export const receiptMail = mailTemplate<ReceiptMail>('receipt', {
  en: (data, wording) =>
    orderMail('en', data.code, {
      title: 'Your receipt',
      text: 'Thank you for your order. Your titles are available now. You can print the receipt from your order page.',
      facts: facts('en', data, wording),
      note:
        data.refundDays === null
          ? null
          : `You can get a refund within ${data.refundDays} ${data.refundDays === 1 ? 'day' : 'days'} for anything you haven’t played or downloaded.`,
    }),
  ko: (data, wording) =>
    orderMail('ko', data.code, {
      title: '결제가 완료됐어요',
      text: '구매한 상품을 바로 이용할 수 있어요. 영수증은 주문 상세에서 인쇄할 수 있어요.',
      facts: facts('ko', data, wording),
      note:
        data.refundDays === null
          ? null
          : `재생하거나 다운로드하지 않은 상품은 ${data.refundDays}일 안에 환불받을 수 있어요.`,
    }),
  ja: (data, wording) =>
    orderMail('ja', data.code, {
      title: 'お支払いありがとうございます',
      text: 'お支払いを確認しました。すぐにご利用いただけます。印刷用の領収書はご注文ページにあります。',
      facts: facts('ja', data, wording),
      note:
        data.refundDays === null
          ? null
          : `再生・ダウンロードしていない商品は、${data.refundDays}日以内であれば返金を受けられます。`,
    }),
  ar: (data, wording) =>
    orderMail('ar', data.code, {
      title: 'شكرًا لك: إيصال الدفع',
      text: 'وصلت دفعتك ويمكنك البدء حالًا. تجد الإيصال القابل للطباعة في صفحة الطلب.',
      facts: facts('ar', data, wording),
      note:
        data.refundDays === null
          ? null
          : `ما لم تبدأ تشغيله أو تنزيله يمكن إرجاعه خلال ${arabicDays(data.refundDays)}.`,
    }),
})

export interface CardExpiring {
  /** Issuer and last four digits. */
  card: string
  /** As it stands on the card: `08/30`. */
  expiry: string
}

/** A card that pays for something expires soon. */
export const cardExpiringMail = mailTemplate<CardExpiring>('card-expiring', {
  en: ({ card, expiry }) =>
    planMail('en', {
      title: `Your card ${card} expires soon`,
      text: 'Replace it before your plan renews to keep watching without interruption.',
      facts: [[planWords.en.card, `${card} · ${expiry}`]],
      to: 'cards',
    }),
  ko: ({ card, expiry }) =>
    planMail('ko', {
      title: `등록한 카드 ${card}의 유효기간이 곧 끝나요`,
      text: '이용권이 갱신되기 전에 새 카드로 교체하면 끊김 없이 이용할 수 있어요.',
      facts: [[planWords.ko.card, `${card} · ${expiry}`]],
      to: 'cards',
    }),
  ja: ({ card, expiry }) =>
    planMail('ja', {
      title: `ご登録のカード${card}の有効期限が近づいています`,
      text: 'プランが途切れずに更新されるよう、更新日までに新しいカードに変更してください。',
      facts: [[planWords.ja.card, `${card} · ${expiry}`]],
      to: 'cards',
    }),
  ar: ({ card, expiry }) =>
    planMail('ar', {
      title: `تنتهي صلاحية بطاقتك ${card} قريبًا`,
      text: 'استبدلها قبل تجديد باقتك كي لا تنقطع المشاهدة.',
      facts: [[planWords.ar.card, `${card} · ${expiry}`]],
      to: 'cards',
    }),
})
