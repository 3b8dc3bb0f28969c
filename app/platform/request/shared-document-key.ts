import { cookieName, readCookies } from '~/platform/cookies'
import { acceptsPage, longestUrl } from './guest-page-cache'
import { hostCookieIn, hostCookies } from './server-session'

/**
 * A key for the server's process, which sends a shared document again to requests of an equal key
 * while the tenant's version is the same: all that a guest's page depends on, from the headers of
 * the request. Undefined if the visitor's pages may be their own.
 */
export function sharedDocumentKey(
  { method, url = '' }: { method?: string | undefined; url?: string | undefined },
  header: (name: 'accept' | 'accept-language' | 'cookie') => string | undefined,
): string | undefined {
  if (method !== 'GET' || url.length > longestUrl || !acceptsPage(header('accept'))) return undefined
  const cookies = readCookies(header('cookie') ?? null)
  if (hostCookies.some((name) => hostCookieIn(cookies, name).value !== undefined)) return undefined
  const { customerCode, locale, surface } = cookieName
  const chosen = [customerCode, locale, surface].map((name) => cookies.get(name))
  return JSON.stringify([url, header('accept-language'), ...chosen])
}
