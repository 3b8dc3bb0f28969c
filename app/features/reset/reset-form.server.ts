import { setResponseStatus } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import { resetRequest, resetSubmit } from '#contract/accounts.ts'
import { problemFromError } from '~/platform/api/client'
import { withPrefix } from '~/platform/i18n/locales'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import type { ResetAttempt } from './reset-attempt'

type Nothing = Omit<Extract<ResetAttempt, { did: 'NOTHING' }>, 'did'>

/** The reset page sent without any script: the wish for a mail, or the new password. */
export async function receiveResetForm(
  request: Request,
  requestContext: RequestContext,
): Promise<Response | ResetAttempt> {
  const failed = (status: number, part: Partial<Nothing>): ResetAttempt => {
    setResponseStatus(status)
    return { did: 'NOTHING', email: '', fault: null, words: null, code: null, ...part }
  }
  if (!isSameOrigin(request)) return failed(403, { code: 'FORBIDDEN' })
  const form = await readForm(request)
  if (!form) return failed(400, { code: 'BAD_REQUEST' })
  const email = String(form.get('email') ?? '').trim()
  try {
    if (form.get('intent') === 'ask') {
      const wish = z.safeParse(resetRequest, { email })
      if (!wish.success) return failed(422, { email, fault: 'email' })
      const { mailbox } = await requestContext.api.joining.requestReset(wish.data)
      return { did: 'ASKED', email, mailbox }
    }
    const accessKey = new URL(request.url).searchParams.get('key') ?? ''
    const sent = z.safeParse(resetSubmit, { accessKey, password: String(form.get('password') ?? '') })
    if (!sent.success) {
      const aboutKey = sent.error.issues.some(({ path }) => path[0] === 'accessKey')
      return failed(422, aboutKey ? { code: 'NOT_FOUND' } : { fault: 'password' })
    }
    await requestContext.api.joining.reset(sent.data)
    const login = requestContext.prefixed ? withPrefix('/login', requestContext.locale) : '/login'
    const location = `${login}?notice=PASSWORD_CHANGED`
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (!problem) throw error
    const words = problem.errors.password?.[0]
    return failed(problem.status, words ? { fault: 'password', words } : { email, code: problem.code })
  }
}
