import type { Locale } from '#contract/enumerations.ts'

/** The languages that a store can have, by their own names. */
export const storeLanguages = {
  en: 'English',
  ko: '한국어',
  ja: '日本語',
  ar: 'العربية',
} as const satisfies Record<Locale, string>
