import { deleteCookie, getCookie, setCookie } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import { type LoginAnswer, loginAnswer } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import { problemFromError } from '~/platform/api/client'
import { errorsByField } from '~/platform/api/problem'
import { type CookieOptions, cookieName, cookieOptions } from '~/platform/cookies'
import { log } from '~/platform/log'
import type { RequestContext } from '~/platform/request/request-context'

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

/** Keeps the session's token where no script can read it. Server only. */
export function registerApproval(
  { token, expiresAt }: LoginAnswer,
  requestContext: Pick<RequestContext, 'secure'>,
): void {
  writeHostCookie('token', token, cookieOptions.token(requestContext.secure, new Date(expiresAt)))
}

type Parsed = { ok: true; data: LoginAnswer } | { ok: false; errors: Record<string, string[]> }

/** The login data of a post to /api/approval. */
export async function readApproval(request: Request, locale: Locale): Promise<Parsed> {
  const body: unknown = await request.json().catch(() => undefined)
  const parsed = z.safeParse(loginAnswer, body)
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, errors: errorsByField(parsed.error.issues, locale) }
}

/** Ends the visitor's session at the API, and forgets the token even when the API cannot be reached. Server only. */
export async function endSession(requestContext: RequestContext): Promise<void> {
  if (!requestContext.hasToken) return
  deleteHostCookie('token')
  try {
    await requestContext.api.accounts.logout()
  } catch (error) {
    // It had ended there before: that is what was wanted.
    if (problemFromError(error, requestContext.requestId)?.status === 401) return
    log('info', 'A session could not be ended at the API.', { requestId: requestContext.requestId, error })
  } finally {
    requestContext.forgetToken()
  }
}
