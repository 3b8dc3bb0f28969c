import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'

/**
 * What a mail is made of. Every text is plain: it is escaped on its way into HTML, and written as it is into the text form. A `path`
 * is one of the store (`/mypages/profile`); the store's origin is put in front when the mail leaves.
 */
export type Block =
  | { kind: 'text'; text: string }
  /** Smaller and paler: what holds besides. */
  | { kind: 'note'; text: string }
  /** Something to be typed elsewhere. */
  | { kind: 'code'; label: string; code: string }
  | { kind: 'link'; label: string; path: string }
  | { kind: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  /** Someone's own words. */
  | { kind: 'quote'; text: string }

export interface MailContent {
  subject: string
  title: string
  blocks: readonly Block[]
}

/** What the words of a mail may need besides its data, in the mail's language and the store's time zone. */
export interface Wording {
  store: string
  money: (money: Money) => string
  /** Day and time, of an ISO 8601 moment. */
  moment: (iso: string) => string
  day: (iso: string) => string
}

export type MailWords<Data> = (data: Data, wording: Wording) => MailContent

export interface MailTemplate<Data> {
  name: string
  words: Record<Locale, MailWords<Data>>
}

/** A mail and its words in every language the stores speak. */
export const mailTemplate = <Data>(name: string, words: Record<Locale, MailWords<Data>>): MailTemplate<Data> => ({
  name,
  words,
})
