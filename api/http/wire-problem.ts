import type { Failure } from '#api/domain/failure.ts'
import { type ProblemCode, problemStatus } from '#contract/problem.ts'
import { problemResponse } from './problem.ts'

interface WireError {
  code?: string
  data?: Omit<Failure, 'failure'>
}

/** The call library's error answer as the one error payload; nothing of a surprise's detail leaves. */
export const asProblem = async (response: Response, requestId: string) => {
  const { code = '', data } = (await response.json().catch(() => ({}))) as WireError
  return Object.hasOwn(problemStatus, code) && code !== 'SERVER_ERROR'
    ? problemResponse(code as ProblemCode, requestId, data)
    : problemResponse('SERVER_ERROR', requestId)
}
