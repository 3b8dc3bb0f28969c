import type { Locale } from '#contract/enumerations.ts'
import type { Block, MailContent } from './template.ts'

/** Words that mails about subscriptions share. */
export const planWords = {
  en: {
    plan: 'Plan',
    amount: 'Amount',
    card: 'Card',
    period: 'Paid for',
    next: 'Next charge',
    end: 'Ends on',
    see: 'See my subscription',
    cards: 'See my cards',
  },
  ko: {
    plan: '이용권',
    amount: '금액',
    card: '카드',
    period: '이용 기간',
    next: '다음 결제',
    end: '종료 시각',
    see: '구독 보기',
    cards: '카드 보기',
  },
  ja: {
    plan: 'プラン',
    amount: '金額',
    card: 'カード',
    period: 'お支払い済みの期間',
    next: '次回請求',
    end: '終了日時',
    see: 'サブスクリプションを見る',
    cards: '登録カードを見る',
  },
  ar: {
    plan: 'الباقة',
    amount: 'المبلغ',
    card: 'البطاقة',
    period: 'الفترة المدفوعة',
    next: 'الخصم التالي',
    end: 'تنتهي في',
    see: 'عرض اشتراكي',
    cards: 'عرض بطاقاتي',
  },
} as const satisfies Record<Locale, Record<string, string>>

interface PlanMail {
  title: string
  text: string
  facts: readonly (readonly [label: string, value: string])[]
  note?: string
  /** Where its link leads: the subscription, or the cards. */
  to?: 'cards'
}

/** A mail about a subscription or the card that pays for it: what has happened, the facts, and the way to them. */
export const planMail = (locale: Locale, { title, text, facts, note, to }: PlanMail): MailContent => {
  const words = planWords[locale]
  const blocks: Block[] = [
    { kind: 'text', text },
    { kind: 'facts', facts },
  ]
  if (note) blocks.push({ kind: 'note', text: note })
  blocks.push(
    to
      ? { kind: 'link', label: words.cards, path: '/mypages/cards' }
      : { kind: 'link', label: words.see, path: '/mypages/subscription' },
  )
  return { subject: title, title, blocks }
}
