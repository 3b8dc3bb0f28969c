import type { I18n } from '#api/platform/i18n/messages.ts'
import type { Money } from '#contract/money.ts'

/**
 * What a mail is made of. Every text is plain: it is escaped on its way into HTML, and written as it is into the text form. A `path`
 * is one of the store (`/mypages/profile`); the store's origin is put in front when the mail leaves.
 */
export type Block =
  | { kind: 'text'; text: string }
  /** Smaller and paler than text. */
  | { kind: 'note'; text: string }
  /** Something to be typed elsewhere. */
  | { kind: 'code'; label: string; code: string }
  | { kind: 'link'; label: string; path: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  /** A text that a person wrote. */
  | { kind: 'quote'; text: string }

/** A row of a table of facts. */
export type Fact = readonly [label: string, value: string]

export interface MailContent {
  subject: string
  title: string
  blocks: readonly Block[]
}

/** What a mail is written with besides its data, in the mail's language and the store's time zone. */
export interface Wording {
  i18n: I18n
  /** The store's name. */
  store: string
  money: (money: Money) => string
  /** Day and time, of an ISO 8601 moment. */
  moment: (iso: string) => string
  day: (iso: string) => string
}

/** A mail: its name in the database, and its content in every language. `content` is a method, so that templates fit in one list. */
export interface MailTemplate<Data> {
  name: string
  /** How long the code or the link in it is valid; left out where nothing in it expires. Such a mail is not resent afterwards. */
  validMinutes?: number
  /** What the previews show, one for each form that the mail takes. */
  samples: readonly [Data, ...Data[]]
  content(data: Data, wording: Wording): MailContent
}
