import type { Locale } from '#contract/enumerations.ts'

/** What "and so many more" is, by the language's own plural forms; `#` is the number. */
const more: Record<Locale, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = {
  en: { one: '{title} and # more product', other: '{title} and # more products' },
  ko: { other: '{title} 외 상품 #개' },
  ja: { other: '{title} ほか#点' },
  ar: {
    one: '{title} ومنتج آخر',
    two: '{title} ومنتجان آخران',
    few: '{title} و# منتجات أخرى',
    many: '{title} و# منتجًا آخر',
    other: '{title} و# منتج آخر',
  },
}

const languageOf = (locale: string): Locale => (Object.hasOwn(more, locale) ? (locale as Locale) : 'en')

/** What an order is called on the provider's page, in the language of the person who pays: its first product, and how many more. */
export const orderTitle = ([first = '', ...others]: readonly string[], locale: string): string => {
  if (others.length === 0) return first
  const language = languageOf(locale)
  const form = more[language][new Intl.PluralRules(language).select(others.length)] ?? more[language].other
  const number = new Intl.NumberFormat(language).format(others.length)
  return form.replace('#', number).replace('{title}', () => first)
}
