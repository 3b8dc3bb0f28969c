import type { Money } from '#contract/money.ts'
import { planMail, planWords } from '../plan-mail.ts'
import { mailTemplate } from '../template.ts'

export interface SubscriptionUnpaid {
  plan: string
  amount: Money
}

/** The last try of a renewal failed: the subscription has ended. */
export const subscriptionUnpaidMail = mailTemplate<SubscriptionUnpaid>('subscription-unpaid', {
  en: ({ plan, amount }, { money }) =>
    planMail('en', {
      title: `Your subscription to ${plan} has ended`,
      text: 'We tried several times but couldn’t charge your card. You won’t be charged again and owe nothing. You can resubscribe anytime.',
      facts: [
        [planWords.en.plan, plan],
        [planWords.en.amount, money(amount)],
      ],
    }),
  ko: ({ plan, amount }, { money }) =>
    planMail('ko', {
      title: `${plan} 구독이 종료됐어요`,
      text: '여러 번 시도했지만 카드로 결제하지 못했어요. 더 이상 결제되지 않고, 남은 결제 금액도 없어요. 언제든 다시 구독할 수 있어요.',
      facts: [
        [planWords.ko.plan, plan],
        [planWords.ko.amount, money(amount)],
      ],
    }),
  ja: ({ plan, amount }, { money }) =>
    planMail('ja', {
      title: `${plan}のご契約が終了しました`,
      text: '数回にわたり請求を行いましたが、カードでのお支払いが完了しませんでした。今後の請求はなく、未払いもありません。いつでも再びご契約いただけます。',
      facts: [
        [planWords.ja.plan, plan],
        [planWords.ja.amount, money(amount)],
      ],
    }),
  ar: ({ plan, amount }, { money }) =>
    planMail('ar', {
      title: `انتهى اشتراكك في ${plan}`,
      text: 'حاولنا عدة مرات ولم نتمكن من الخصم من بطاقتك. لن يُخصم أي مبلغ بعد الآن ولا يترتب عليك شيء. يمكنك الاشتراك من جديد في أي وقت.',
      facts: [
        [planWords.ar.plan, plan],
        [planWords.ar.amount, money(amount)],
      ],
    }),
})
