import { type I18n, type Messages, setupI18n } from '@lingui/core'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { directionOf } from '#contract/direction.ts'
import { writePreference } from '~/platform/cookies'
import { finishHydration, whenQuiet } from '~/platform/hydration-boundary'
import { log } from '~/platform/log'
import { fallbackLocale, type Locale, withoutPrefix, withPrefix } from './locales'

const catalogues = import.meta.glob<{ messages: Messages }>('../../locales/*/messages.po')

const load = async (locale: Locale) => {
  const catalogue = catalogues[`../../locales/${locale}/messages.po`]
  if (!catalogue) throw new Error(`There are no messages for the locale ${locale}`)
  return (await catalogue()).messages
}

/** Marks the link to the messages that the first page needs. */
export const pageMessagesAttribute = 'data-page-messages'

/**
 * The messages of the first page. A build leaves the others for later; in development there is no
 * link.
 */
async function loadOfPage(locale: Locale): Promise<Messages> {
  // A constant of the build, so that the server's bundle has no import of an unknown file.
  if (import.meta.env.SSR) return load(locale)
  const link = document.querySelector<HTMLLinkElement>(`link[${pageMessagesAttribute}]`)
  if (!link) return load(locale)
  try {
    const page: { messages: Messages } = await import(/* @vite-ignore */ link.href)
    return page.messages
  } catch {
    return load(locale)
  }
}

const logMissing = (locale: string, id: string) => {
  log('error', 'Missing message', { locale, id })
  return id
}

let inBrowser: I18n | undefined

/**
 * Creates an instance. The server creates one per request, so that requests do not share a
 * language. A browser's has the messages of the first page; `loadAllMessages` adds the others.
 */
export async function createI18n(locale: Locale): Promise<I18n> {
  const i18n = setupI18n({ locale, messages: { [locale]: await loadOfPage(locale) }, missing: logMissing })
  if (typeof document !== 'undefined') {
    inBrowser = i18n
    whenQuiet(() => loadAllMessages().catch(() => {}))
  }
  return i18n
}

let loadedAll: Locale | undefined

/**
 * Loads the messages that the first page did not need. Awaited before another page is shown, and
 * before a part that is loaded later (`withMessages`).
 */
async function loadAllMessages(): Promise<void> {
  const i18n = inBrowser
  if (!i18n || loadedAll === i18n.locale) return
  const { locale } = i18n
  // Only languages of the store are activated.
  const all = await load(locale as Locale)
  if (i18n.locale !== locale) return
  // `i18n.load` would render the whole page again. What is shown has its messages already.
  Object.assign(i18n.messages, all)
  loadedAll = locale as Locale
}

/** Loads a part of a page together with the messages that it may show. */
export async function withMessages<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part, loadAllMessages()])
  return loaded
}

/** Loads the messages of the fallback and of the new locale, then activates the new one. */
async function activateLocale(i18n: I18n, locale: Locale): Promise<void> {
  const [fallback, wanted] = await Promise.all([load(fallbackLocale), load(locale)])
  i18n.load({ [fallbackLocale]: fallback, [locale]: wanted })
  i18n.activate(locale)
  loadedAll = locale
}

/** The language of the page, and whether the address has its prefix. One per router. */
export interface LocaleState {
  locale: Locale
  prefixed: boolean
}

interface LocaleChange {
  from: Locale
  to: Locale
}
type Hook = (change: LocaleChange) => void | Promise<void>

const hooks = { before: new Set<Hook>(), after: new Set<Hook>() }

/**
 * Runs a hook before the messages are loaded or after the switch. Returns the function that removes
 * it.
 */
export function onLocaleSwitch(phase: keyof typeof hooks, hook: Hook): () => void {
  hooks[phase].add(hook)
  return () => hooks[phase].delete(hook)
}

/** Changes the language in place: scroll position and form input stay. */
export async function switchLocale(to: Locale, page: { i18n: I18n; state: LocaleState; router: AnyRouter }) {
  const change = { from: page.state.locale, to }
  if (change.from === to) return
  await finishHydration()
  for (const hook of hooks.before) await hook(change)
  try {
    await activateLocale(page.i18n, to)
  } catch (error) {
    log('error', 'Failed locale loading', { error, locale: to })
    return
  }
  page.state.locale = to
  writePreference('locale', to)
  document.documentElement.lang = to
  document.documentElement.dir = directionOf(to)
  if (page.state.prefixed) {
    const { pathname, search, hash } = window.location
    page.router.history.replace(withPrefix(withoutPrefix(pathname), to) + search + hash)
  }
  // Refetches what this page shows now, and what other pages show when they are opened.
  const queryClient: QueryClient | undefined = page.router.options?.context?.queryClient
  queryClient?.removeQueries({ type: 'inactive' })
  await queryClient?.refetchQueries({ type: 'active' })
  await page.router.invalidate()
  for (const hook of hooks.after) await hook(change)
}
