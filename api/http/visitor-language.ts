import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { type Locale, locale } from '#contract/enumerations.ts'
import { languageOf } from './validation.ts'

/** For a page of the demo's own: the language that was chosen in the store, else the browser's. */
export const visitorLanguage = (context: Context): Locale => {
  const chosen = getCookie(context, 'locale')
  return locale.options.find((one) => one === chosen) ?? languageOf(context.req.header('accept-language') ?? null)
}
