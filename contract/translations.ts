import type { Locale } from './enumerations.ts'

/** The texts of one row in one language, by the name of its column. */
type Translation = Record<string, string | readonly string[]>
/** What is translated of a row. The store's own language stands in the columns themselves. */
export type Translations = Partial<Record<Locale, Translation>>
