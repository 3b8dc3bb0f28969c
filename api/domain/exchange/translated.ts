import { locale as anyLocale, type Locale } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { Translation, Translations } from '#contract/translations.ts'
import type { Column, Value, Values } from './cells.ts'
import { writeList } from './lists.ts'
import type { Complaint, Kept, Table } from './table.ts'

/** The languages of a store that its texts are translated into. */
const otherLanguages = ({ base }: Pick<SiteSettings, 'base'>): Locale[] =>
  base.locales.filter((language) => language !== base.locale)

const columnIn = (column: Column, language: Locale): Column => ({
  ...column,
  name: `${column.name}.${language}`,
  empty: null,
  write: (value, facts) => (value === null ? '' : Array.isArray(value) ? writeList(value) : column.write(value, facts)),
})

/** A row of the store with its translations as cells. What no cell shows stays beside them, so that it is not lost. */
const withCells = (kept: Kept, columns: readonly Column[]): Kept => {
  const translations = standing(kept.values)
  const cells = columns.map(({ name }) => {
    const [field = '', language = ''] = splitName(name)
    return [name, (translations[language as Locale]?.[field] ?? null) as Value]
  })
  return { ...kept, values: { ...kept.values, ...Object.fromEntries(cells) } }
}

const standing = ({ translations }: Values) => (translations ?? {}) as unknown as Translations

const splitName = (name: string): [string, string] | [] => {
  const dot = name.lastIndexOf('.')
  return dot > 0 && anyLocale.safeParse(name.slice(dot + 1)).success ? [name.slice(0, dot), name.slice(dot + 1)] : []
}

/** The translations of a row to be written: those of the store, with what the cells of the file say. */
export const translationsOf = (values: Values): Translations => {
  const all: Partial<Record<string, Translation>> = { ...standing(values) }
  for (const [name, value] of Object.entries(values)) {
    const [field, language] = splitName(name)
    if (field === undefined || language === undefined) continue
    const { [field]: _, ...others } = all[language] ?? {}
    all[language] = value === null ? others : { ...others, [field]: value as string | readonly string[] }
  }
  return Object.fromEntries(Object.entries(all).filter(([, texts]) => Object.keys(texts ?? {}).length > 0))
}

/** Tags are told apart by their place: each language has as many as there are. */
const tagComplaints = (values: Values): Complaint[] => {
  const { length } = (values.tags ?? []) as readonly string[]
  return Object.entries(values).flatMap(([column, labels]) =>
    /^tags\.\w+$/.test(column) && Array.isArray(labels) && labels.length !== length
      ? [{ column, right: `must have as many entries as tags, in the same order: ${length}` }]
      : [],
  )
}

/** A table with a column for each text in each language of the store but its own: `title.ko`. */
export const inLanguages = (table: Table, settings: Pick<SiteSettings, 'base'>): Table => {
  const languages = otherLanguages(settings)
  const added = (table.texts ?? []).flatMap((column) => languages.map((language) => columnIn(column, language)))
  if (added.length === 0) return table
  const id = table.columns.filter(({ name }) => name === 'id')
  const columns = [...table.columns.filter(({ name }) => name !== 'id'), ...added, ...id]
  return {
    ...table,
    columns,
    find: async (work, given) => (await table.find(work, given)).map((kept) => withCells(kept, added)),
    check: async (work, pairs) => {
      const complaints = await table.check(work, pairs)
      return complaints.map((found, at) => [...found, ...tagComplaints(pairs[at]!.values)])
    },
    all: async function* (work) {
      for await (const rows of table.all(work)) yield rows.map((kept) => withCells(kept, added))
    },
  }
}

/** What is wrong with a column of a language the store does not have; null for any other column. */
export const languageComplaint = (
  table: Pick<Table, 'texts'>,
  column: string,
  { base }: Pick<SiteSettings, 'base'>,
): string | null => {
  const dot = column.lastIndexOf('.')
  const [field, language] = [column.slice(0, dot), column.slice(dot + 1)]
  if (dot < 1 || !(table.texts ?? []).some(({ name }) => name === field)) return null
  if (language === base.locale) return `must be ${field}: ${language} is the language of the store itself.`
  const offered = otherLanguages({ base }).map((one) => `${field}.${one}`)
  return offered.length > 0
    ? `must be in a language of the store: ${offered.join(', ')}.`
    : `must be ${field}: the store has one language, ${base.locale}. base.locales lists the others.`
}
