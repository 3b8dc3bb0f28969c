import type { I18n } from '#api/platform/i18n/messages.ts'
import type { Money } from '#contract/money.ts'

/**
 * The parts of a mail. Every text is plain: the HTML form escapes it and the text form contains it
 * unchanged. A `path` is a path of the store (`/mypages/profile`), and is prefixed with the store's
 * origin when the mail is sent.
 */
export type Block =
  | { kind: 'text'; text: string }
  /** Smaller and lighter than `text`. */
  | { kind: 'note'; text: string }
  /** A code to enter elsewhere. */
  | { kind: 'code'; label: string; code: string }
  | { kind: 'link'; label: string; path: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  /** A text written by a person. */
  | { kind: 'quote'; text: string }

/** A row of a table: label and value. */
export type Fact = readonly [label: string, value: string]

export interface MailContent {
  subject: string
  title: string
  blocks: readonly Block[]
}

/** The formats of a mail, in its language and the store's time zone. */
export interface MailFormats {
  i18n: I18n
  /** The store's name. */
  store: string
  money: (money: Money) => string
  /** Formats the date and time of an ISO 8601 timestamp. */
  dateTime: (iso: string) => string
  day: (iso: string) => string
}

/**
 * A mail: its name in the database, and its content in every language. `content` is a method, so
 * that templates of different data types fit in one list.
 */
export interface MailTemplate<Data> {
  name: string
  /**
   * The validity of the code or link in minutes; absent if nothing expires. An expired mail is
   * not sent again.
   */
  validMinutes?: number
  /** Sample data for the previews, one for each form of the mail. */
  samples: readonly [Data, ...Data[]]
  content(data: Data, formats: MailFormats): MailContent
}
