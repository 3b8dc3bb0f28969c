import type { Block, MailContent } from '#api/platform/mail/template.ts'
import type { Locale } from '#contract/enumerations.ts'

/** Words that mails about subscriptions share. */
export const planWords = {
  en: {
    plan: 'Plan',
    amount: 'Amount',
    card: 'Card',
    period: 'Billing period',
    next: 'Next payment',
    end: 'Ends',
    see: 'View subscription',
    cards: 'View payment methods',
  },
  ko: {
    plan: '이용권',
    amount: '금액',
    card: '카드',
    period: '이용 기간',
    next: '다음 결제',
    end: '종료일',
    see: '구독 정보 보기',
    cards: '결제 수단 보기',
  },
  ja: {
    plan: 'プラン',
    amount: '金額',
    card: 'カード',
    period: 'お支払い済みの期間',
    next: '次回のお支払い',
    end: '終了日時',
    see: 'サブスクリプションを見る',
    cards: 'お支払い方法を見る',
  },
  ar: {
    plan: 'الباقة',
    amount: 'المبلغ',
    card: 'البطاقة',
    period: 'الفترة المدفوعة',
    next: 'الدفعة التالية',
    end: 'تنتهي في',
    see: 'عرض اشتراكي',
    cards: 'عرض طرق الدفع',
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
