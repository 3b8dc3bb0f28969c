import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { type Locale, locale } from '#contract/enumerations.ts'

/** For a page of the demo's own: the language that was chosen in the store, else the browser's. */
export const visitorLanguage = (context: Context): Locale => {
  const chosen = getCookie(context, 'locale')
  const { options } = locale
  return (
    options.find((one) => one === chosen) ?? negotiateLanguage(context.req.header('accept-language'), options, 'en')
  )
}
