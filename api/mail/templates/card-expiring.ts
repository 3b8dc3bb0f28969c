import { planMail, planWords } from '../plan-mail.ts'
import { mailTemplate } from '../template.ts'

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
