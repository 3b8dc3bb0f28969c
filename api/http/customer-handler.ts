import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { onError, type Router } from '@orpc/server'
import {
  type StandardCodec,
  StandardHandler,
  type StandardHandlerOptions,
  StandardRPCMatcher,
} from '@orpc/server/standard'
import { experimental_ZodSmartCoercionPlugin as CoercionPlugin } from '@orpc/zod/zod4'
import type { Logger } from 'pino'
import {
  databaseRetrySeconds,
  isDatabaseOverloaded,
  isDatabaseUnavailable,
  isDiskFull,
} from '#api/platform/db/client.ts'
import {
  ApiError,
  asProblem,
  brokenReference,
  type Failed,
  failedOf,
  problemBody,
  problemRequest,
  problemResponse,
  refuseUnstorable,
  withOwnMessages,
} from '#api/platform/http/problems.ts'
import {
  assertAccess,
  isOfOperators,
  type ProcedureContext,
  type ProcedureDeps,
} from '#api/platform/http/procedures.ts'
import {
  addressOf,
  callerLocale,
  findRoute,
  originOf,
  type ProcedureRoute,
  requestIdOf,
  routeOf,
  storeLocale,
} from '#api/platform/http/request-facts.ts'
import type { Health } from '#api/platform/telemetry/telemetry.ts'
import { eventStreamType } from '#contract/admin/changes.ts'
import { customerBase, customerPattern, headers as headerNames } from '#contract/http.ts'
import { type Problem, problemStatus } from '#contract/problem.ts'
import type { contract } from '#contract/procedures/contract.ts'
import type { Access } from '#contract/procedures/procedure.ts'
import { acceptsFile, BodyRefused, bufferBody, countBody } from '#contract/request-body.ts'
import { urlOf } from '#contract/request-url.ts'
import {
  type CallerDeps,
  lookUpCaller,
  previewLinkOf,
  type RequestEnv,
  resolveActor,
  resolveOperator,
} from './actor.ts'

/** What handling requests needs, besides what their procedures need. */
interface HandlerDeps extends CallerDeps {
  log: Logger
  publicUrl: string | null
  trustedProxies: ReadonlySet<string>
  health: Pick<Health, 'onDatabaseDiskFull'>
}

/** Messages in the caller's language, and unexpected errors logged. */
const createHandlerOptions = <Deps extends object>({
  onDatabaseDiskFull,
}: HandlerDeps['health']): StandardHandlerOptions<ProcedureContext<Deps>> => {
  /** Requests whose input was parsed. */
  const readable = new WeakSet<ProcedureContext<Deps>>()
  return {
    clientInterceptors: [
      async ({ next, context, input }) => {
        readable.add(context)
        const language = callerLocale(context)
        refuseUnstorable(input, language)
        try {
          return await next()
        } catch (error) {
          if (isDiskFull(error)) onDatabaseDiskFull(error)
          // Its answer says nothing of the cause.
          if (isDatabaseOverloaded(error)) context.log.error({ err: error }, 'A procedure failed')
          // Deleted by another request a moment ago, or a fault of ours.
          if (brokenReference(error)) context.log.warn({ err: error }, 'A procedure referred to a deleted row')
          throw withOwnMessages(error, language)
        }
      },
    ],
    interceptors: [
      onError((error, { context, request }) => {
        // The client disconnected. This is no failure of the service.
        if (request.signal?.aborted) return
        // The error of a parser quotes the input, so it is not logged.
        if (!readable.has(context)) context.log.info('The input of a procedure could not be read')
        else if (!(error instanceof ApiError) && !isDatabaseUnavailable(error))
          context.log.error({ err: error }, 'A procedure failed')
      }),
    ],
  }
}

/** Passes input and output of a procedure as they are. */
const asTheyAre: StandardCodec = {
  decode: async (request) => request.body(),
  encode: (output) => ({ status: 200, headers: {}, body: output }),
  encodeError: (error) => ({ status: error.status, headers: {}, body: error.toJSON() }),
}

/** A call of a procedure that reads, from within the process. */
export interface DirectCall {
  customerCode: string
  /** The name of the procedure in the contract, such as `['catalog', 'product']`. */
  path: readonly string[]
  input: unknown
  headers: Headers
  /** The storefront's origin. */
  origin: string
}

/** What the same call over HTTP answers, with the output as an object. */
export type DirectAnswer = { headers: Headers } & ({ output: unknown } | { status: number; problem: Problem })

/**
 * Answers that are the same for everyone may be cached and revalidated. Answers that may be
 * personal are never stored.
 */
const createAnswerHeaders = (
  { customer, locale }: Pick<ProcedureContext, 'customer' | 'locale'>,
  access: Access,
  isPreview: boolean,
) =>
  new Headers({
    'content-language': locale,
    vary: 'accept-language',
    'cache-control':
      access === 'public' && !customer.settings.operation.useLogin && !isPreview ? 'no-cache' : 'no-store',
  })

/** Returns why a request failed outside of a procedure. Logs what is unexpected. */
const failureOf = (error: unknown, signal: AbortSignal | null, log: Logger): Failed => {
  if (error instanceof ApiError) return { code: error.code, detail: error.data }
  if (error instanceof BodyRefused) return { code: error.code }
  if (signal?.aborted) return { code: 'BAD_REQUEST' }
  if (isDatabaseUnavailable(error)) return { code: 'UNAVAILABLE', detail: { retryAfterSeconds: databaseRetrySeconds } }
  log.error({ err: error }, 'A request failed')
  return { code: 'SERVER_ERROR' }
}

/**
 * Returns what a procedure has to know of a call; null without a tenant.
 *
 * @throws ApiError if the caller may not call it
 */
const createContextOf =
  <Deps extends object>(deps: HandlerDeps & ProcedureDeps & Deps) =>
  async (
    request: Pick<Request, 'method' | 'url' | 'headers'>,
    route: ProcedureRoute,
    code: string,
    { scope, report = {}, requestId, log, ...connection }: RequestEnv & { requestId: string; log: Logger },
  ): Promise<ProcedureContext<Deps> | null> => {
    const { headers } = request
    const reads = request.method === 'GET'
    report.route = customerPattern + route.path
    const host = headers.get(headerNames.storeHost)?.slice(0, 300) ?? null
    // A page reads its member in any case. A single public call needs no session.
    const caller =
      scope.isPage || route.access !== 'public' ? await lookUpCaller(deps, scope, headers, { code, host }) : null
    const store = caller ? caller.store : await scope.store(code, host)
    if (!store) return null
    const { customer, hostCustomerCode } = store
    report.customer = customer.code
    const locale = storeLocale({ headers, customer })
    const address = addressOf(headers, connection, deps.trustedProxies)
    const actor = await resolveActor(deps, scope, customer, { headers, access: route.access, address, host })
    const origin = originOf(request, deps.publicUrl, connection, deps.trustedProxies)
    const operator = isOfOperators(route.access) ? await resolveOperator(deps, customer, { request, origin }) : null
    const link = previewLinkOf(deps, customer, headers)
    // Operators change the store of the present.
    const previewAt = isOfOperators(route.access) ? null : (link?.at ?? null)
    // What is a member's own, such as a grant to watch, is of the present too.
    const isAtTime = reads && (route.access === 'public' || route.access === 'guest')
    const context: ProcedureContext<Deps> = {
      deps: previewAt && isAtTime ? { ...deps, clock: { now: () => previewAt } } : deps,
      customer,
      locale,
      actor,
      operator,
      hostCustomerCode,
      // The page of a product needs the store around it.
      preview: link !== null && (link.content === null || !customer.opened),
      previewed: reads ? (link?.product ?? null) : null,
      previewedContent: link?.content ?? null,
      previewAt,
      read: reads ? scope.read : null,
      replicaNeeds: null,
      log,
      requestId,
      address,
      device: (headers.get('user-agent') ?? '').slice(0, 300),
      origin,
      headers,
      answerHeaders: createAnswerHeaders({ customer, locale }, route.access, link !== null),
      streamAnswer: () => {},
    }
    assertAccess(context, { ...route, path: route.name.split('.') })
    return context
  }

/** Handles the procedures of the contract for one tenant. */
export const createCustomerHandler = <Deps extends object>(
  deps: HandlerDeps & ProcedureDeps & Deps,
  router: Router<typeof contract, ProcedureContext<Deps>>,
) => {
  const contextOf = createContextOf<Deps>(deps)
  const options = createHandlerOptions<Deps>(deps.health)
  const handler = new OpenAPIHandler<ProcedureContext<Deps>>(router, {
    ...options,
    // A query string contains only text. The contract knows which values are numbers.
    plugins: [new CoercionPlugin()],
  })
  const directHandler = new StandardHandler(router, new StandardRPCMatcher(), asTheyAre, options)

  const answer = async (request: Request, code: string, requestId: string, env: RequestEnv): Promise<Response> => {
    const { scope, report = {} } = env
    const caller = problemRequest(request, requestId)
    const reads = request.method === 'GET'
    if (!reads) scope.clear()
    const log = deps.log.child({ requestId, customer: code })
    try {
      const base = customerBase(code)
      const url = urlOf(request)
      const route = findRoute(request.method, url.pathname.slice(base.length) || '/')
      if (!route) return problemResponse('NOT_FOUND', caller)
      if ('allow' in route) return problemResponse('METHOD_NOT_ALLOWED', caller, {}, { allow: route.allow.join(', ') })
      const context = await contextOf(request, route, code, { ...env, report, requestId, log })
      if (!context) return problemResponse('NOT_FOUND', caller)
      let streamed: ReadableStream<Uint8Array> | null = null
      context.streamAnswer = (body) => {
        streamed = body
      }
      const file = acceptsFile(url.pathname, request.headers.get('content-type')) ? countBody(request) : null
      const { matched, response } = await handler.handle(file?.request ?? (await bufferBody(request)), {
        prefix: base,
        context,
      })
      if (file?.isExceeded()) return problemResponse('PAYLOAD_TOO_LARGE', caller)
      if (!matched) return problemResponse('NOT_FOUND', caller)
      if (response.status >= 400) return await asProblem(response, caller)
      for (const [name, value] of context.answerHeaders)
        response.headers[name === 'set-cookie' ? 'append' : 'set'](name, value)
      if (response.headers.get('content-type') === eventStreamType) report.isOpenEnded = true
      return streamed ? streamedResponse(response, streamed) : response
    } catch (error) {
      const { code, detail } = failureOf(error, request.signal, log)
      return problemResponse(code, caller, detail)
    } finally {
      if (!reads) scope.clear()
    }
  }

  /** Answers a call from within the process, without requests, responses and JSON. */
  const readRoute = async (route: ProcedureRoute, call: DirectCall, env: RequestEnv): Promise<DirectAnswer> => {
    const { input, customerCode: code, headers, origin: url } = call
    const requestId = requestIdOf(headers)
    const log = deps.log.child({ requestId, customer: code })
    const failed = ({ code, detail = {} }: Failed): DirectAnswer => ({
      headers: new Headers(),
      status: problemStatus[code],
      problem: problemBody(code, problemRequest({ headers }, requestId), detail),
    })
    try {
      const context = await contextOf({ method: 'GET', url, headers }, route, code, { ...env, requestId, log })
      if (!context) return failed({ code: 'NOT_FOUND' })
      const body = async () => input ?? {}
      const request = { method: 'GET', url: route.directUrl, headers: {}, body, signal: undefined }
      const { response } = await directHandler.handle(request, { context })
      if (!response || response.status >= 400) return failed(failedOf(response?.body))
      return { headers: context.answerHeaders, output: response.body }
    } catch (error) {
      return failed(failureOf(error, null, log))
    }
  }
  const read = (call: DirectCall, env: RequestEnv) => {
    const route = routeOf(call.path)
    return route?.isDirect ? readRoute(route, call, env) : undefined
  }
  return { answer, read }
}

/** The same response with another body, whose length is not known. */
const streamedResponse = ({ status, headers }: Response, body: ReadableStream<Uint8Array>) => {
  headers.delete('content-length')
  return new Response(body, { status, headers })
}
