import type { Problem } from '#contract/problem.ts'

/** A refusal of the storefront's own calls: the API's error payload, and the result that stands beside `success`. */
export const problemResponse = (
  status: number,
  { code, message, errors = {}, requestId }: Pick<Problem, 'code' | 'message' | 'requestId'> & Partial<Problem>,
  headers: Record<string, string> = {},
): Response =>
  Response.json(
    { result: 'error', code, message, errors, requestId },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )

/** For a path that answers other methods only. */
export const methodNotAllowed = (allowed: string) => () =>
  problemResponse(
    405,
    { code: 'METHOD_NOT_ALLOWED', message: `Only ${allowed} is allowed here.`, requestId: '' },
    { allow: allowed },
  )
