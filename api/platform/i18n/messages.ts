import { readFileSync } from 'node:fs'
import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { parsePo } from 'pofile-ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'

type Values = Record<string, string | number | null>

/** The API's texts in one language. The extractor finds calls of `_` on a variable named `i18n`. */
export interface I18n {
  readonly locale: Locale
  /**
   * Returns a text in this language, or in English where it has no translation.
   *
   * @param text The English text, in ICU message format
   * @param values Shown as they are: markup and ICU syntax in them have no effect
   * @param options `context` tells apart texts that are equal in English only
   */
  _(text: string, values?: Values, options?: { context: string }): string
}

/** A text whose reader's language is known later. A string is the same in every language. */
export type Message = string | ((i18n: I18n) => string)

/** Puts a message into words. */
export const messageIn = (i18n: I18n, message: Message): string =>
  typeof message === 'string' ? message : message(i18n)

const keyOf = (text: string, context?: string | null) => (context ? `${context}\u0004${text}` : text)

/** Lingui decodes `\u0041` in a finished text, so backslashes in values are escaped. */
const literal = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\\', '\\u005c') : value,
    ]),
  )

const readCatalogue = (locale: Locale) => {
  const { items } = parsePo(readFileSync(new URL(`../../locales/${locale}/messages.po`, import.meta.url), 'utf8'))
  return Object.fromEntries(
    items
      .filter(({ msgid, obsolete }) => msgid && !obsolete)
      .map(({ msgid, msgctxt, msgstr: [translation] }) => [
        keyOf(msgid, msgctxt),
        compileMessage(translation || msgid),
      ]),
  )
}

const createI18n = (locale: Locale): I18n => {
  const lingui = setupI18n({ locale, messages: { [locale]: readCatalogue(locale) } })
  // Compiles texts that are missing in the catalogue.
  lingui.setMessagesCompiler(compileMessage)
  return {
    locale,
    _: (text, values = {}, options) => lingui._(keyOf(text, options?.context), literal(values), { message: text }),
  }
}

const read = new Map<Locale, I18n>()

/**
 * Returns the API's texts in a language (`ko`, `ko-KR`), or in English where it is unknown. Loads
 * and compiles the catalogue on first use.
 */
export const messagesOf = (language: string): I18n => {
  const locale = localeSchema.options.find((offered) => offered === language.slice(0, 2)) ?? 'en'
  const cached = read.get(locale) ?? createI18n(locale)
  read.set(locale, cached)
  return cached
}
