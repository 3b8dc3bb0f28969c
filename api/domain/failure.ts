import type { ProblemCode } from '#contract/problem.ts'

/** An expected failure, as data. `errors` maps a field to what would be right. */
export interface Failure {
  failure: ProblemCode
  errors?: Record<string, string[]>
  /** What is so now, where that helps. */
  data?: unknown
  retryAfterSeconds?: number
}

export const failure = (code: ProblemCode, more: Omit<Failure, 'failure'> = {}): Failure => ({ failure: code, ...more })

export const isFailure = (answer: unknown): answer is Failure =>
  typeof answer === 'object' && answer !== null && 'failure' in answer
