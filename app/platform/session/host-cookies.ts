import { deleteCookie, getCookie, setCookie } from '@tanstack/react-start/server'
import { type CookieOptions, cookieName } from '~/platform/cookies'

/** Cookies that say who somebody is. */
export type HostCookie = Extract<keyof typeof cookieName, 'token' | 'guest' | 'device' | 'join' | 'preview'>

/** A browser takes such a cookie from this very host alone, over https alone: no neighbouring host can put one in its place. */
const prefixed = (name: HostCookie) => `__Host-${cookieName[name]}`

/**
 * A cookie's value in a request; `unprefixed` where it was written before its name had a prefix, or over plain http. With
 * `prefixedOnly`, a name without the prefix does not count.
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

/** The same in the request being answered. Server only. */
export const readHostCookie = (name: HostCookie): string | undefined =>
  getCookie(prefixed(name)) ?? getCookie(cookieName[name])

/** Writes a cookie under the name its connection allows. Server only. */
export function writeHostCookie(name: HostCookie, value: string, options: CookieOptions): void {
  setCookie(options.secure ? prefixed(name) : cookieName[name], value, options)
}

/** Deletes a cookie under both of its names. Server only. */
export function deleteHostCookie(name: HostCookie): void {
  deleteCookie(cookieName[name], { path: '/' })
  deleteCookie(prefixed(name), { path: '/', secure: true })
}

/** Gives cookies of before, that an https connection still brings without the prefix, their new names. Server only. */
export function renameHostCookies(
  cookies: ReadonlyMap<string, string>,
  options: Partial<Record<HostCookie, CookieOptions>>,
): void {
  for (const [name, written] of Object.entries(options) as [HostCookie, CookieOptions][]) {
    const { value, unprefixed } = hostCookieIn(cookies, name)
    if (!written.secure || value === undefined || !unprefixed) continue
    writeHostCookie(name, value, written)
    deleteCookie(cookieName[name], { path: '/' })
  }
}
