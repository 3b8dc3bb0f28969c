import type { Ctx } from '#api/platform/context.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import type { TextLanguages, Translation, Translations } from '#contract/translations.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { messagesOf } from './messages.ts'

/** The tenant and the language of the reader. */
export type ReaderCtx = Pick<Ctx, 'customer' | 'locale'>

/** Returns the language of the translations to read; null for the store's own language. */
export const translatedLocale = ({ customer, locale }: ReaderCtx): Locale | null =>
  locale === customer.settings.base.locale ? null : locale

/** Returns the translation of a row in the reader's language, if any. */
export const translationFor = (ctx: ReaderCtx, translations: Translations | null | undefined): Translation | null => {
  const locale = translatedLocale(ctx)
  return (locale && translations?.[locale]) || null
}

const isEmpty = (text: unknown) => !text || (Array.isArray(text) && text.length === 0)

/**
 * Returns a row with its texts in the reader's language. A text without a translation stays in the
 * store's language, and `languages` names it. `languages` is absent if all texts are translated.
 */
export const translate = <Row extends object, Field extends keyof Row & string>(
  ctx: ReaderCtx,
  row: Row,
  translation: Translation | null,
  fields: readonly Field[],
): Row & { languages?: NonNullable<TextLanguages> } => {
  if (translatedLocale(ctx) === null) return row
  const translated: Record<string, unknown> = {}
  const languages: NonNullable<TextLanguages> = {}
  for (const field of fields) {
    if (isEmpty(row[field])) continue
    if (isEmpty(translation?.[field])) languages[field] = ctx.customer.settings.base.locale
    else translated[field] = translation?.[field]
  }
  return { ...row, ...translated, ...(Object.keys(languages).length > 0 && { languages }) }
}

/** Translates a row and removes its `translations` column. */
export const translateRow = <Row extends { translations: Translations }, Field extends keyof Row & string>(
  ctx: ReaderCtx,
  { translations, ...row }: Row,
  fields: readonly Exclude<Field, 'translations'>[],
  // The type of a rest of a type parameter, and of its fields, is not derived.
) => translate(ctx, row as Omit<Row, 'translations'>, translationFor(ctx, translations), fields as never[])

/** Returns the store's languages in which a translation exists, and the store's own. */
export const offeredLocales = (
  { settings: { base } }: ReaderCtx['customer'],
  translated: readonly string[],
): Locale[] => base.locales.filter((locale) => locale === base.locale || translated.includes(locale))

/** Returns the store's languages in which a text of a row exists. */
export const localesOf = (customer: ReaderCtx['customer'], translations: Translations, field: string): Locale[] =>
  offeredLocales(
    customer,
    Object.entries(translations).flatMap(([locale, texts]) => (isEmpty(texts?.[field]) ? [] : [locale])),
  )

/** Returns one text and its language, to be stored. */
export const textFor = (
  ctx: ReaderCtx,
  text: string,
  translations: Translations | null | undefined,
  field: string,
): { text: string; language: Locale } => {
  const translated = translationFor(ctx, translations)?.[field]
  return typeof translated === 'string' && translated !== ''
    ? { text: translated, language: ctx.locale }
    : { text, language: ctx.customer.settings.base.locale }
}

/**
 * Translates a text of each part of a row: the chapters of a film or the names of its files.
 * `field` of the translation lists them in the order of the parts. A part without an entry keeps
 * its text.
 */
export const translateParts = <Part extends object, Text extends keyof Part & string>(
  ctx: ReaderCtx,
  parts: readonly Part[],
  text: Text,
  translation: Translation | null,
  field: string,
): (Part & { languages?: NonNullable<TextLanguages> })[] => {
  const texts = translation?.[field]
  return parts.map((part, at) => {
    const translated = Array.isArray(texts) ? texts[at] : undefined
    return translate(ctx, part, translated ? { [text]: translated } : null, [text])
  })
}

/**
 * Returns the title of a row in the reader's language, with `languages` where it is not translated.
 */
export const titleOf = (ctx: ReaderCtx, row: { title: string; translations: Translations }) => {
  const { title, languages } = translateRow(ctx, { title: row.title, translations: row.translations }, ['title'])
  return { title, ...(languages && { languages }) }
}

/** The texts of a change by language. Null or an empty text or list removes one. */
export type TranslationChange = Partial<
  Record<Locale, Partial<Record<string, string | readonly string[] | null>> | undefined>
>

/** Returns the translated texts of the named columns, by language. */
export const textsIn = (translations: Translations, names: readonly string[]) => {
  const texts: Partial<Record<Locale, Record<string, string>>> = {}
  for (const language of locale.options)
    for (const [name, text] of Object.entries(translations[language] ?? {}))
      if (names.includes(name) && typeof text === 'string') texts[language] = { ...texts[language], [name]: text }
  return texts
}

/** Applies a change of translations. What the change does not name stays. */
export const withTranslations = (before: Translations, change: TranslationChange): Translations => {
  const after: Translations = { ...before }
  for (const language of locale.options) {
    const texts = change[language]
    if (!texts) continue
    const all: Record<string, string | readonly string[] | null | undefined> = {
      ...before[language],
      ...withoutUndefined(texts),
    }
    const nonEmpty = Object.entries(all).filter(
      (entry): entry is [string, string | readonly string[]] => !isEmpty(entry[1]),
    )
    if (nonEmpty.length > 0) after[language] = Object.fromEntries(nonEmpty)
    else delete after[language]
  }
  return after
}

/** Returns why a change of translations is refused, in the language of the person. */
export const translationErrors = (
  { customer, locale: reader }: ReaderCtx,
  change: TranslationChange,
): { translations?: string[] } => {
  const { locale: storeLocale, locales } = customer.settings.base
  const isOther = (language: string) => language !== storeLocale && locales.some((each) => each === language)
  if (Object.keys(change).every(isOther)) return {}
  const i18n = messagesOf(reader)
  return { translations: [i18n._('Translate into the other languages of the store alone.')] }
}

/** Why translations of tags are refused: each of the `count` tags needs one. */
export const tagErrors = ({ locale: reader }: ReaderCtx, change: TranslationChange, count: number) => {
  const i18n = messagesOf(reader)
  const errors: Record<string, string[]> = {}
  for (const language of locale.options) {
    const tags = change[language]?.tags
    if (!tags || tags.length === 0 || tags.length === count) continue
    errors[`translations.${language}.tags`] = [
      i18n._('Translate each tag, in their order. Their number is {count}.', { count }),
    ]
  }
  return errors
}

/** Translations of tags have the order of the tags. A new tag is translated by itself. */
export const withTags = (translations: Translations, before: readonly string[], after = before): Translations =>
  Object.fromEntries(
    Object.entries(translations).map(([language, { tags, ...texts } = {}]) => {
      if (!Array.isArray(tags)) return [language, { ...texts, ...(tags && { tags }) }]
      const translated = (tag: string) => tags[before.indexOf(tag)] ?? tag
      return [language, { ...texts, ...(after.length > 0 && { tags: after.map(translated) }) }]
    }),
  )

/** What translations of a product are named by, where it is not the name of the field. */
const productColumns: Partial<Record<string, string>> = {
  posterAlt: 'poster_alt',
  seoTitle: 'seo_title',
  seoDescription: 'seo_description',
  confirmationText: 'confirmation',
}

/** Returns a change of the texts of a product, or of its files, with the names of translations. */
export const productColumnsOf = (change: TranslationChange): TranslationChange =>
  Object.fromEntries(
    Object.entries(change).map(([language, texts = {}]) => [
      language,
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [productColumns[name] ?? name, text])),
    ]),
  )

/** Returns the translated texts and tags of a product, or of its files, by the names of fields. */
export const productTextsIn = <Name extends string>(translations: Translations, names: readonly Name[]) => {
  const all: Partial<Record<Locale, Partial<Record<Name, string>> & { tags?: string[] }>> = {}
  for (const language of locale.options) {
    const stored = translations[language] ?? {}
    const texts: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const text = stored[productColumns[name] ?? name]
      if (typeof text === 'string') texts[name] = text
    }
    const { tags } = stored
    if (Object.keys(texts).length > 0 || Array.isArray(tags))
      all[language] = { ...texts, ...(Array.isArray(tags) && { tags }) }
  }
  return all
}

/** Translations of tags, by language. */
export type TagLabels = Partial<Record<Locale, string[]>>

/** Returns the translations of the tags of a row. */
export const tagLabelsIn = (translations: Translations): TagLabels =>
  Object.fromEntries(
    Object.entries(translations).flatMap(([language, { tags } = {}]) =>
      Array.isArray(tags) ? [[language, tags]] : [],
    ),
  )

/** Returns translations whose tags are those of `labels`, in the languages that these have. */
export const withTagLabels = (translations: Translations, labels: TagLabels): Translations => {
  const labeled = { ...translations }
  for (const language of locale.options) {
    const tags = labels[language]
    if (tags) labeled[language] = { ...labeled[language], tags }
  }
  return labeled
}
