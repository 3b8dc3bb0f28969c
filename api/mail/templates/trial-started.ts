import type { Money } from '#contract/money.ts'
import { planMail, planWords } from '../plan-mail.ts'
import { mailTemplate } from '../template.ts'

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
