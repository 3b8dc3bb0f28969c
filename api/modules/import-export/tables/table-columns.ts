import { isListPriceTooLow, passedTimes } from '#api/modules/catalog/product-options.ts'
import type { I18n, Message } from '#api/platform/i18n/messages.ts'
import { maxPriceChanges } from '#contract/admin/products.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { PriceChange } from '#contract/money.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import {
  type FileKind,
  isList,
  isText,
  listIn,
  readList,
  splitName,
  storedTranslations,
  type Value,
  type Values,
  writeList,
  writeTime,
} from './cell-formats.ts'
import * as cell from './column-codecs.ts'
import { type Column, type Facts, InvalidCell } from './column-codecs.ts'
import type { ImportContext, RowProblem, StoredRow, Table } from './table.ts'

const fileExamples: Record<FileKind, string> = {
  PICTURE: 'media/poster.jpg',
  FILE: 'media/workbook.pdf',
  PUBLIC_FILE: 'media/workbook.pdf',
  VIDEO: 'media/lesson.mp4',
  CAPTIONS: 'media/lesson.ko.srt',
  SOUND: 'media/lesson.en.m4a',
  CHAPTERS: 'media/lesson.chapters.txt',
}

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
export const pictures = (name: string, max: number): Column => ({
  name,
  empty: [],
  file: 'PICTURE',
  files: readList,
  example: 'media/still-1.jpg|media/still-2.jpg',
  read: (text, { media }) => {
    const keys = readList(text).map((path) => media(path, 'PICTURE'))
    if (keys.length > max) return new InvalidCell((i18n) => i18n._('must list at most {max} pictures', { max }))
    return keys.find((key) => key instanceof InvalidCell) ?? keys.filter(isText)
  },
  write: (value, { reference }) => writeList(isList(value) ? value.map((key) => reference(key, 'PICTURE')) : []),
})

/** Named files: `Price list.pdf=media/prices.pdf`, or only a path. */
export const namedFiles = (name: string, max: number): Column => {
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
      if (items.length > max) return new InvalidCell((i18n) => i18n._('must list at most {max} files', { max }))
      const entries = items.map(({ path, name: called }) => {
        const key = media(path, 'PUBLIC_FILE')
        return key instanceof InvalidCell ? key : `${called}=${key}`
      })
      return entries.find((entry) => entry instanceof InvalidCell) ?? entries.filter(isText)
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

/** The problem of a cell that names a film or file of the store which is not there. */
export const notInStore = (kind: FileKind, place: string) =>
  new InvalidCell((i18n) =>
    kind === 'VIDEO'
      ? i18n._(
          'must be a film of this store. There is none at {place}. Use the path of a file, or leave the cell empty',
          { place },
        )
      : i18n._('must be a file of this store. There is none at {place}. Use the path of a file', { place }),
  )

const priceChange = /^([^=]+)=([^=/]+)(?:\/([^=/]+))?$/

/**
 * Prices of later times: `2026-12-01 09:00=9.90/12.50`, the one before the discount last. Its value
 * has ISO 8601 and minor units.
 */
export const priceChanges = (name: string): Column => {
  const at = cell.time(name)
  const amount = cell.money(name)
  const example = '2026-12-01 09:00=9'
  const readChange = (item: string, facts: Facts): string | InvalidCell => {
    const [, time = '', price = '', listPrice] = priceChange.exec(item) ?? []
    if (price === '')
      return new InvalidCell((i18n) => i18n._('must be times with prices, for example {example}', { example }))
    const parts = [at.read(time.trim(), facts), amount.read(price.trim(), facts)]
    if (listPrice !== undefined) parts.push(amount.read(listPrice.trim(), facts))
    const wrong = parts.find((part) => part instanceof InvalidCell)
    if (wrong) return wrong
    const [iso, ...amounts] = parts
    const change = `${iso}=${amounts.join('/')}`
    const { listPriceAmount, priceAmount } = priceChangeOf(change)
    return isListPriceTooLow(listPriceAmount, priceAmount) ? new InvalidCell(lowListPrice) : change
  }
  return {
    name,
    empty: [],
    example,
    read: (text, facts) => {
      const items = readList(text).map((item) => readChange(item, facts))
      const wrong = items.find((item) => item instanceof InvalidCell)
      if (wrong) return wrong
      const changes = items.filter(isText).sort()
      if (changes.length > maxPriceChanges)
        return new InvalidCell((i18n) =>
          i18n._('must have {max} entries at most, with | between them', { max: maxPriceChanges }),
        )
      const times = new Set(changes.map((change) => priceChangeOf(change).at))
      return times.size === changes.length
        ? changes
        : new InvalidCell((i18n) => i18n._('must have a different time for each price'))
    },
    write: (value, facts) =>
      writeList(
        (isList(value) ? value : []).map((change) => {
          const { at: iso, priceAmount, listPriceAmount } = priceChangeOf(change)
          const amounts = listPriceAmount === null ? [priceAmount] : [priceAmount, listPriceAmount]
          return `${at.write(iso, facts)}=${amounts.map((each) => amount.write(each, facts)).join('/')}`
        }),
      ),
  }
}

/** The price of a later time that an entry of `priceChanges` has. */
export const priceChangeOf = (change: string): PriceChange => {
  const [at = '', amounts = ''] = change.split('=')
  const [price, listPrice] = amounts.split('/')
  return { at, priceAmount: Number(price), listPriceAmount: listPrice === undefined ? null : Number(listPrice) }
}

/**
 * Returns a problem if prices have times that have passed and the stored option does not have them:
 * they would replace the price a minute later.
 */
export const passedPrices = (
  { facts, now, isNewStore }: ImportContext,
  values: Values,
  stored: StoredRow | null,
): RowProblem[] => {
  if (isNewStore) return []
  const timesOf = (each: Values) => listIn(each, 'price_changes').map((change) => priceChangeOf(change).at)
  const passed = passedTimes(timesOf(values), stored ? timesOf(stored.values) : [], new Date(now))
  if (passed.length === 0) return []
  const times = passed.map((time) => writeTime(time, facts.timeZone)).join(', ')
  const message = (i18n: I18n) => i18n._('must have times in the future. Remove what has passed: {times}', { times })
  return [{ column: 'price_changes', message }]
}

/** The message of a price before the discount that is below the price. */
export const lowListPrice = (i18n: I18n) =>
  i18n._('must not be lower than price, because it is the price before the discount')

/** The languages into which a store translates its texts. */
const otherLanguages = ({ base }: Pick<SiteSettings, 'base'>): Locale[] =>
  base.locales.filter((language) => language !== base.locale)

const columnIn = (column: Column, language: Locale): Column => ({
  ...column,
  name: `${column.name}.${language}`,
  empty: null,
  write: (value, facts) => (value === null ? '' : isList(value) ? writeList(value) : column.write(value, facts)),
})

/**
 * Returns a store's row with its translations as cells. Translations without a column are retained.
 */
const withCells = (stored: StoredRow, columns: readonly Column[]): StoredRow => {
  const translations = storedTranslations(stored.values)
  const cells = columns.map(({ name }): [string, Value] => {
    const [field = '', language] = splitName(name)
    return [name, (language && translations[language]?.[field]) ?? null]
  })
  return { ...stored, values: { ...stored.values, ...Object.fromEntries(cells) } }
}

/** Tags correspond by position: each language needs the same number of them. */
const tagProblems = (values: Values): RowProblem[] => {
  const { length } = listIn(values, 'tags')
  return Object.entries(values).flatMap(([column, labels]) =>
    /^tags\.\w+$/.test(column) && isList(labels) && labels.length !== length
      ? [
          {
            column,
            message: (i18n) => i18n._('must have as many entries as tags, in the same order: {length}', { length }),
          },
        ]
      : [],
  )
}

/**
 * Returns a table with a column for each text in each language of the store except its own:
 * `title.ko`.
 */
export const inLanguages = (table: Table, settings: Pick<SiteSettings, 'base'>): Table => {
  const languages = otherLanguages(settings)
  const added = (table.texts ?? []).flatMap((column) => languages.map((language) => columnIn(column, language)))
  if (added.length === 0) return table
  const id = table.columns.filter(({ name }) => name === 'id')
  const columns = [...table.columns.filter(({ name }) => name !== 'id'), ...added, ...id]
  return {
    ...table,
    columns,
    find: async (context, rows) => (await table.find(context, rows)).map((stored) => withCells(stored, added)),
    check: async (context, pairs) => {
      const problems = await table.check(context, pairs)
      return pairs.map(({ values }, at) => [...(problems[at] ?? []), ...tagProblems(values)])
    },
    all: async function* (context) {
      for await (const rows of table.all(context)) yield rows.map((stored) => withCells(stored, added))
    },
  }
}

/**
 * Returns what is wrong with a column in a language that the store does not have. Null for any
 * other column.
 */
export const languageProblem = (
  table: Pick<Table, 'texts'>,
  column: string,
  { base }: Pick<SiteSettings, 'base'>,
): Message | null => {
  const dot = column.lastIndexOf('.')
  const [field, language] = [column.slice(0, dot), column.slice(dot + 1)]
  if (dot < 1 || !(table.texts ?? []).some(({ name }) => name === field)) return null
  if (language === base.locale)
    return (i18n) =>
      i18n._('must be {field}, because {language} is the default language of the store.', {
        field,
        language: base.locale,
      })
  const offered = otherLanguages({ base }).map((language) => `${field}.${language}`)
  return offered.length > 0
    ? (i18n) => i18n._('must be in a language of the store: {offered}.', { offered: offered.join(', ') })
    : (i18n) =>
        i18n._('must be {field}, because the store has one language, {language}. Add others to base.locales.', {
          field,
          language: base.locale,
        })
}
