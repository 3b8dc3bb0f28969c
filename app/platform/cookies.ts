import { localeCookieDays } from './constants'

/** The names of the storefront's cookies. */
export const cookieName = {
  customerCode: 'customerCode',
  token: 'token',
  guest: 'guest',
  knownVisitor: 'known-visitor',
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

/** The attributes of each cookie. `secure` follows the URL, so that a store on plain http works. */
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
  /** Set with the guest token, whose own cookie scripts cannot read. */
  knownVisitor: (secure: boolean): CookieOptions => ({ path: '/', sameSite: 'lax', secure, maxAge: days(365) }),
  /** The accounts that have signed in on this device. */
  device: (secure: boolean): CookieOptions => ({
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    maxAge: days(365),
  }),
  /** The token of a preview link, which contains its expiry. */
  preview: (secure: boolean, expires: Date): CookieOptions => ({
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    expires,
  }),
  /** A sign-up in progress. Its code is valid for minutes and can be requested again. */
  join: (secure: boolean): CookieOptions => ({ path: '/', sameSite: 'lax', secure, httpOnly: true, maxAge: 60 * 60 }),
}

/**
 * Parses a Cookie header. The first value of a name wins, because browsers send the most specific
 * first.
 */
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
      // The storefront wrote no value that cannot be decoded.
    }
  }
  return cookies
}

/** Writes a preference in the browser, readable by the server, for a year. */
export function writePreference(name: 'locale' | 'surface', value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available everywhere
  document.cookie = `${cookieName[name]}=${encodeURIComponent(value)}; Path=/; Max-Age=${days(localeCookieDays)}; SameSite=Lax${secure}`
}

/** Set on `<html>` of pages for visitors without a token: such pages are shared between them. */
export const newVisitorAttribute = 'data-new-visitor'

/**
 * Whether the store knew nothing of the visitor when the page was loaded, and has saved nothing for
 * them since: there is no cart and no history to load. False on the server.
 */
export const isNewVisitor = (): boolean =>
  typeof document !== 'undefined' &&
  document.documentElement.hasAttribute(newVisitorAttribute) &&
  !document.cookie.split('; ').some((cookie) => cookie.startsWith(`${cookieName.knownVisitor}=`))
