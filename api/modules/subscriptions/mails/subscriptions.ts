import { planMail, planWords } from '#api/modules/plans/plan-mail.ts'
import { mailTemplate, type Wording } from '#api/platform/mail/template.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'

export interface SubscriptionCancelled {
  plan: string
  /** Until when everything of it plays. */
  endsAt: string
  /** It ended at once, because nothing was paid for the time since. */
  atOnce: boolean
}

/** The member has cancelled their subscription: its last day, and that nothing is charged any more. */
export const subscriptionCancelledMail = mailTemplate<SubscriptionCancelled>('subscription-cancelled', {
  en: ({ plan, endsAt, atOnce }, { moment }) =>
    planMail('en', {
      title: atOnce
        ? `Your subscription to ${plan} has ended`
        : `Your subscription to ${plan} ends on ${moment(endsAt)}`,
      text: atOnce
        ? 'You canceled your subscription. You won’t be charged again.'
        : `You canceled your subscription. You won’t be charged again, and you can keep watching until ${moment(endsAt)}.`,
      facts: [
        [planWords.en.plan, plan],
        [planWords.en.end, moment(endsAt)],
      ],
      ...(atOnce ? {} : { note: 'Changed your mind? You can undo the cancellation until then.' }),
    }),
  ko: ({ plan, endsAt, atOnce }, { moment }) =>
    planMail('ko', {
      title: atOnce ? `${plan} 구독이 종료됐어요` : `${plan} 구독이 ${moment(endsAt)}에 종료돼요`,
      text: atOnce
        ? '구독을 해지했어요. 더 이상 결제되지 않아요.'
        : `구독을 해지했어요. 더 이상 결제되지 않고, ${moment(endsAt)}까지 계속 이용할 수 있어요.`,
      facts: [
        [planWords.ko.plan, plan],
        [planWords.ko.end, moment(endsAt)],
      ],
      ...(atOnce ? {} : { note: '마음이 바뀌면 그전에 해지를 취소할 수 있어요.' }),
    }),
  ja: ({ plan, endsAt, atOnce }, { moment }) =>
    planMail('ja', {
      title: atOnce ? `${plan}のご契約は終了しました` : `${plan}のご契約は${moment(endsAt)}に終了します`,
      text: atOnce
        ? '解約を承りました。今後の請求はありません。'
        : `解約を承りました。今後の請求はなく、${moment(endsAt)}まではこれまでどおりご利用いただけます。`,
      facts: [
        [planWords.ja.plan, plan],
        [planWords.ja.end, moment(endsAt)],
      ],
      ...(atOnce ? {} : { note: 'お気持ちが変わった場合は、それまでに解約を取り消せます。' }),
    }),
  ar: ({ plan, endsAt, atOnce }, { moment }) =>
    planMail('ar', {
      title: atOnce ? `انتهى اشتراكك في باقة ${plan}` : `ينتهي اشتراكك في باقة ${plan} في ${moment(endsAt)}`,
      text: atOnce
        ? 'لقد ألغيت الاشتراك. لن يُخصم أي مبلغ بعد الآن.'
        : `لقد ألغيت الاشتراك. لن يُخصم أي مبلغ بعد الآن، ويمكنك مشاهدة كل ما يشمله حتى ${moment(endsAt)}.`,
      facts: [
        [planWords.ar.plan, plan],
        [planWords.ar.end, moment(endsAt)],
      ],
      ...(atOnce ? {} : { note: 'إن غيّرت رأيك قبل ذلك فيمكنك التراجع عن الإلغاء.' }),
    }),
})

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
