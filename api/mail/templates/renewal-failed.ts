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
      title: `We could not charge your card for ${plan}`,
      text: `Your plan still works until ${day(graceUntil)}. We try again on ${day(nextAttemptAt)}; with another card it is settled at once.`,
      facts: [
        [planWords.en.plan, plan],
        [planWords.en.amount, money(amount)],
        ...(card ? [[planWords.en.card, card] as const] : []),
      ],
    }),
  ko: ({ plan, amount, card, nextAttemptAt, graceUntil }, { money, day }) =>
    planMail('ko', {
      title: `${plan} 이용 요금을 결제하지 못했습니다`,
      text: `${day(graceUntil)}까지는 그대로 이용하실 수 있습니다. ${day(nextAttemptAt)}에 다시 결제를 시도하며, 다른 카드로 바꾸시면 바로 결제됩니다.`,
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
