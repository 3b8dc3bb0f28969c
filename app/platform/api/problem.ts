import type { $ZodIssue } from 'zod/v4/core'
import type { Locale } from '#contract/enumerations.ts'
import type { Problem as ProblemPayload } from '#contract/problem.ts'
import { validationMessage } from '#contract/validation-messages.ts'

/** Why a call failed: the API's error payload and its HTTP status. */
export interface Problem extends Omit<ProblemPayload, 'data'> {
  status: number
  /** What the refusal carries for the program, such as the cart as it stands now: JSON of the contract's shape. */
  data?: object
}

/** What every server function answers. An expected failure is data; only a surprise is thrown. */
export type Result<T> = { ok: true; data: T } | { ok: false; problem: Problem }

export const succeeded = <T>(data: T): Result<T> => ({ ok: true, data })
export const failed = (problem: Problem): Result<never> => ({ ok: false, problem })

/** The generic error a failed call throws. Whoever shows it finds the reason in `problem`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`The call failed: ${problem.status} ${problem.code}`)
    this.problem = problem
  }

  get statusCode() {
    return this.problem.status
  }
}

/** The data of a result; a failure is thrown as `ApiError`. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.data
  throw new ApiError(result.problem)
}

/**
 * The failure behind an error. Errors lose their class on the way from server to browser, so the shape decides.
 */
export function problemOf(error: unknown): Problem | undefined {
  if (typeof error !== 'object' || error === null || !('problem' in error)) return undefined
  const { problem } = error
  return typeof problem === 'object' && problem !== null && 'status' in problem ? (problem as Problem) : undefined
}

/** The refusal of one of the storefront's own routes: the API's error payload, with `result` beside it. */
export const problemResponse = (
  status: number,
  { code, message, errors = {}, requestId }: Omit<ProblemPayload, 'errors' | 'data'> & Partial<ProblemPayload>,
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

/** What would be right, in the visitor's language, by field path (`card.number`, `items.0.optionId`). */
export function errorsByField(issues: readonly $ZodIssue[], locale: Locale): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.map(String).join('.')
    errors[field] = [...(errors[field] ?? []), validationMessage(issue, locale)]
  }
  return errors
}
