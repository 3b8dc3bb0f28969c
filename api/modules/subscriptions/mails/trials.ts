import { planMail, planWords } from '#api/modules/plans/plan-mail.ts'
import { mailTemplate } from '#api/platform/mail/template.ts'
import type { Money } from '#contract/money.ts'

export interface TrialStarted {
  plan: string
  /** What will be charged, and when. */
  amount: Money
  endsAt: string
}

/** A trial has begun: until when it is free, and what is charged then. */
export const trialStartedMail = mailTemplate<TrialStarted>('trial-started', {
  en: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('en', {
      title: `Your free trial of ${plan} has started`,
      text: `It’s free until ${moment(endsAt)}. After that, your card will be charged ${money(amount)}. Cancel before then and you won’t be charged. We’ll remind you before your trial ends.`,
      facts: [
        [planWords.en.plan, plan],
        [planWords.en.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
  ko: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('ko', {
      title: `${plan} 무료 체험이 시작됐어요`,
      text: `${moment(endsAt)}까지 무료로 이용할 수 있어요. 그 뒤에는 등록한 카드로 ${money(amount)}이 결제돼요. 그전에 해지하면 결제되지 않아요. 체험이 끝나기 전에 다시 알려 드릴게요.`,
      facts: [
        [planWords.ko.plan, plan],
        [planWords.ko.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
  ja: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('ja', {
      title: `${plan}の無料トライアルが始まりました`,
      text: `${moment(endsAt)}まで無料でご利用いただけます。その後、お申し込みのとおり${money(amount)}がカードに請求されます。それまでに解約されれば請求されません。終了の前にもう一度お知らせします。`,
      facts: [
        [planWords.ja.plan, plan],
        [planWords.ja.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
  ar: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('ar', {
      title: `بدأت فترتك التجريبية لباقة ${plan}`,
      text: `هي مجانية حتى ${moment(endsAt)}. بعدها يُخصم ${money(amount)} من بطاقتك كما وافقت. إن ألغيت قبل ذلك فلن يُخصم أي مبلغ. سنراسلك مجددًا قبل انتهائها.`,
      facts: [
        [planWords.ar.plan, plan],
        [planWords.ar.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
})

export interface TrialEnding {
  plan: string
  amount: Money
  endsAt: string
}

/** A trial ends soon, and the first charge follows. */
export const trialEndingMail = mailTemplate<TrialEnding>('trial-ending', {
  en: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('en', {
      title: `Your free trial of ${plan} ends on ${moment(endsAt)}`,
      text: `Your card will then be charged ${money(amount)}. Cancel before that and you won’t be charged.`,
      facts: [
        [planWords.en.plan, plan],
        [planWords.en.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
  ko: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('ko', {
      title: `${plan} 무료 체험이 ${moment(endsAt)}에 끝나요`,
      text: `체험이 끝나면 등록한 카드로 ${money(amount)}이 결제돼요. 그전에 해지하면 결제되지 않아요.`,
      facts: [
        [planWords.ko.plan, plan],
        [planWords.ko.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
  ja: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('ja', {
      title: `${plan}の無料トライアルは${moment(endsAt)}に終わります`,
      text: `終了後、お申し込みのとおり${money(amount)}がカードに請求されます。それまでに解約されれば請求されません。`,
      facts: [
        [planWords.ja.plan, plan],
        [planWords.ja.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
  ar: ({ plan, amount, endsAt }, { money, moment }) =>
    planMail('ar', {
      title: `تنتهي فترتك التجريبية لباقة ${plan} في ${moment(endsAt)}`,
      text: `بعدها يُخصم ${money(amount)} من بطاقتك كما وافقت عند البدء. إن ألغيت قبل ذلك فلن يُخصم أي مبلغ.`,
      facts: [
        [planWords.ar.plan, plan],
        [planWords.ar.next, `${moment(endsAt)} · ${money(amount)}`],
      ],
    }),
})

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
