import { type Messages, setupI18n } from '@lingui/core'
import { readPreference, writePreference } from './preferences'

const catalogues = import.meta.glob<{ messages: Messages }>('../locales/*/messages.po')

export const languages = { en: 'English', ko: '한국어' } as const
export type Language = keyof typeof languages

export const isLanguage = (value: unknown): value is Language => typeof value === 'string' && value in languages

const logMissing = (locale: string, id: string) => {
  // biome-ignore lint/suspicious/noConsole: the browser has no other log
  console.error('Missing message', { locale, id })
  return id
}

export const i18n = setupI18n({
  locale: 'en',
  messages: { en: {} },
  // In development, a text that is not collected yet is shown as it is in the code.
  ...(import.meta.env.PROD && { missing: logMissing }),
})

/**
 * The language that was chosen in this browser, else that of the account, else the first of the
 * browser's that the console has. Before anybody is known, it is that of the last account.
 */
export const preferredLanguage = (ofAccount: string | null = readPreference('account-language')): Language => {
  const ofBrowser = navigator.languages.map((tag) => tag.split('-', 1)[0])
  return [readPreference('language'), ofAccount, ...ofBrowser].find(isLanguage) ?? 'en'
}

/** Keeps the language of the account, so that the next visit begins with its messages alone. */
export const rememberAccountLanguage = (ofAccount: string | null): void => {
  if (ofAccount !== readPreference('account-language')) writePreference('account-language', ofAccount ?? '')
}

/**
 * Its error is not that of a missing script, for which the router loads the document again: without
 * a connection that would lose the page.
 */
const loadAll = async (language: Language): Promise<Messages> => {
  try {
    return (await catalogues[`../locales/${language}/messages.po`]?.())?.messages ?? {}
  } catch {
    throw new Error('The messages could not be loaded')
  }
}

/** The language of which all messages are loaded. */
let complete: Language | undefined
/** The language that is to be shown, perhaps once its messages are loaded. */
let wanted: Language = 'en'

const show = (language: Language, messages: Messages) => {
  if (wanted !== language) return
  i18n.loadAndActivate({ locale: language, messages })
  document.documentElement.lang = language
}

/** The file that the document names; undefined without one, or if it cannot be loaded. */
const loadFirst = async (language: Language): Promise<Messages | undefined> => {
  const file = document.querySelector<HTMLMetaElement>(`meta[name="messages-${language}"]`)?.content
  try {
    if (!file) return undefined
    const first: { messages: Messages } = await import(/* @vite-ignore */ file)
    return first.messages
  } catch {
    return undefined
  }
}

/**
 * Shows the console in a language with the messages of the sign-in form, the frame and the first
 * page. A build writes these to a file; in development there is none.
 */
export const startLanguage = async (language: Language): Promise<void> => {
  wanted = language
  const first = await loadFirst(language)
  if (first) show(language, first)
  else await activateLanguage(language)
}

/**
 * Shows the console in the language of who has signed in. The messages of the first page are
 * enough, unless a part has been loaded that needs others.
 */
export const switchLanguage = async (language: Language): Promise<void> => {
  if (language === wanted) return
  await (complete === undefined ? startLanguage(language) : activateLanguage(language))
}

/** Loads the messages of a language and shows the console in it. */
const activateLanguage = async (language: Language): Promise<void> => {
  if (language === wanted && language === complete) return
  wanted = language
  try {
    await loadAllMessages()
  } catch (error) {
    // What is loaded later is in the language that is still shown.
    if (wanted === language && isLanguage(i18n.locale)) wanted = i18n.locale
    throw error
  }
}

/**
 * Loads the messages that the first page did not need. Awaited before another page is shown, and
 * before a part that is loaded later.
 */
const loadAllMessages = async (): Promise<void> => {
  const language = wanted
  if (complete === language) return
  const all = await loadAll(language)
  if (wanted !== language) return loadAllMessages()
  // `i18n.load` would render the whole page again. What is shown has its messages already.
  if (i18n.locale === language) Object.assign(i18n.messages, all)
  else show(language, all)
  complete = language
}

/** Loads a page, or a part of one, together with the messages that it may show. */
export const withMessages = async <Part>(part: Promise<Part>): Promise<Part> => {
  const messages = loadAllMessages()
  // What is wrong with the part is said first.
  messages.catch(() => {})
  const loaded = await part
  await messages
  return loaded
}

/** Keeps the language for the next visit. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  await activateLanguage(language)
  writePreference('language', language)
}
