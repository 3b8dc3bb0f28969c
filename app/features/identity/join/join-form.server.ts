import type { JoinStage } from '#contract/identity.ts'
import { cookieOptions } from '~/platform/cookies'
import { type FormPost, formAction, refusedForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { deleteHostCookie, readHostCookie, registerApproval, writeHostCookie } from '~/platform/request/server-session'
import {
  type JoinOutcome,
  type JoinPage,
  type JoinStep,
  joinFields,
  joinValuesOf,
  readJoin,
  type VerifyOutcome,
  verifyOutcomeOf,
} from './join-fields'

/** The token of this browser's unfinished sign-up. */
export const readJoinToken = (): string | undefined => readHostCookie('join')

/** Stores the token of a sign-up in a cookie that no script can read, and returns the rest. */
export function saveJoinToken({ token, ...step }: JoinStage, requestContext: Pick<RequestContext, 'secure'>): JoinStep {
  writeHostCookie('join', token, cookieOptions.join(requestContext.secure))
  return step
}

export const deleteJoinToken = (): void => deleteHostCookie('join')

/** Handles the sign-up form without JavaScript, then redirects to the page of the code. */
export const handleJoinForm = (request: Request, requestContext: RequestContext) =>
  formAction<JoinOutcome>(request, requestContext, {
    submit: async (form) => {
      const typed = joinValuesOf(form.fields)
      const read = readJoin(typed)
      if (!read.ok) return form.invalid(read.fields)
      saveJoinToken(await form.api.identity.requestJoin(read.data), requestContext)
      return toPage('/join/verify', form)
    },
    refuse: (problem, { fields }) => ({
      ...refusedForm(problem, joinFields),
      values: { ...joinValuesOf(fields), password: '' },
    }),
  })

/** Handles the page of the code without JavaScript: checks the code, or sends another one. */
export const handleVerifyForm = (request: Request, requestContext: RequestContext) =>
  formAction<VerifyOutcome>(request, requestContext, {
    submit: async (form) => {
      const { api, text } = form
      const token = readJoinToken()
      if (!token) return toPage('/join/input', form)
      if (text('intent') === 'resend') {
        saveJoinToken(await api.identity.resendJoinCode({ token }), requestContext)
        return 'SENT'
      }
      if (text('intent') !== 'finish') {
        const code = text('code').replaceAll(/\D/g, '')
        if (code.length !== 6) return 'NOT_A_CODE'
        await api.identity.confirmJoin({ token, code })
      }
      registerApproval(await api.identity.join({ token }), requestContext)
      return toPage('/join/completed', form)
    },
    refuse: ({ status, code }) => (code === 'BAD_REQUEST' ? 'FAILED' : verifyOutcomeOf(status)),
  })

/** The pages of the sign-up share their search parameters. */
const toPage = (page: JoinPage, { redirect, url }: FormPost) => redirect(page + url.search)
