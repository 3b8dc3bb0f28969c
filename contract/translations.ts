import * as z from 'zod/mini'
import { type Locale, locale } from './enumerations.ts'

/** The texts of one row in one language, by column name. */
export type Translation = Record<string, string | readonly string[]>
/** The translations of a row. The columns themselves contain the store's language. */
export type Translations = Partial<Record<Locale, Translation>>

/**
 * The languages of texts that are not in the requested language, by field name. Absent if all
 * texts are in the requested language.
 */
export const textLanguages = z.optional(z.record(z.string(), locale))
export type TextLanguages = z.output<typeof textLanguages>
