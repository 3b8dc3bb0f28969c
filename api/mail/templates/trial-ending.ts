import type { Money } from '#contract/money.ts'
import { planMail, planWords } from '../plan-mail.ts'
import { mailTemplate } from '../template.ts'

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
