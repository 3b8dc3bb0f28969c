import { isNotFound, isRedirect, notFound } from '@tanstack/react-router'
import { requestTimeout } from '~/platform/constants'
import { finishHydration } from '~/platform/hydration-boundary'
import { reportFailure } from './failures'
import { ApiError, isSignedOut, type Problem, problemOf, type Result, unknownError, unwrap } from './problem'
import { validationErrors } from './validation-errors'

interface CallOptions {
  /** Statuses that the caller handles itself: no toast is shown for them. */
  expected?: readonly number[]
  /**
   * The form shows every refusal as well: the toast is not announced to screen readers a second
   * time.
   */
  silent?: boolean
  /** The answer changes nothing that is hydrated later, so it need not wait for that. */
  unhydrated?: boolean
  signal?: AbortSignal | undefined
}

let whenSignedOut: (() => void) | undefined

/** Calls `run` after each answer that nobody is signed in. Returns the function that ends it. */
export function onSignedOut(run: () => void): () => void {
  whenSignedOut = run
  return () => {
    whenSignedOut = undefined
  }
}

/** Reports the code of a refusal, also of a request that `call` does not send. */
export function reportSignedOut(code: string): void {
  if (isSignedOut(code)) whenSignedOut?.()
}

/** Milliseconds between the tries of a call that a busy store refused. Jitter spreads them. */
const overloadedRetryDelays = [1_000, 2_500]

/**
 * Calls a server function: clears the stored validation errors, aborts after ten seconds, and
 * reports a failure (`reportFailure`) before it throws. In loaders it runs on both sides; the
 * server neither shows nor stores anything.
 *
 * @returns the data of a successful result
 * @throws ApiError with the problem of a failed one
 * @example await call((signal) => addComment({ data, signal }))
 */
export async function call<T>(
  send: (signal: AbortSignal) => Promise<Result<T>>,
  { expected = [], silent = false, unhydrated = false, signal }: CallOptions = {},
): Promise<T> {
  if (typeof window === 'undefined') return unwrap(await send(signal ?? new AbortController().signal))
  validationErrors.clear()
  const timeout = AbortSignal.timeout(requestTimeout)
  const until = signal ? AbortSignal.any([signal, timeout]) : timeout
  let result = await resultOf(send(until), timeout)
  // An overloaded store has started nothing, so even a write may be sent again.
  for (const delay of overloadedRetryDelays) {
    if (result.ok || result.problem.code !== 'OVERLOADED') break
    await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())))
    if (until.aborted) break
    result = await resultOf(send(until), timeout)
  }
  if (result.ok && unhydrated) return result.data
  // The answer may change what is not hydrated yet.
  await finishHydration()?.catch(() => {})
  if (result.ok) return result.data
  reportSignedOut(result.problem.code)
  if (!expected.includes(result.problem.status)) reportFailure(result.problem, { silent })
  throw new ApiError(result.problem)
}

async function resultOf<T>(answer: Promise<Result<T>>, timeout: AbortSignal): Promise<Result<T>> {
  try {
    // The response of a proxy in between arrives as undefined, or as its body.
    const result: Result<T> | null | undefined = await answer
    if (typeof result === 'object' && result !== null && 'ok' in result) return result
    return { ok: false, problem: local(500, 'SERVER_ERROR') }
  } catch (error) {
    if (isRedirect(error) || isNotFound(error)) throw error
    if (error instanceof Response) return { ok: false, problem: await problemOfResponse(error) }
    if (timeout.aborted) return { ok: false, problem: local(504, 'TIMEOUT') }
    // The caller aborted: no failure to report.
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    return { ok: false, problem: local(0, 'UNREACHABLE') }
  }
}

async function problemOfResponse(response: Response): Promise<Problem> {
  const body: Partial<Problem> | null | undefined = await response.json().catch(() => undefined)
  const problem = typeof body === 'object' && body !== null && 'code' in body ? body : {}
  return { ...local(response.status, unknownError), ...problem, status: response.status }
}

const local = (status: number, code: string): Problem => ({ status, code, message: '', errors: {}, requestId: '' })

/**
 * The API's statuses for a path that names nothing: not found (404), or not readable (400, 422).
 */
export const notFoundStatuses = [400, 404, 422] as const

/**
 * Loads what a page's path names.
 * @throws `notFound()` if it names nothing
 */
export async function orNotFound<Answer>(load: Promise<Answer>): Promise<Answer> {
  try {
    return await load
  } catch (error) {
    const status = problemOf(error)?.status
    throw notFoundStatuses.some((missing) => missing === status) ? notFound() : error
  }
}

/** A `fetch` whose request outlives the page (`keepalive`), for writes just before leaving it. */
export const keepaliveFetch: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true })
