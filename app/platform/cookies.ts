import { localeCookieDays } from './constants'

/** The storefront's cookies, by what they hold. */
export const cookieName = {
  customerCode: 'customerCode',
  token: 'token',
  guest: 'guest',
  device: 'device',
  join: 'join',
  preview: 'preview',
  locale: 'locale',
  surface: 'surface',
} as const

export interface CookieOptions {
  path: '/'
  sameSite: 'lax'
  secure?: boolean
  httpOnly?: boolean
  maxAge?: number
  expires?: Date
}

const days = (count: number) => count * 24 * 60 * 60

/** How each cookie is written. `secure` follows the address, so that a store on plain http still works. */
export const cookieOptions = {
  customerCode: (secure: boolean): CookieOptions => ({ path: '/', sameSite: 'lax', secure, httpOnly: true }),
  token: (secure: boolean, expires: Date): CookieOptions => ({
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    expires,
  }),
  guest: (secure: boolean): CookieOptions => ({
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    maxAge: days(365),
  }),
  /** The accounts that have signed in on this device. */
  device: (secure: boolean): CookieOptions => ({
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    maxAge: days(365),
  }),
  /** What a preview link shows; the token says until when. */
  preview: (secure: boolean, expires: Date): CookieOptions => ({
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    expires,
  }),
  /** A join under way: a code is good for minutes, and may be asked for again. */
  join: (secure: boolean): CookieOptions => ({ path: '/', sameSite: 'lax', secure, httpOnly: true, maxAge: 60 * 60 }),
}

/** Values of a Cookie header by name. The first one wins, as browsers send the most specific first. */
export function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at < 0) continue
    const name = part.slice(0, at).trim()
    if (cookies.has(name)) continue
    try {
      cookies.set(name, decodeURIComponent(part.slice(at + 1).trim()))
    } catch {
      // A value that cannot be decoded is no value of ours.
    }
  }
  return cookies
}

/** Writes a preference from the browser: readable by both sides, a year long. */
export function writePreference(name: 'locale' | 'surface', value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
  document.cookie = `${cookieName[name]}=${encodeURIComponent(value)}; Path=/; Max-Age=${days(localeCookieDays)}; SameSite=Lax${secure}`
}
