import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { planMail, planWords } from '../plan-mail.ts'
import { mailTemplate, type Wording } from '../template.ts'

export interface SubscriptionReceipt {
  plan: string
  amount: Money
  /** Issuer and last four digits; null where nothing was charged. */
  card: string | null
  periodStart: string
  periodEnd: string
  /** What will be charged at the period's end; null when nothing will. */
  nextAmount: Money | null
}

const facts = (locale: Locale, data: SubscriptionReceipt, { money, day }: Wording) => {
  const words = planWords[locale]
  return [
    [words.plan, data.plan],
    [words.amount, money(data.amount)],
    ...(data.card ? [[words.card, data.card] as const] : []),
    [words.period, `${day(data.periodStart)} – ${day(data.periodEnd)}`],
    ...(data.nextAmount ? [[words.next, `${day(data.periodEnd)} · ${money(data.nextAmount)}`] as const] : []),
  ] as const
}

/** A charge for a plan was paid. */
export const subscriptionReceiptMail = mailTemplate<SubscriptionReceipt>('subscription-receipt', {
  en: (data, wording) =>
    planMail('en', {
      title: `Your receipt for ${data.plan}: ${wording.money(data.amount)}`,
      text: `Thank you. We charged your card for ${data.plan}.`,
      facts: facts('en', data, wording),
      note: 'Your plan renews automatically until you cancel. Cancel anytime and keep watching until the billing period ends.',
    }),
  ko: (data, wording) =>
    planMail('ko', {
      title: `${data.plan} 결제 영수증: ${wording.money(data.amount)}`,
      text: `이용해 주셔서 감사해요. ‘${data.plan}’ 이용 요금이 카드로 결제됐어요.`,
      facts: facts('ko', data, wording),
      note: '해지할 때까지 자동으로 갱신돼요. 언제든 해지할 수 있고, 해지해도 이용 기간이 끝날 때까지 볼 수 있어요.',
    }),
  ja: (data, wording) =>
    planMail('ja', {
      title: `${data.plan}の領収のお知らせ：${wording.money(data.amount)}`,
      text: `ありがとうございます。${data.plan}の料金をカードでお支払いいただきました。`,
      facts: facts('ja', data, wording),
      note: '解約されるまで自動で更新されます。いつでも解約でき、期間の終わりまでご利用いただけます。',
    }),
  ar: (data, wording) =>
    planMail('ar', {
      title: `إيصال ${data.plan}: ${wording.money(data.amount)}`,
      text: `شكرًا لك. خُصمت قيمة ${data.plan} من بطاقتك.`,
      facts: facts('ar', data, wording),
      note: 'يتجدد الاشتراك تلقائيًا حتى تلغيه. يمكنك الإلغاء في أي وقت، ويبقى لك حتى نهاية الفترة.',
    }),
})
