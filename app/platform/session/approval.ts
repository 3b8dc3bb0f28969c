import * as z from 'zod/mini'
import { type LoginAnswer, loginAnswer } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import { errorsByField } from '~/platform/api/field-errors'
import { cookieOptions } from '~/platform/cookies'
import type { RequestContext } from '~/platform/request/request-context'
import { writeHostCookie } from './host-cookies'

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
