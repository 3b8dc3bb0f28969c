import { setResponseStatus } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import { credentials } from '#contract/accounts.ts'
import { problemFromError } from '~/platform/api/client'
import { safeReturnPath } from '~/platform/navigation/return-path'
import { readForm } from '~/platform/request/read-form'
import { isSameOrigin } from '~/platform/request/same-origin'
import type { Visit } from '~/platform/request/visit'
import { registerApproval } from '~/platform/session/approval'
import type { LoginAttempt, LoginField } from './login-attempt'

/** A login form sent without any script: signs in and sends the browser on, or says why not. */
export async function receiveLoginForm(request: Request, visit: Visit): Promise<Response | LoginAttempt> {
  if (!isSameOrigin(request)) return refused(403, { email: '', fields: [], code: 'FORBIDDEN' })
  const form = await readForm(request)
  if (!form) return refused(400, { email: '', fields: [], code: 'BAD_REQUEST' })
  const email = String(form.get('email') ?? '')
  const parsed = z.safeParse(credentials, { email, password: String(form.get('password') ?? '') })
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path[0] as LoginField)
    return refused(422, { email, fields: [...new Set(fields)], code: null })
  }
  try {
    registerApproval(await visit.api.accounts.login(parsed.data), visit)
  } catch (error) {
    const problem = problemFromError(error, visit.requestId)
    if (!problem) throw error
    return refused(problem.status, { email, fields: [], code: problem.code })
  }
  const back = safeReturnPath(new URL(request.url).searchParams.get('redirect')) ?? '/'
  return new Response(null, { status: 303, headers: { location: back, 'cache-control': 'no-store' } })
}

function refused(status: number, attempt: LoginAttempt): LoginAttempt {
  setResponseStatus(status)
  return attempt
}
