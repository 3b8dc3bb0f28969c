import { type I18n, type Messages, setupI18n } from '@lingui/core'
import { fallbackLocale, type Locale } from './locales'

const catalogues = import.meta.glob<{ messages: Messages }>('../../locales/*/messages.po')

const load = async (locale: Locale) => {
  const catalogue = catalogues[`../../locales/${locale}/messages.po`]
  if (!catalogue) throw new Error(`There are no messages for the locale ${locale}`)
  return (await catalogue()).messages
}

/** A fresh instance: on the server one per request, so that no request sees another's language. */
export async function createI18n(locale: Locale): Promise<I18n> {
  return setupI18n({ locale, messages: { [locale]: await load(locale) } })
}

/** Loads the fallback's and the new locale's messages, then makes the new one speak. */
export async function activateLocale(i18n: I18n, locale: Locale): Promise<void> {
  const [fallback, wanted] = await Promise.all([load(fallbackLocale), load(locale)])
  i18n.load({ [fallbackLocale]: fallback, [locale]: wanted })
  i18n.activate(locale)
}
