import { isNotFound, isRedirect } from '@tanstack/react-router'
import { requestTimeout } from '~/platform/constants'
import { validationErrors } from '~/platform/forms/validation-errors'
import { reportFailure } from './failures'
import { ApiError, type Problem, type Result, unwrap } from './problem'

interface CallOptions {
  /** Statuses the caller answers itself; the catalogue stays silent about them. */
  expected?: readonly number[]
  /** The caller says every refusal at its form as well, so that the toast is not announced on top of it. */
  saidAtForm?: boolean
  signal?: AbortSignal | undefined
}

/** Between the tries of a call that a busy store has refused, in milliseconds; somewhat more or less, so that not all come at once. */
const pausesWhenBusy = [1_000, 2_500]

/**
 * Makes a call: clears the stored validation errors, gives it ten seconds, and hands a failure to the catalogue before it
 * throws `ApiError`. In loaders it runs on both sides; the server neither shows nor stores anything.
 *
 * @example await call((signal) => addComment({ data, signal }))
 */
export async function call<T>(
  send: (signal: AbortSignal) => Promise<Result<T>>,
  { expected = [], saidAtForm, signal }: CallOptions = {},
): Promise<T> {
  if (typeof window === 'undefined') return unwrap(await send(signal ?? new AbortController().signal))
  validationErrors.clear()
  const late = AbortSignal.timeout(requestTimeout)
  const until = signal ? AbortSignal.any([signal, late]) : late
  let result = await answerOf(send(until), late)
  // A store that is too busy has begun nothing of the call, so that even a write may be sent again.
  for (const pause of pausesWhenBusy) {
    if (result.ok || result.problem.code !== 'OVERLOADED') break
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
    if (until.aborted) break
    result = await answerOf(send(until), late)
  }
  if (result.ok) return result.data
  if (!expected.includes(result.problem.status)) reportFailure(result.problem, { silent: saidAtForm ?? false })
  throw new ApiError(result.problem)
}

async function answerOf<T>(answer: Promise<Result<T>>, late: AbortSignal): Promise<Result<T>> {
  try {
    // What is no result of ours (an answer of something in between) reaches this place as undefined, or as whatever it sent.
    const result: unknown = await answer
    if (typeof result === 'object' && result !== null && 'ok' in result) return result as Result<T>
    return { ok: false, problem: local(500, 'SERVER_ERROR') }
  } catch (error) {
    if (isRedirect(error) || isNotFound(error)) throw error
    if (error instanceof Response) return { ok: false, problem: await problemOfResponse(error) }
    if (late.aborted) return { ok: false, problem: local(504, 'TIMEOUT') }
    // The caller gave up: that is no failure to report.
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    return { ok: false, problem: local(0, 'UNREACHABLE') }
  }
}

async function problemOfResponse(response: Response): Promise<Problem> {
  const body = await response.json().catch(() => undefined)
  const known = typeof body === 'object' && body !== null && 'code' in body ? (body as Partial<Problem>) : {}
  return { ...local(response.status, 'ERROR'), ...known, status: response.status }
}

const local = (status: number, code: string): Problem => ({ status, code, message: '', errors: {}, requestId: '' })
