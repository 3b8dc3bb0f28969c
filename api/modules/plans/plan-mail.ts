import type { I18n } from '#api/platform/i18n/messages.ts'
import type { Block, Fact, MailContent } from '#api/platform/mail/template.ts'

/** Labels that several subscription mails share. */
export const planFacts = {
  plan: (i18n: I18n, plan: string): Fact => [i18n._('Plan'), plan],
  amount: (i18n: I18n, amount: string): Fact => [i18n._('Amount'), amount],
  /** Issuer and last four digits. */
  card: (i18n: I18n, card: string | null): Fact[] => (card ? [[i18n._('Card'), card]] : []),
  nextPayment: (i18n: I18n, on: string, amount: string): Fact => [i18n._('Next payment'), `${on} · ${amount}`],
}

interface PlanMail {
  title: string
  text: string
  facts: readonly Fact[]
  note?: string | null
  /** The target of the link: the subscription by default, or the cards. */
  to?: 'cards'
}

/** Builds a mail about a subscription or its card: the event, the facts and a link. */
export const planMail = (i18n: I18n, { title, text, facts, note, to }: PlanMail): MailContent => {
  const blocks: Block[] = [
    { kind: 'text', text },
    { kind: 'facts', facts },
  ]
  if (note) blocks.push({ kind: 'note', text: note })
  blocks.push(
    to
      ? { kind: 'link', label: i18n._('View payment methods'), path: '/mypages/cards' }
      : { kind: 'link', label: i18n._('View subscription'), path: '/mypages/subscription' },
  )
  return { subject: title, title, blocks }
}
