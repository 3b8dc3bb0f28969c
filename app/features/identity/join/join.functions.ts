import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { joinConfirm, joinForm } from '#contract/identity.ts'
import { call } from '~/platform/api/call'
import { failed, type Result, succeeded } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { registerApproval } from '~/platform/request/server-session'
import type { JoinStep } from './join-fields'
import { deleteJoinToken, readJoinToken, saveJoinToken } from './join-form.server'

/** The step of this browser's sign-up; null without a valid one. */
const getJoinStep = readFn().handler(async ({ context }): Promise<Result<JoinStep | null>> => {
  const token = readJoinToken()
  if (!token) return succeeded(null)
  const { requestContext } = context
  const answer = await context.callApi((api) => api.identity.joinStage({ token }))
  if (answer.ok) return succeeded(saveJoinToken(answer.data, requestContext))
  const ended = answer.problem.status < 500 && answer.problem.status !== 429
  if (!ended) return answer
  deleteJoinToken()
  return succeeded(null)
})

/** Submits the form. The API sends a code by email. */
export const beginJoin = writeFn()
  .validator(checked(joinForm))
  .handler(async ({ data, context }): Promise<Result<JoinStep>> => {
    const answer = await context.callApi((api) => api.identity.requestJoin(data))
    return answer.ok ? succeeded(saveJoinToken(answer.data, context.requestContext)) : answer
  })

const noJoin = failed({ status: 404, code: 'NOT_FOUND', message: '', errors: {}, requestId: '' })

/** Requests another code. */
export const resendCode = writeFn().handler(async ({ context }): Promise<Result<JoinStep>> => {
  const token = readJoinToken()
  if (!token) return noJoin
  const answer = await context.callApi((api) => api.identity.resendJoinCode({ token }))
  return answer.ok ? succeeded(saveJoinToken(answer.data, context.requestContext)) : answer
})

/**
 * Confirms the code, creates the member and signs in. Without a code where it was confirmed before.
 */
export const finishJoin = writeFn()
  .validator(checked(z.object({ code: z.optional(joinConfirm.shape.code) })))
  .handler(async ({ data: { code }, context }): Promise<Result<null>> => {
    const token = readJoinToken()
    if (!token) return noJoin
    if (code) {
      const confirmed = await context.callApi((api) => api.identity.confirmJoin({ token, code }))
      if (!confirmed.ok) return confirmed
    }
    const joined = await context.callApi((api) => api.identity.join({ token }))
    if (!joined.ok) return joined
    registerApproval(joined.data, context.requestContext)
    return succeeded(null)
  })

/** The sign-up that was just completed. Returned once. */
const consumeCompletion = readFn().handler(async ({ context }): Promise<Result<JoinStep | null>> => {
  const token = readJoinToken()
  if (!token) return succeeded(null)
  const answer = await context.callApi((api) => api.identity.joinStage({ token }))
  if (!answer.ok) return answer.problem.status === 404 || answer.problem.status === 410 ? succeeded(null) : answer
  if (answer.data.stage !== 'COMPLETED') return succeeded(null)
  deleteJoinToken()
  const { token: _, ...step } = answer.data
  return succeeded(step)
})

/** The step of the sign-up. */
export const joinStepQuery = queryOptions({
  queryKey: ['join-step'],
  queryFn: ({ signal }) => call((s) => getJoinStep({ signal: s }), { signal }),
  staleTime: 10_000,
})

/** Returned once, and cached as long as the page is open. */
export const completionQuery = queryOptions({
  queryKey: ['join-completion'],
  queryFn: ({ signal }) => call((s) => consumeCompletion({ signal: s }), { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
