import { planMail, planWords } from '../plan-mail.ts'
import { mailTemplate } from '../template.ts'

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
