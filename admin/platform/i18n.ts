import { type Messages, setupI18n } from '@lingui/core'
import { readPreference, writePreference } from './preferences'

const catalogues = import.meta.glob<{ messages: Messages }>('../locales/*/messages.po')

export const languages = { en: 'English', ko: '한국어' } as const
export type Language = keyof typeof languages

export const isLanguage = (value: unknown): value is Language => typeof value === 'string' && value in languages

export const i18n = setupI18n({ locale: 'en', messages: { en: {} } })

/** The chosen language, else the first of the browser's that the console has. */
export const preferredLanguage = (): Language => {
  const chosen = readPreference('language')
  const candidates = [chosen, ...navigator.languages.map((tag) => tag.split('-', 1)[0])]
  return candidates.find(isLanguage) ?? 'en'
}

export const hasChosenLanguage = (): boolean => isLanguage(readPreference('language'))

/** Loads the messages of a language and shows the console in it. */
export const activateLanguage = async (language: Language): Promise<void> => {
  const { messages } = (await catalogues[`../locales/${language}/messages.po`]?.()) ?? { messages: {} }
  i18n.loadAndActivate({ locale: language, messages })
  document.documentElement.lang = language
}

/** Keeps the language for the next visit. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  writePreference('language', language)
  await activateLanguage(language)
}
