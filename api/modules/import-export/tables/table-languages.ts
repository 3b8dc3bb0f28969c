import {
  isList,
  listIn,
  splitName,
  storedTranslations,
  type Value,
  type Values,
} from '#api/modules/import-export/tables/cell-formats.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { writeList } from './cell-formats.ts'
import type { Column } from './column-codecs.ts'
import type { RowProblem, StoredRow, Table } from './table.ts'

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
      ? [{ column, message: `must have as many entries as tags, in the same order: ${length}` }]
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
): string | null => {
  const dot = column.lastIndexOf('.')
  const [field, language] = [column.slice(0, dot), column.slice(dot + 1)]
  if (dot < 1 || !(table.texts ?? []).some(({ name }) => name === field)) return null
  if (language === base.locale) return `must be ${field}, because ${language} is the default language of the store.`
  const offered = otherLanguages({ base }).map((language) => `${field}.${language}`)
  return offered.length > 0
    ? `must be in a language of the store: ${offered.join(', ')}.`
    : `must be ${field}, because the store has one language, ${base.locale}. Add others to base.locales.`
}
