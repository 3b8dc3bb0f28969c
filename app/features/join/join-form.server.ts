import { setResponseStatus } from '@tanstack/react-start/server'
import type { JoinStage } from '#contract/accounts.ts'
import { problemFromError } from '~/platform/api/client'
import { cookieOptions } from '~/platform/cookies'
import { withPrefix } from '~/platform/i18n/locales'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { deleteHostCookie, readHostCookie, registerApproval, writeHostCookie } from '~/platform/session/server-session'
import {
  emptyJoin,
  type JoinAttempt,
  joinFields,
  joinValuesOf,
  readJoin,
  type VerifyOutcome,
  verifyOutcomeOf,
} from './join-fields'
import type { JoinPage, JoinStep } from './join-flow'

/** The join this browser has under way. */
export const readJoinToken = (): string | undefined => readHostCookie('join')

/** Keeps a join's token where no script can read it, and answers the rest. */
export function saveJoinToken({ token, ...step }: JoinStage, requestContext: Pick<RequestContext, 'secure'>): JoinStep {
  writeHostCookie('join', token, cookieOptions.join(requestContext.secure))
  return step
}

export const deleteJoinToken = (): void => deleteHostCookie('join')

/** The join form sent without any script: leads on to the code, or says what is not right. */
export async function receiveJoinForm(
  request: Request,
  requestContext: RequestContext,
): Promise<Response | JoinAttempt> {
  if (!isSameOrigin(request)) return refused(403, { values: emptyJoin, errors: {}, code: 'FORBIDDEN' })
  const form = await readForm(request)
  if (!form) return refused(400, { values: emptyJoin, errors: {}, code: 'BAD_REQUEST' })
  const typed = joinValuesOf(form)
  const values = { ...typed, password: '' }
  const read = readJoin(typed)
  if (!read.ok)
    return refused(422, { values, errors: Object.fromEntries(read.fields.map((field) => [field, ''])), code: null })
  try {
    saveJoinToken(await requestContext.api.joining.requestJoin(read.data), requestContext)
    return leadTo('/join/verify', request, requestContext)
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (!problem) throw error
    const named = joinFields.flatMap((field) => problem.errors[field]?.slice(0, 1).map((words) => [field, words]) ?? [])
    const code = named.length > 0 ? null : problem.code
    return refused(problem.status, { values, errors: Object.fromEntries(named), code })
  }
}

/** The page of the code sent without any script: the code itself, or the wish for another. */
export async function receiveVerifyForm(
  request: Request,
  requestContext: RequestContext,
): Promise<Response | VerifyOutcome> {
  const token = readJoinToken()
  const form = isSameOrigin(request) ? await readForm(request) : undefined
  if (!form) return 'FAILED'
  if (!token) return leadTo('/join/input', request, requestContext)
  try {
    if (form.get('intent') === 'resend') {
      saveJoinToken(await requestContext.api.joining.resendJoinCode({ token }), requestContext)
      return 'SENT'
    }
    if (form.get('intent') !== 'finish') {
      const code = String(form.get('code') ?? '').replaceAll(/\D/g, '')
      if (code.length !== 6) return 'NOT_A_CODE'
      await requestContext.api.joining.confirmJoin({ token, code })
    }
    registerApproval(await requestContext.api.joining.join({ token }), requestContext)
    return leadTo('/join/completed', request, requestContext)
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (!problem) throw error
    setResponseStatus(problem.status)
    return verifyOutcomeOf(problem.status)
  }
}

/** See Other: reloading the next page sends nothing twice. */
function leadTo(page: JoinPage, request: Request, requestContext: RequestContext): Response {
  const path = requestContext.prefixed ? withPrefix(page, requestContext.locale) : page
  const location = path + new URL(request.url).search
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}

function refused(status: number, attempt: JoinAttempt): JoinAttempt {
  setResponseStatus(status)
  return attempt
}
