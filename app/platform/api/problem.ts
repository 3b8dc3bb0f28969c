import type { $ZodIssue } from 'zod/v4/core'
import type { Locale } from '#contract/enumerations.ts'
import type { Problem as ProblemPayload } from '#contract/problem.ts'
import { validationMessage } from '#contract/validation-messages.ts'
import type { FieldErrors } from './validation-errors'

/** Why a call failed: the API's error payload with its HTTP status. */
export interface Problem extends Omit<ProblemPayload, 'data' | 'errors'> {
  status: number
  errors: FieldErrors
  /**
   * Data for the program, such as the current cart with CART_CHANGED. JSON in the contract's shape.
   */
  data?: object
}

/** The code shown for an error without a known one. */
export const unknownError = 'UNKNOWN_ERROR'

/**
 * What every server function returns. Expected failures are data; only unexpected errors are
 * thrown.
 */
export type Result<T> = { ok: true; data: T } | { ok: false; problem: Problem }

export const succeeded = <T>(data: T): Result<T> => ({ ok: true, data })
export const failed = (problem: Problem): Result<never> => ({ ok: false, problem })

/** Whether a value is the result of a failed call. */
export const isFailed = (value: unknown): value is Result<never> & { ok: false } =>
  typeof value === 'object' && value !== null && 'ok' in value && value.ok === false && 'problem' in value

/** Whether a problem's code means that nobody is signed in, or no longer. */
export const isSignedOut = (code: string | undefined): boolean => code === 'UNAUTHORIZED' || code === 'SESSION_EXPIRED'

/** The error of a failed call. The reason is in `problem`. */
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

/**
 * Returns the data of a result.
 * @throws ApiError for a failed one
 */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.data
  throw new ApiError(result.problem)
}

/**
 * Returns the problem behind an error, undefined without one. Errors lose their class between
 * server and browser, so this checks the shape.
 */
export function problemOf(error: unknown): Problem | undefined {
  if (typeof error !== 'object' || error === null || !('problem' in error)) return undefined
  return isProblem(error.problem) ? error.problem : undefined
}

const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null && 'status' in value

/**
 * An error response of one of the storefront's own routes: the API's error payload with `result`
 * beside it.
 */
export const problemResponse = (
  status: number,
  { code, message, errors = {}, requestId }: Omit<Problem, 'status' | 'errors'> & Partial<Problem>,
  headers: Record<string, string> = {},
): Response =>
  Response.json(
    { result: 'error', code, message, errors, requestId },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )

/** A handler for methods that a path does not have. */
export const methodNotAllowed = (allowed: string) => () =>
  problemResponse(
    405,
    { code: 'METHOD_NOT_ALLOWED', message: `Only ${allowed} is allowed here.`, requestId: '' },
    { allow: allowed },
  )

/**
 * Groups validation messages in the visitor's language by field path (`card.number`,
 * `items.0.optionId`).
 */
export function errorsByField(issues: readonly $ZodIssue[], locale: Locale): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.map(String).join('.')
    errors[field] = [...(errors[field] ?? []), validationMessage(issue, locale)]
  }
  return errors
}
