import type { Problem } from '#contract/problem.ts'

/** An answer of the storefront's own calls, in the API's error payload. */
export const problemResponse = (
  status: number,
  { code, message, errors = {}, requestId }: Pick<Problem, 'code' | 'message' | 'requestId'> & Partial<Problem>,
  headers: Record<string, string> = {},
): Response =>
  Response.json({ code, message, errors, requestId }, { status, headers: { 'cache-control': 'no-store', ...headers } })

/** For a path that answers other methods only. */
export const methodNotAllowed = (allowed: string) => () =>
  problemResponse(
    405,
    { code: 'METHOD_NOT_ALLOWED', message: `This address answers ${allowed} only.`, requestId: '' },
    { allow: allowed },
  )
