import { locale as anyLocale, type Locale } from '#contract/enumerations.ts'
import type { Translation, Translations } from '#contract/translations.ts'

/**
 * A parsed cell: money in minor units, times in ISO 8601; images, files and videos by their storage
 * key, or `path:…` for a video that is still to be uploaded.
 */
export type Value = string | number | boolean | null | readonly string[] | Translations
export type Values = Record<string, Value>

/** Whether a cell holds several values, such as tags. */
export const isList = (value: Value | undefined): value is readonly string[] => Array.isArray(value)

/** Whether a value is a string. The empty string is one. */
export const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * Returns the text of a column that always has one.
 *
 * @throws Error for any other value, which its codec cannot have read.
 */
export const textIn = (values: Values, column: string): string => {
  const value = values[column]
  if (!isText(value)) throw new Error(`The column ${column} holds no text`)
  return value
}

/** Returns the text of an optional column, or null if it is empty. */
export const optionalTextIn = (values: Values, column: string): string | null => {
  const value = values[column]
  return isText(value) ? value : null
}

/** Returns the entries of a list column. Empty for an empty cell. */
export const listIn = (values: Values, column: string): readonly string[] => {
  const value = values[column]
  return isList(value) ? value : []
}

/** Returns the translations of a store's row. */
export const storedTranslations = ({ translations }: Values): Translations =>
  typeof translations === 'object' && translations !== null && !isList(translations) ? translations : {}

/** Returns the field and the language of a column such as `title.ko`, or nothing for others. */
export const splitName = (name: string): [string, Locale] | [] => {
  const dot = name.lastIndexOf('.')
  const { data } = anyLocale.safeParse(name.slice(dot + 1))
  return dot > 0 && data ? [name.slice(0, dot), data] : []
}

/** Returns the translations to write: those of the store, updated by the cells of the file. */
export const translationsOf = (values: Values): Translations => {
  const all: Partial<Record<string, Translation>> = { ...storedTranslations(values) }
  for (const [name, value] of Object.entries(values)) {
    const [field, language] = splitName(name)
    if (field === undefined || language === undefined) continue
    const { [field]: _, ...others } = all[language] ?? {}
    all[language] = typeof value === 'string' || isList(value) ? { ...others, [field]: value } : others
  }
  return Object.fromEntries(Object.entries(all).filter(([, texts]) => Object.keys(texts ?? {}).length > 0))
}
