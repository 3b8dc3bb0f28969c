import { readMoney, writeMoney } from '#api/platform/csv.ts'
import { meant } from '#api/platform/text.ts'
import { readList, readPath, readTime, writeList, writePath, writeTime } from './cell-formats.ts'
import { isList, isText, type Value } from './cell-values.ts'

/** A cell that cannot be read, with a description of a valid value. */
export class InvalidCell {
  readonly right: string
  constructor(right: string) {
    this.right = right
  }
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

/**
 * An image to scale, a file to store unchanged (for members or for everybody), a video, or a file
 * that belongs to a video.
 */
export type FileKind = 'PICTURE' | 'FILE' | 'PUBLIC_FILE' | 'VIDEO' | 'CAPTIONS' | 'SOUND' | 'CHAPTERS'

const fileExamples: Record<FileKind, string> = {
  PICTURE: 'media/poster.jpg',
  FILE: 'media/workbook.pdf',
  PUBLIC_FILE: 'media/workbook.pdf',
  VIDEO: 'media/lesson.mp4',
  CAPTIONS: 'media/lesson.ko.srt',
  SOUND: 'media/lesson.en.m4a',
  CHAPTERS: 'media/lesson.chapters.txt',
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
  keeps?: boolean
  example: string
  /** The kind of files that the cell names. */
  file?: FileKind
  files?: (text: string) => string[]
}

type CodecOptions = { empty?: Value; example?: string }
const asText = (value: Value) => (value === null ? '' : isList(value) ? writeList(value) : String(value))
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** Text on one line. */
export const line = (name: string, most: number, { empty, example = '' }: CodecOptions = {}): Column => ({
  name,
  empty,
  example,
  write: asText,
  read: (text) => {
    if (text.length > most) return new InvalidCell(`must be ${most} characters long at most, and has ${text.length}`)
    return controls.test(text) ? new InvalidCell('must be one line, without control characters') : text
  },
})

/** Text or HTML on several lines. */
export const prose = (name: string, most: number, { empty = '', example = '' }: CodecOptions = {}): Column => ({
  name,
  empty,
  example,
  write: asText,
  read: (text) => {
    if (text.length > most) return new InvalidCell(`must be ${most} characters long at most, and has ${text.length}`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the database takes no such letter.
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)
      ? new InvalidCell('must hold no control characters')
      : text
  },
})

/** A technical name, such as a code or a page type. */
export const code = (name: string, pattern: RegExp, right: string, example: string): Column => ({
  name,
  empty: undefined,
  example,
  write: asText,
  read: (text) => (pattern.test(text) ? text : new InvalidCell(`${right}, for example ${example}`)),
})

export const oneOf = (name: string, words: readonly string[], empty?: Value): Column => ({
  name,
  empty,
  example: words[0] ?? '',
  write: asText,
  read: (text) => {
    const word = text.toUpperCase().replace(/[\s-]+/g, '_')
    return words.includes(word) ? word : new InvalidCell(`must be ${words.join(', ')}.${meant(word, words)}`)
  },
})

export const whole = (
  name: string,
  least: number,
  most: number,
  { empty, example = '1' }: CodecOptions = {},
): Column => ({
  name,
  empty,
  example,
  write: asText,
  read: (text) => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    return new InvalidCell(`must be a whole number from ${least} to ${most}, for example ${example}`)
  },
})

const yes = new Set(['yes', 'y', 'true', '1', 'o', '예', 'はい', 'x'])
const no = new Set(['no', 'n', 'false', '0', '아니요', '아니오', 'いいえ'])

export const yesNo = (name: string, empty: boolean): Column => ({
  name,
  empty,
  example: 'yes',
  read: (text) => {
    const word = text.toLowerCase()
    return yes.has(word) ? true : no.has(word) ? false : new InvalidCell('must be yes or no')
  },
  write: (value) => (value ? 'yes' : 'no'),
})

export const money = (name: string, options: CodecOptions = {}): Column => ({
  name,
  empty: options.empty,
  example: '12',
  read: (text, { currency }) => {
    const amount = readMoney(text, currency)
    return typeof amount === 'number' ? amount : new InvalidCell(amount.right)
  },
  write: (value, { currency }) => (typeof value === 'number' ? writeMoney(value, currency) : ''),
})

export const time = (name: string): Column => ({
  name,
  empty: null,
  example: '2026-11-21 09:00',
  read: (text, { timeZone }) =>
    readTime(text, timeZone) ??
    new InvalidCell(`must be a day or a time of ${timeZone}, for example 2026-11-21 or 2026-11-21 09:00`),
  write: (value, { timeZone }) => (isText(value) ? writeTime(value, timeZone) : ''),
})

export const list = (
  name: string,
  most: number,
  mostLetters: number,
  example: string,
  { repeats = false } = {},
): Column => ({
  name,
  empty: [],
  example,
  write: asText,
  read: (text) => {
    const all = readList(text)
    const items = repeats ? all : [...new Set(all)]
    if (items.length > most) return new InvalidCell(`must have ${most} entries at most, with | between them`)
    const strange = items.find((item) => item.length > mostLetters || controls.test(item))
    return strange
      ? new InvalidCell(`must have entries of ${mostLetters} characters at most, for example ${example}`)
      : items
  },
})

const categoryOf = (names: readonly string[], { categoryPaths }: Facts): string | InvalidCell => {
  const path = writePath(names)
  const known = categoryPaths.get(path.toLowerCase())
  if (known !== undefined) return known
  return new InvalidCell(
    `must name categories of the store: there is no ${path}.${meant(path, categoryPaths.values())} Add new categories to the table of categories`,
  )
}

/**
 * Returns the paths that are not ancestors of others. A product belongs to the ancestors of its
 * categories implicitly.
 */
export const deepest = (paths: readonly string[]) =>
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
    const known = paths.filter(isText)
    return onlyDeepest ? deepest(known) : known
  },
})

const link = /^(product|category|plan):\s*(.+)$/is

/**
 * The target of a banner: `product:K100`, `category:Films > Drama`, `plan:pass`, an address, or
 * empty.
 */
export const leadsTo = (name: string, isAddress: (text: string) => boolean): Column => ({
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
    return new InvalidCell(
      'must be product:CODE, category:Films > Drama, plan:CODE, an address as https://example.com, or one of the store as /faq',
    )
  },
})

const oneFile = (text: string) => (text === '' ? [] : [text])

/** A file next to the table, or one of the store's own (`store:…`). */
export const fileOf = (name: string, file: FileKind, empty?: Value): Column => ({
  name,
  empty,
  file,
  files: oneFile,
  example: fileExamples[file],
  read: (text, { media }) => media(text, file),
  write: (value, { reference }) => (isText(value) ? reference(value, file) : ''),
})

/** Several images, separated by |. */
export const pictures = (name: string, most: number): Column => ({
  name,
  empty: [],
  file: 'PICTURE',
  files: readList,
  example: 'media/still-1.jpg|media/still-2.jpg',
  read: (text, { media }) => {
    const found = readList(text).map((path) => media(path, 'PICTURE'))
    if (found.length > most) return new InvalidCell(`must name ${most} pictures at most`)
    return found.find((one) => one instanceof InvalidCell) ?? found.filter(isText)
  },
  write: (value, { reference }) => writeList(isList(value) ? value.map((key) => reference(key, 'PICTURE')) : []),
})

/** Named files: `Price list.pdf=media/prices.pdf`, or only a path. */
export const namedFiles = (name: string, most: number): Column => {
  const partsOf = (item: string) => {
    const at = item.indexOf('=')
    const path = item.slice(at + 1).trim()
    return { path, name: at > 0 ? item.slice(0, at).trim() : path.slice(path.lastIndexOf('/') + 1) }
  }
  return {
    name,
    empty: [],
    file: 'PUBLIC_FILE',
    example: 'Price list.pdf=media/prices.pdf',
    files: (text) => readList(text).map((item) => partsOf(item).path),
    read: (text, { media }) => {
      const items = readList(text).map(partsOf)
      if (items.length > most) return new InvalidCell(`must name ${most} files at most`)
      const found = items.map(({ path, name: called }) => {
        const key = media(path, 'PUBLIC_FILE')
        return key instanceof InvalidCell ? key : `${called}=${key}`
      })
      return found.find((one) => one instanceof InvalidCell) ?? found.filter(isText)
    },
    write: (value, { reference }) =>
      writeList(
        (isList(value) ? value : []).map((item) => {
          const { name: called, path } = partsOf(item)
          return `${called}=${reference(path, 'PUBLIC_FILE')}`
        }),
      ),
  }
}

/** Returns the name and the key of an entry of `namedFiles`. */
export const namedFile = (item: string) => {
  const at = item.indexOf('=')
  return { name: item.slice(0, at), key: item.slice(at + 1) }
}

/** Makes an empty cell or a missing column leave the existing value unchanged. */
export const keeping = (column: Column): Column => ({ ...column, keeps: true })

/**
 * The last column of tables whose rows have no name of their own: the id of the row in the store.
 * Empty for new rows.
 */
export const rowId = keeping({
  ...code('id', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be as it was exported, or empty', ''),
  empty: null,
})
