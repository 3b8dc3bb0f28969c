import type { Money } from '#contract/money.ts'
import { planMail, planWords } from '../plan-mail.ts'
import { mailTemplate } from '../template.ts'

export interface RenewalFailed {
  plan: string
  amount: Money
  card: string | null
  nextAttemptAt: string
  graceUntil: string
}

/** A renewal could not be charged: it is tried again, and everything still plays for a while. */
export const renewalFailedMail = mailTemplate<RenewalFailed>('renewal-failed', {
  en: ({ plan, amount, card, nextAttemptAt, graceUntil }, { money, day }) =>
    planMail('en', {
      title: `We couldn’t renew ${plan}`,
      text: `Your card was declined. You can keep watching until ${day(graceUntil)}, and we’ll try again on ${day(nextAttemptAt)}. To renew right away, use another card.`,
      facts: [
        [planWords.en.plan, plan],
        [planWords.en.amount, money(amount)],
        ...(card ? [[planWords.en.card, card] as const] : []),
      ],
    }),
  ko: ({ plan, amount, card, nextAttemptAt, graceUntil }, { money, day }) =>
    planMail('ko', {
      title: `‘${plan}’ 구독을 갱신하지 못했어요`,
      text: `카드 결제에 실패했어요. ${day(graceUntil)}까지 계속 이용할 수 있고, ${day(nextAttemptAt)}에 다시 결제를 시도해요. 다른 카드로 교체하면 바로 갱신돼요.`,
      facts: [
        [planWords.ko.plan, plan],
        [planWords.ko.amount, money(amount)],
        ...(card ? [[planWords.ko.card, card] as const] : []),
      ],
    }),
  ja: ({ plan, amount, card, nextAttemptAt, graceUntil }, { money, day }) =>
    planMail('ja', {
      title: `${plan}の料金を請求できませんでした`,
      text: `${day(graceUntil)}まではそのままご利用いただけます。${day(nextAttemptAt)}にもう一度請求を行います。別のカードに変更すると、すぐにお支払いが完了します。`,
      facts: [
        [planWords.ja.plan, plan],
        [planWords.ja.amount, money(amount)],
        ...(card ? [[planWords.ja.card, card] as const] : []),
      ],
    }),
  ar: ({ plan, amount, card, nextAttemptAt, graceUntil }, { money, day }) =>
    planMail('ar', {
      title: `تعذّر الخصم من بطاقتك مقابل ${plan}`,
      text: `تبقى باقتك صالحة حتى ${day(graceUntil)}. سنحاول مجددًا في ${day(nextAttemptAt)}، وإذا استبدلت البطاقة فسيتم الدفع فورًا.`,
      facts: [
        [planWords.ar.plan, plan],
        [planWords.ar.amount, money(amount)],
        ...(card ? [[planWords.ar.card, card] as const] : []),
      ],
    }),
})
