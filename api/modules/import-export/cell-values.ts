import type { Translations } from '#contract/translations.ts'

/**
 * A parsed cell: money in minor units, times in ISO 8601; images, files and videos by their storage
 * key, or `path:…` for a video that is still to be uploaded.
 */
export type Value = string | number | boolean | null | readonly string[] | Translations
export type Values = Record<string, Value>

/** Whether a value is a list. */
export const isList = (value: Value | undefined): value is readonly string[] => Array.isArray(value)

/** Whether a value is text. */
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
