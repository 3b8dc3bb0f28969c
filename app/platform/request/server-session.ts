import { deleteCookie, getCookie, setCookie } from '@tanstack/react-start/server'
import type { LoginAnswer } from '#contract/identity.ts'
import { problemFromError } from '~/platform/api/client'
import { type CookieOptions, cookieName, cookieOptions } from '~/platform/cookies'
import { log } from '~/platform/log'
import type { RequestContext } from './request-context'

/** Cookies that identify a visitor. */
export const hostCookies = ['token', 'guest', 'device', 'join', 'preview'] as const
export type HostCookie = (typeof hostCookies)[number]

/**
 * The `__Host-` prefix: browsers accept the cookie from this host and over https only, so a
 * neighbouring host cannot set it.
 */
const prefixed = (name: HostCookie) => `__Host-${cookieName[name]}`

/**
 * A cookie's value in a request. `unprefixed` is true for one without the `__Host-` prefix, from
 * plain http or an older version. With `prefixedOnly` such a cookie does not count.
 */
export function hostCookieIn(
  cookies: ReadonlyMap<string, string>,
  name: HostCookie,
  { prefixedOnly = false }: { prefixedOnly?: boolean } = {},
) {
  const value = cookies.get(prefixed(name))
  if (value !== undefined || prefixedOnly) return { value, unprefixed: false }
  return { value: cookies.get(cookieName[name]), unprefixed: true }
}

/** A cookie's value in the current request. Server only. */
export const readHostCookie = (name: HostCookie): string | undefined =>
  getCookie(prefixed(name)) ?? getCookie(cookieName[name])

/** Writes a cookie, with the prefix over https. Server only. */
export function writeHostCookie(name: HostCookie, value: string, options: CookieOptions): void {
  setCookie(options.secure ? prefixed(name) : cookieName[name], value, options)
}

/** Deletes a cookie with and without the prefix. Server only. */
export function deleteHostCookie(name: HostCookie): void {
  deleteCookie(cookieName[name], { path: '/' })
  deleteCookie(prefixed(name), { path: '/', secure: true })
}

/**
 * Renames cookies of older versions that an https request still sends without the prefix. Server
 * only.
 */
export function renameHostCookies(
  cookies: ReadonlyMap<string, string>,
  options: Partial<Record<HostCookie, CookieOptions>>,
): void {
  for (const name of hostCookies) {
    const written = options[name]
    const { value, unprefixed } = hostCookieIn(cookies, name)
    if (!written?.secure || value === undefined || !unprefixed) continue
    writeHostCookie(name, value, written)
    deleteCookie(cookieName[name], { path: '/' })
  }
}

/** Stores the session token in a cookie that no script can read. Server only. */
export function registerApproval(
  { token, expiresAt }: LoginAnswer,
  requestContext: Pick<RequestContext, 'secure'>,
): void {
  writeHostCookie('token', token, cookieOptions.token(requestContext.secure, new Date(expiresAt)))
}

/**
 * Ends the visitor's session at the API. The cookie is deleted even when the API cannot be reached.
 * Server only.
 */
export async function clearSession(requestContext: RequestContext): Promise<void> {
  if (!requestContext.hasToken) return
  deleteHostCookie('token')
  try {
    await requestContext.api.identity.logout()
  } catch (error) {
    // The session had ended before.
    if (problemFromError(error, requestContext.requestId)?.status === 401) return
    log('info', 'A session could not be ended at the API.', { requestId: requestContext.requestId, error })
  } finally {
    requestContext.clearToken()
  }
}
