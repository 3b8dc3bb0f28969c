import type { Locale } from '#contract/enumerations.ts'
import { type SiteSettings, settingsIn } from '#contract/tenancy.ts'
import { wordingOf } from './format.ts'
import { htmlOf } from './html.ts'
import { storeOrigin } from './links.ts'
import type { Block, MailContent, MailTemplate } from './template.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** Whose mail it is, as far as its looks and its last lines say. */
export interface MailStore {
  code: string
  settings: SiteSettings
}

const because: Record<Locale, (store: string) => string> = {
  en: (store) => `You’re receiving this automated email because of your activity at ${store}.`,
  ko: (store) => `${store} 이용과 관련해 자동으로 발송된 메일이에요.`,
  ja: (store) => `このメールは${store}のご利用に関して自動的に送信されています。`,
  ar: (store) => `أُرسلت هذه الرسالة آليًا وتتعلق باستخدامك ${store}.`,
}

/** The last lines: why there is a mail at all, and who sends it. */
const footerOf = (locale: Locale, name: string, { business }: SiteSettings) => {
  const { company, address, phone, email } = business
  return [
    because[locale](name),
    [company, address].filter(Boolean).join(' · '),
    [phone, email].filter(Boolean).join(' · '),
  ].filter(Boolean)
}

/** A mail in one language, as HTML and as text. Whatever stands in `data` stays words: markup in it is shown, never obeyed. */
export const renderMail = <Data>(
  { words }: MailTemplate<Data>,
  { code, settings: all }: MailStore,
  locale: Locale,
  data: Data,
): RenderedMail => {
  const settings = settingsIn(all, locale)
  const store = settings.base.name ?? code
  const content = words[locale](data, wordingOf(locale, settings, store))
  const footer = footerOf(locale, store, settings)
  return {
    subject: oneLine(content.subject),
    text: textOf(content, footer),
    html: htmlOf(content, { locale, store, accent: settings.theme.accent, footer }),
  }
}

/** A subject is one line: a break in it would begin another header. */
const oneLine = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)

const textOf = ({ title, blocks }: MailContent, footer: readonly string[]) =>
  `${[title, ...blocks.map(blockText), `-- \n${footer.join('\n')}`].join('\n\n')}\n`

const blockText = (block: Block): string => {
  if (block.kind === 'code') return `${block.label}\n\n    ${block.code}`
  if (block.kind === 'link') return `${block.label}:\n${storeOrigin}${block.path}`
  if (block.kind === 'facts') return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  if (block.kind === 'quote') return block.text.replace(/^/gm, '> ')
  return block.text
}
