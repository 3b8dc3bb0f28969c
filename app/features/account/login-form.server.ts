import { setResponseStatus } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import { resetRequest, signInForm } from '#contract/accounts.ts'
import { problemFromError } from '~/platform/api/client'
import { safeReturnPath } from '~/platform/navigation/address'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { registerApproval } from '~/platform/session/server-session'
import { type LoginAttempt, type LoginField, waitOf } from './login.functions'

/** A login form sent without any script: signs in and sends the browser on, or says why not. */
export async function receiveLoginForm(
  request: Request,
  requestContext: RequestContext,
): Promise<Response | LoginAttempt> {
  if (!isSameOrigin(request)) return refused(403, { code: 'FORBIDDEN' })
  const form = await readForm(request)
  if (!form) return refused(400, { code: 'BAD_REQUEST' })
  const email = String(form.get('email') ?? '')
  const address = new URL(request.url).searchParams
  const linkKey = address.get('key') ?? undefined
  try {
    if (form.get('intent') === 'link') {
      const asked = z.safeParse(resetRequest, { email })
      if (!asked.success) return refused(422, { email, fields: ['email'] })
      return { ...nothing, email, link: await requestContext.api.joining.requestSignInLink(asked.data) }
    }
    const parsed = z.safeParse(signInForm, { email, password: String(form.get('password') ?? ''), linkKey })
    if (!parsed.success) {
      const fields = parsed.error.issues.map(({ path }) => path[0] as LoginField)
      return refused(422, { email, fields: [...new Set(fields)] })
    }
    registerApproval(await requestContext.api.accounts.login(parsed.data), requestContext)
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (!problem) throw error
    return refused(problem.status, { email, code: problem.code, wait: waitOf(problem.data) })
  }
  const back = safeReturnPath(address.get('redirect')) ?? '/'
  return new Response(null, { status: 303, headers: { location: back, 'cache-control': 'no-store' } })
}

const nothing: LoginAttempt = { email: '', fields: [], code: null, wait: null, link: null }

function refused(status: number, attempt: Partial<LoginAttempt>): LoginAttempt {
  setResponseStatus(status)
  return { ...nothing, ...attempt }
}
