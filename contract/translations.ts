import * as z from 'zod/mini'
import { type Locale, locale } from './enumerations.ts'

/** The texts of one row in one language, by the name of its column. */
export type Translation = Record<string, string | readonly string[]>
/** What is translated of a row. The store's own language stands in the columns themselves. */
export type Translations = Partial<Record<Locale, Translation>>

/**
 * The languages of texts that are not in the requested language, by the name of the field. A field that is not named is in that
 * language. Absent where there is none.
 */
export const textLanguages = z.optional(z.record(z.string(), locale))
export type TextLanguages = z.output<typeof textLanguages>
