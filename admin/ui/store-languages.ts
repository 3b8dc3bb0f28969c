import type { Locale } from '#contract/enumerations.ts'

/** The languages that a store can have, by their own names. */
export const storeLanguages = {
  en: 'English',
  ko: '한국어',
  ja: '日本語',
  ar: 'العربية',
} as const satisfies Record<Locale, string>

/**
 * The texts that a form may send: those in the further languages of the store. Texts of a language
 * that the store no longer has stay as they are, and the API refuses others.
 */
export const offeredTexts = <Texts>(
  texts: Readonly<Partial<Record<Locale, Texts>>>,
  { locale, locales }: { locale: Locale; locales: readonly Locale[] },
): Partial<Record<Locale, Texts>> => {
  const offered: Partial<Record<Locale, Texts>> = {}
  for (const language of locales) {
    const text = texts[language]
    if (language !== locale && text !== undefined) offered[language] = text
  }
  return offered
}
