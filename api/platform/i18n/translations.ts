import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Ctx } from '#api/platform/context.ts'
import type { CallContext } from '#api/platform/http/procedures.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { type Locale, locale, locale as localeSchema } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { TextLanguages, Translation, Translations } from '#contract/translations.ts'

/** Whose texts are read, and in which language. */
export type ReaderCtx = Pick<Ctx, 'customer' | 'locale'>

/** The language whose translations are read; null for the store's own, which needs none. */
export const translatedLocale = ({ customer, locale }: ReaderCtx): Locale | null =>
  locale === customer.settings.base.locale ? null : locale

/** What a row has in the reader's language. */
export const translationFor = (ctx: ReaderCtx, translations: Translations | null | undefined): Translation | null => {
  const locale = translatedLocale(ctx)
  return (locale && translations?.[locale]) || null
}

const isEmpty = (text: unknown) => !text || (Array.isArray(text) && text.length === 0)

/**
 * The texts of a row in the reader's language. A text without a translation stays in the store's own language, and `languages` names
 * it; where there is none, `languages` is absent.
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

/** The same of a row that holds all its translations, which the answer does not. */
export const translateRow = <Row extends { translations: Translations }, Field extends keyof Row & string>(
  ctx: ReaderCtx,
  { translations, ...row }: Row,
  fields: readonly Exclude<Field, 'translations'>[],
) => translate(ctx, row as Omit<Row, 'translations'>, translationFor(ctx, translations), fields as never[])

/** Of the languages something is translated into, those of the store, its own among them. */
export const offeredLocales = (
  { settings: { base } }: ReaderCtx['customer'],
  translated: readonly string[],
): Locale[] => base.locales.filter((locale) => locale === base.locale || translated.includes(locale))

/** The languages of the store that a text of a row is in. */
export const localesOf = (customer: ReaderCtx['customer'], translations: Translations, field: string): Locale[] =>
  offeredLocales(
    customer,
    Object.entries(translations).flatMap(([locale, texts]) => (isEmpty(texts?.[field]) ? [] : [locale])),
  )

/** One text and the language it is in, for what is kept of it. */
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
 * Texts that a row has one of for each of its parts: the chapters of its film, the names of its files. `field` of the translation lists them
 * in the order of the parts; where it lists none for a part, that stays as it is.
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

/** A row's title in the reader's language, as answers carry it. */
export const titleOf = (ctx: ReaderCtx, row: { title: string; translations: Translations }) => {
  const { title, languages } = translateRow(ctx, { title: row.title, translations: row.translations }, ['title'])
  return { title, ...(languages && { languages }) }
}

/** The language of what is said back to the caller: the most wanted of Accept-Language we have sentences in, else the store's own. */
export const callerLocale = ({ headers, customer }: CallContext): Locale =>
  negotiateLanguage(headers.get('accept-language'), localeSchema.options, customer.settings.base.locale)

/** The most wanted language of Accept-Language the store has, else the store's own. */
export const localeOf = ({ base: { locale, locales } }: SiteSettings, headers: Headers): Locale =>
  negotiateLanguage(headers.get('accept-language'), locales, locale)

/** For a page of the demo's own: the language that was chosen in the store, else the browser's. */
export const visitorLanguage = (context: Context): Locale => {
  const chosen = getCookie(context, 'locale')
  const { options } = locale
  return (
    options.find((one) => one === chosen) ?? negotiateLanguage(context.req.header('accept-language'), options, 'en')
  )
}
