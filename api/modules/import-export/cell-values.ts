import type { Translations } from '#contract/translations.ts'

/**
 * What a cell says, as it is compared: money in minor units, moments in ISO 8601, pictures, files and videos by their key in the
 * store, or a video that is still to be handed in as `path:…`.
 */
export type Value = string | number | boolean | null | readonly string[] | Translations
export type Values = Record<string, Value>

export const isList = (value: Value | undefined): value is readonly string[] => Array.isArray(value)
export const isText = (value: unknown): value is string => typeof value === 'string'

/** The text of a column that always holds one. @throws Error for any other value, which its codec cannot have read. */
export const textIn = (values: Values, column: string): string => {
  const value = values[column]
  if (!isText(value)) throw new Error(`The column ${column} holds no text`)
  return value
}

/** The text of a column that may be empty; null where it is. */
export const optionalTextIn = (values: Values, column: string): string | null => {
  const value = values[column]
  return isText(value) ? value : null
}

/** The entries of a column of lists; none where the cell is empty. */
export const listIn = (values: Values, column: string): readonly string[] => {
  const value = values[column]
  return isList(value) ? value : []
}
