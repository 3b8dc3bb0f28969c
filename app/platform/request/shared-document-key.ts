import { cookieName, readCookies } from '~/platform/cookies'
import { isLocale, languageHeader } from '~/platform/i18n/locales'
import { acceptsPage, isShareableCall, longestUrl, serverFnHeader } from './guest-page-cache'
import { hostCookieIn, hostCookies } from './server-session'

type KeyHeader =
  | 'accept'
  | 'accept-language'
  | 'cookie'
  | 'sec-fetch-site'
  | typeof languageHeader
  | typeof serverFnHeader

/**
 * A key for the server's process, which sends a shared document, or a shared answer of a server
 * function, again to requests of an equal key while the tenant's version is the same: all that it
 * depends on, from the headers of the request. Undefined if what the visitor gets may be their own,
 * and for calls that the storefront must check.
 */
export function sharedDocumentKey(
  { method, url = '' }: { method?: string | undefined; url?: string | undefined },
  header: (name: KeyHeader) => string | undefined,
): string | undefined {
  if (method !== 'GET' || url.length > longestUrl) return undefined
  const isCall = isShareableCall(url)
  const isWanted = isCall
    ? header(serverFnHeader) === 'true' && header('sec-fetch-site') === 'same-origin'
    : acceptsPage(header('accept'))
  if (!isWanted) return undefined
  const cookies = readCookies(header('cookie') ?? null)
  if (hostCookies.some((name) => hostCookieIn(cookies, name).value !== undefined)) return undefined
  const { customerCode, locale, surface } = cookieName
  const chosen = [customerCode, locale, surface].map((name) => cookies.get(name))
  const language = isCall ? header(languageHeader) : undefined
  return JSON.stringify([url, header('accept-language'), isLocale(language) ? language : undefined, ...chosen])
}
