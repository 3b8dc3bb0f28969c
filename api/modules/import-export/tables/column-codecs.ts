import { isList, isText, type Value } from '#api/modules/import-export/tables/cell-formats.ts'
import { readMoney, writeMoney } from '#api/platform/csv/csv.ts'
import { type I18n, type Message, messageIn } from '#api/platform/i18n/messages.ts'
import { nearestWord } from '#api/platform/text.ts'
import { cleanHtml } from '#contract/html-text.ts'
import { cleanText } from '#contract/text.ts'
import { type FileKind, readList, readPath, readTime, writeList, writePath, writeTime } from './cell-formats.ts'

/** A cell that cannot be read, with a description of a valid value. */
export class InvalidCell {
  readonly message: Message
  constructor(message: Message) {
    this.message = message
  }
}

/** Returns ` Did you mean Films?`, or an empty text. */
export const didYouMean = (i18n: I18n, word: string, words: Iterable<string>) => {
  const near = nearestWord(word, words)
  return near === undefined ? '' : ` ${i18n._('Did you mean {near}?', { near })}`
}

/** The data about the store and the imported files that reading a cell requires. */
export interface Facts {
  currency: string
  timeZone: string
  /** Category paths by their lower-case form. */
  categoryPaths: ReadonlyMap<string, string>
  /** Returns the storage key of the file that a cell names, or what is wrong with it. */
  media: (reference: string, kind: FileKind) => string | InvalidCell
  /** Returns the cell text for a storage key. */
  reference: (key: string, kind: FileKind) => string
}

export interface Column {
  name: string
  read: (text: string, facts: Facts) => Value | InvalidCell
  write: (value: Value, facts: Facts) => string
  /**
   * The value of an empty cell, or of a new row without the column. Undefined if a value is
   * required.
   */
  empty: Value | undefined
  /** True if an empty cell leaves an existing row unchanged. */
  unchangedWhenEmpty?: boolean
  example: string
  /** What is left of the text of a cell. By default it is only trimmed. */
  clean?: (text: string) => string
  /** The kind of files that the cell names. */
  file?: FileKind
  files?: (text: string) => string[]
}

const tooLong = (max: number, { length }: string) =>
  new InvalidCell((i18n) => i18n._('must have at most {max} characters, but has {length}', { max, length }))

type CodecOptions = { empty?: Value; example?: string }
const asText = (value: Value) => (value === null ? '' : isList(value) ? writeList(value) : String(value))
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** Text on one line. */
export const line = (name: string, max: number, { empty, example = '' }: CodecOptions = {}): Column => ({
  name,
  empty,
  example,
  write: asText,
  read: (text) => {
    if (text.length > max) return tooLong(max, text)
    return controls.test(text)
      ? new InvalidCell((i18n) => i18n._('must be one line, without control characters'))
      : text
  },
})

/** Text on several lines. */
export const prose = (name: string, max: number, { empty = '', example = '' }: CodecOptions = {}): Column => ({
  name,
  empty,
  example,
  clean: cleanText,
  write: asText,
  read: (text) => {
    if (text.length > max) return tooLong(max, text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the database takes no such letter.
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)
      ? new InvalidCell((i18n) => i18n._('must not contain control characters'))
      : text
  },
})

/** HTML. It is empty if visitors would see nothing of it. */
export const html = (name: string, max: number, options?: CodecOptions): Column => ({
  ...prose(name, max, options),
  clean: cleanHtml,
})

/** A technical name, such as a code or a page type. */
export const code = (name: string, pattern: RegExp, message: Message, example: string): Column => ({
  name,
  empty: undefined,
  example,
  write: asText,
  read: (text) =>
    pattern.test(text)
      ? text
      : new InvalidCell((i18n) => i18n._('{rule}, for example {example}', { rule: messageIn(i18n, message), example })),
})

/** A column with one of the listed words. */
export const oneOf = (name: string, choices: readonly string[], empty?: Value): Column => ({
  name,
  empty,
  example: choices[0] ?? '',
  write: asText,
  read: (text) => {
    const word = text.toUpperCase().replace(/[\s-]+/g, '_')
    return choices.includes(word)
      ? word
      : new InvalidCell(
          (i18n) => i18n._('must be {choices}.', { choices: choices.join(', ') }) + didYouMean(i18n, word, choices),
        )
  },
})

/** A column with a whole number from `min` to `max`. */
export const wholeNumberColumn = (
  name: string,
  min: number,
  max: number,
  { empty, example = '1' }: CodecOptions = {},
): Column => ({
  name,
  empty,
  example,
  write: asText,
  read: (text) => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    return new InvalidCell((i18n) =>
      i18n._('must be a whole number from {min} to {max}, for example {example}', { min, max, example }),
    )
  },
})

// Not "x" or "o": an x is a tick in English sheets, and a no in Korean and Japanese ones.
const yes = new Set(['yes', 'y', 'true', '1', '예', 'はい', 'نعم'])
const no = new Set(['no', 'n', 'false', '0', '아니요', '아니오', 'いいえ', 'لا'])

/** A column with `yes` or `no`. */
export const yesNo = (name: string, empty: boolean): Column => ({
  name,
  empty,
  example: 'yes',
  read: (text) => {
    const word = text.toLowerCase()
    return yes.has(word) ? true : no.has(word) ? false : new InvalidCell((i18n) => i18n._('must be yes or no'))
  },
  write: (value) => (value ? 'yes' : 'no'),
})

/** A column with an amount in the store's currency. Its value is in the minor unit. */
export const money = (name: string, options: CodecOptions = {}): Column => ({
  name,
  empty: options.empty,
  example: '12',
  read: (text, { currency }) => {
    const amount = readMoney(text, currency)
    return typeof amount === 'number' ? amount : new InvalidCell(amount.message)
  },
  write: (value, { currency }) => (typeof value === 'number' ? writeMoney(value, currency) : ''),
})

/** A column with a time in the store's time zone. Its value is ISO 8601. */
export const time = (name: string): Column => ({
  name,
  empty: null,
  example: '2026-11-21 09:00',
  read: (text, { timeZone }) =>
    readTime(text, timeZone) ??
    new InvalidCell((i18n) =>
      i18n._('must be a day or a time of {timeZone}, for example 2026-11-21 or 2026-11-21 09:00', { timeZone }),
    ),
  write: (value, { timeZone }) => (isText(value) ? writeTime(value, timeZone) : ''),
})

/** A column with texts, separated by `|`. */
export const list = (
  name: string,
  max: number,
  maxLetters: number,
  example: string,
  { repeats = false } = {},
): Column => ({
  name,
  empty: [],
  example,
  write: asText,
  read: (text) => {
    const items = repeats ? readList(text, true) : [...new Set(readList(text))]
    if (items.length > max)
      return new InvalidCell((i18n) => i18n._('must have {max} entries at most, with | between them', { max }))
    const invalid = items.find((item) => item.length > maxLetters || controls.test(item))
    return invalid
      ? new InvalidCell((i18n) =>
          i18n._('must have entries of {maxLetters} characters at most, for example {example}', {
            maxLetters,
            example,
          }),
        )
      : items
  },
})

const categoryOf = (names: readonly string[], { categoryPaths }: Facts): string | InvalidCell => {
  const path = writePath(names)
  const categoryId = categoryPaths.get(path.toLowerCase())
  if (categoryId !== undefined) return categoryId
  return new InvalidCell((i18n) =>
    i18n._(
      'must name categories of the store: there is no {path}.{suggestion} Add new categories to the table of categories',
      { path, suggestion: didYouMean(i18n, path, categoryPaths.values()) },
    ),
  )
}

/**
 * Returns the paths that are not ancestors of others. A product belongs to the ancestors of its
 * categories implicitly.
 */
export const mostSpecific = (paths: readonly string[]) =>
  paths.filter((path) => !paths.some((other) => other.startsWith(`${path} > `))).sort()

/** Categories by path: `Films > Drama|New`. */
export const categories = (name: string, { onlyDeepest = false } = {}): Column => ({
  name,
  empty: [],
  example: 'Films > Drama|New',
  write: asText,
  read: (text, facts) => {
    const paths: (string | InvalidCell)[] = [
      ...new Set(readList(text).map((path) => categoryOf(readPath(path), facts))),
    ]
    const wrong = paths.find((path) => path instanceof InvalidCell)
    if (wrong) return wrong
    const existing = paths.filter(isText)
    return onlyDeepest ? mostSpecific(existing) : existing
  },
})

const link = /^(product|category|plan):\s*(.+)$/is

/**
 * The target of a banner: `product:K100`, `category:Films > Drama`, `plan:pass`, an address, or
 * empty.
 */
export const linkTarget = (name: string, isAddress: (text: string) => boolean): Column => ({
  name,
  empty: null,
  example: 'product:K100',
  write: asText,
  read: (text, facts) => {
    const [, kind, target] = link.exec(text) ?? []
    if (kind && target) {
      if (kind.toLowerCase() !== 'category') return `${kind.toLowerCase()}:${target.trim()}`
      const path = categoryOf(readPath(target), facts)
      return path instanceof InvalidCell ? path : `category:${path}`
    }
    if (isAddress(text)) return text
    return new InvalidCell((i18n) =>
      i18n._(
        'must be product:CODE, category:Films > Drama, plan:CODE, an address as https://example.com, or one of the store as /faq',
      ),
    )
  },
})

/** Makes an empty cell or a missing column leave the existing value unchanged. */
export const unchangedWhenEmpty = (column: Column): Column => ({ ...column, unchangedWhenEmpty: true })

/**
 * The last column of tables whose rows have no name of their own: the id of the row in the store.
 * Empty for new rows.
 */
export const rowId = unchangedWhenEmpty({
  ...code(
    'id',
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    (i18n) => i18n._('must be as it was exported, or empty'),
    '',
  ),
  empty: null,
})
