import type { Locale } from '#contract/enumerations.ts'
import type { Translations } from '#contract/translations.ts'
import { html } from './prose.ts'

/**
 * What a store says in other languages, by what it says in its own. A text that is not in it stays
 * as it is.
 */
export type Phrases = ReadonlyMap<string, Partial<Record<Locale, string>>>

/**
 * Long texts in other languages, in the notation of `prose.ts`, by the name of what they belong to.
 */
export type Bodies = Partial<Record<Locale, Readonly<Record<string, string>>>>

/**
 * Makes phrases of lines: the store's own text, then its translations in the order of `languages`.
 */
export const phrasesOf = (languages: readonly Locale[], lines: readonly (readonly string[])[]): Phrases =>
  new Map(
    lines.map(([own = '', ...others]) => [
      own,
      Object.fromEntries(languages.map((language, at) => [language, others[at] ?? ''])),
    ]),
  )

/** The translations of a row, from its own texts. A list is translated where all of it is. */
export const translationsIn = (
  phrases: Phrases | undefined,
  own: Record<string, string | readonly string[] | null>,
): Translations => {
  const translations: Record<string, Record<string, string | string[]>> = {}
  const languages = new Set([...(phrases?.values() ?? [])].flatMap((texts) => Object.keys(texts) as Locale[]))
  for (const language of languages)
    for (const [field, text] of Object.entries(own)) {
      const parts = [text ?? []].flat().map((part) => phrases?.get(part)?.[language])
      if (parts.length === 0 || parts.some((part) => !part)) continue
      const texts = parts as string[]
      translations[language] = { ...translations[language], [field]: typeof text === 'string' ? texts[0]! : texts }
    }
  return translations
}

/** Translations of a row and of its long text `field`, which `bodies` holds under `name`. */
export const withBody = (translations: Translations, bodies: Bodies | undefined, field: string, name: string) => {
  const added: Record<string, Record<string, string | readonly string[]>> = {}
  for (const [language, texts] of Object.entries(bodies ?? {})) {
    const text = texts[name]
    if (text) added[language] = { ...translations[language as Locale], [field]: html(text) }
  }
  return { ...translations, ...added } as Translations
}
