import { isNotFound, isRedirect } from '@tanstack/react-router'
import { createMiddleware, createServerFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import type { $ZodIssue } from 'zod/v4/core'
import type { CustomerApi } from '~/platform/api/client'
import { problemFromError } from '~/platform/api/client'
import { errorsByField, failed, isFailed, type Problem, type Result, succeeded } from '~/platform/api/problem'
import { languageHeader } from '~/platform/i18n/locales'
import { log } from '~/platform/log'
import { requestContextMiddleware } from './request-context-middleware'
import { malformedRequestGuard } from './server-fn-guard'

class MalformedInput extends Error {
  override readonly name = 'MalformedInput'
  readonly issues: readonly $ZodIssue[]

  constructor(issues: readonly $ZodIssue[]) {
    super('The input is not valid.')
    this.issues = issues
  }
}

/**
 * The validator of a server function. Input that does not match the schema is answered with 400 and
 * errors by field.
 */
export const checked =
  <Schema extends z.ZodMiniType>(schema: Schema) =>
  (input: z.input<Schema>): z.output<Schema> => {
    const parsed = z.safeParse(schema, input)
    if (parsed.success) return parsed.data
    throw new MalformedInput(parsed.error.issues)
  }

const resultMiddleware = createMiddleware({ type: 'function' })
  .middleware([requestContextMiddleware, malformedRequestGuard])
  // The URL of a server function does not carry the page's language, so a header does.
  .client(({ next }) =>
    next(typeof document === 'undefined' ? {} : { headers: { [languageHeader]: document.documentElement.lang } }),
  )
  .server(async ({ next, context, serverFnMeta }) => {
    const { requestContext, report } = context
    context.serverFn.started = true
    // While a page renders, the route is the page's.
    if (report && requestContext.handlerType === 'serverFn') report.route = `/_serverFn/${serverFnMeta.name}`
    const answer = (problem: Problem) => {
      // While a page renders, the page's own status must not change.
      if (requestContext.handlerType === 'serverFn') setResponseStatus(problem.status)
      return failed(problem)
    }
    /** Calls the API. Returns a refusal as data and sets its HTTP status. */
    const callApi = async <T>(run: (api: CustomerApi) => Promise<T>): Promise<Result<T>> => {
      try {
        return succeeded(await run(requestContext.api))
      } catch (error) {
        const problem = problemFromError(error, requestContext.requestId)
        if (problem) return answer(problem)
        throw error
      }
    }
    try {
      const ended = await next({ context: { callApi } })
      const result: unknown = 'result' in ended ? ended.result : undefined
      if (isFailed(result)) {
        context.serverFn.isShared = false
        // A failed read of what requests share has not set the status.
        if (result.problem.status >= 500) answer(result.problem)
      }
      return ended
    } catch (error) {
      context.serverFn.isShared = false
      if (error instanceof Response || isRedirect(error) || isNotFound(error)) throw error
      const problem: Problem =
        error instanceof MalformedInput
          ? {
              status: 400,
              code: 'BAD_REQUEST',
              message: error.message,
              errors: errorsByField(error.issues, requestContext.locale),
              requestId: requestContext.requestId,
            }
          : unexpectedProblem(error, requestContext.requestId)
      // The middleware's result type is the framework's own; `result` is what the caller gets.
      return { result: answer(problem) } as never
    }
  })

function unexpectedProblem(error: unknown, requestId: string): Problem {
  log('error', 'A server function failed.', { requestId, error })
  return { status: 500, code: 'SERVER_ERROR', message: 'A server error has occurred.', errors: {}, requestId }
}

/**
 * Builds a server function that reads: `.validator(checked(schema)).handler(({ context }) =>
 * context.callApi(…))`.
 */
export const readFn = createServerFn({ method: 'GET' }).middleware([resultMiddleware])

/** Marks an answer as one that all guests of a store get. */
const sharedMiddleware = createMiddleware({ type: 'function' })
  .middleware([malformedRequestGuard])
  .server(({ next, context }) => {
    context.serverFn.isShared = true
    return next()
  })

/**
 * Builds a server function whose answer is the same for all guests of a store: an answer to a guest
 * is cached for the others, as guests' pages are. Failures are not.
 */
export const sharedReadFn = createServerFn({ method: 'GET' }).middleware([resultMiddleware, sharedMiddleware])

/** Builds a server function that writes. */
export const writeFn = createServerFn({ method: 'POST' }).middleware([resultMiddleware])
