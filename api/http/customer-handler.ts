import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { onError, type Router } from '@orpc/server'
import { experimental_ZodSmartCoercionPlugin as CoercionPlugin } from '@orpc/zod/zod4'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type ResolvedStore, readPreviewToken, resolveStore } from '#api/modules/tenancy/stores.ts'
import type { Customer } from '#api/platform/context.ts'
import {
  databaseRetrySeconds,
  isDatabaseOverloaded,
  isDatabaseUnavailable,
  isDiskFull,
} from '#api/platform/db/client.ts'
import { createSharedReads } from '#api/platform/db/shared-reads.ts'
import { ApiError, asProblem, problemResponse, refuseUnstorable, withOwnMessages } from '#api/platform/http/problems.ts'
import {
  assertAccess,
  isOfOperators,
  type ProcedureContext,
  type ProcedureDeps,
} from '#api/platform/http/procedures.ts'
import {
  addressOf,
  type Connection,
  callerLocale,
  findRoute,
  originOf,
  storeLocale,
} from '#api/platform/http/request-facts.ts'
import type { Health } from '#api/platform/telemetry/telemetry.ts'
import { eventStreamType } from '#contract/admin/changes.ts'
import { customerBase, customerPattern, headers as headerNames } from '#contract/http.ts'
import type { contract } from '#contract/procedures/contract.ts'
import type { Access } from '#contract/procedures/procedure.ts'
import { acceptsFile, BodyRefused, bufferBody, countBody } from '#contract/request-body.ts'
import { urlOf } from '#contract/request-url.ts'
import { type CallerDeps, lookUpCaller, resolveActor, resolveOperator, type SharedLookups } from './actor.ts'

/** The environment of a request from within the process. */
export interface RequestEnv extends Connection {
  scope: RequestScope
}

/** What handling requests needs, besides what their procedures need. */
interface HandlerDeps extends CallerDeps {
  log: Logger
  publicUrl: string | null
  trustedProxies: ReadonlySet<string>
  health: Pick<Health, 'onDatabaseDiskFull'>
}

/** Runs procedures, with messages in the caller's language and unexpected errors logged. */
const createProcedureHandler = <Deps extends object>(
  router: Router<typeof contract, ProcedureContext<Deps>>,
  { onDatabaseDiskFull }: HandlerDeps['health'],
) => {
  /** Requests whose input was parsed. */
  const readable = new WeakSet<ProcedureContext<Deps>>()
  return new OpenAPIHandler<ProcedureContext<Deps>>(router, {
    // A query string contains only text. The contract knows which values are numbers.
    plugins: [new CoercionPlugin()],
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
  })
}

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

/** Returns the answer to a request that failed outside of a procedure. Logs what is unexpected. */
const failedAnswer = (error: unknown, request: Request, requestId: string, log: Logger): Response => {
  if (error instanceof ApiError) return problemResponse(error.code, requestId, error.data)
  if (error instanceof BodyRefused) return problemResponse(error.code, requestId)
  if (request.signal.aborted) return problemResponse('BAD_REQUEST', requestId)
  if (isDatabaseUnavailable(error))
    return problemResponse('UNAVAILABLE', requestId, { retryAfterSeconds: databaseRetrySeconds })
  log.error({ err: error }, 'A request failed')
  return problemResponse('SERVER_ERROR', requestId)
}

/** Handles the procedures of the contract for one tenant. */
export const createCustomerHandler = <Deps extends object>(
  deps: HandlerDeps & ProcedureDeps & Deps,
  router: Router<typeof contract, ProcedureContext<Deps>>,
) => {
  const handler = createProcedureHandler(router, deps.health)

  return async (request: Request, code: string, requestId: string, env: RequestEnv): Promise<Response> => {
    const { scope, report = {}, ...connection } = env
    const reads = request.method === 'GET'
    if (!reads) scope.clear()
    const log = deps.log.child({ requestId, customer: code })
    try {
      const base = customerBase(code)
      const url = urlOf(request)
      const route = findRoute(request.method, url.pathname.slice(base.length) || '/')
      if (!route) return problemResponse('NOT_FOUND', requestId)
      if ('allow' in route)
        return problemResponse('METHOD_NOT_ALLOWED', requestId, {}, { allow: route.allow.join(', ') })
      report.route = customerPattern + route.path

      const host = request.headers.get(headerNames.storeHost)?.slice(0, 300) ?? null
      // A page reads its member in any case. A single public call needs no session.
      const caller =
        scope.isPage || route.access !== 'public'
          ? await lookUpCaller(deps, scope, request.headers, { code, host })
          : null
      const store = caller ? caller.store : await scope.store(code, host)
      if (!store) return problemResponse('NOT_FOUND', requestId)
      const { customer, hostCustomerCode } = store
      report.customer = customer.code
      const locale = storeLocale({ headers: request.headers, customer })
      const address = addressOf(request.headers, connection, deps.trustedProxies)
      const facts = { headers: request.headers, access: route.access, address, host }
      const actor = await resolveActor(deps, scope, customer, facts)
      const origin = originOf(request, deps.publicUrl, connection, deps.trustedProxies)
      const operator = isOfOperators(route.access) ? await resolveOperator(deps, customer, { request, origin }) : null
      const link = previewLinkOf(deps, customer, request.headers)
      // Operators change the store of the present.
      const previewAt = isOfOperators(route.access) ? null : (link?.at ?? null)
      // What is a member's own, such as a grant to watch, is of the present too.
      const isAtTime = reads && (route.access === 'public' || route.access === 'guest')
      const answerHeaders = createAnswerHeaders({ customer, locale }, route.access, link !== null)
      let streamed: ReadableStream<Uint8Array> | null = null
      const context: ProcedureContext<Deps> = {
        deps: previewAt && isAtTime ? { ...deps, clock: { now: () => previewAt } } : deps,
        customer,
        locale,
        actor,
        operator,
        hostCustomerCode,
        // The page of a product needs the store around it.
        preview: link !== null && (link.product === null || !customer.opened),
        previewed: reads ? (link?.product ?? null) : null,
        previewedNotice: link?.notice ?? null,
        previewAt,
        read: reads ? scope.read : null,
        replicaNeeds: null,
        log,
        requestId,
        address,
        device: (request.headers.get('user-agent') ?? '').slice(0, 300),
        origin,
        headers: request.headers,
        answerHeaders,
        streamAnswer: (body) => {
          streamed = body
        },
      }
      assertAccess(context, { ...route, path: route.name.split('.') })
      const file = acceptsFile(url.pathname, request.headers.get('content-type')) ? countBody(request) : null
      const { matched, response } = await handler.handle(file?.request ?? (await bufferBody(request)), {
        prefix: base,
        context,
      })
      if (file?.isExceeded()) return problemResponse('PAYLOAD_TOO_LARGE', requestId)
      if (!matched) return problemResponse('NOT_FOUND', requestId)
      if (response.status >= 400) return await asProblem(response, requestId)
      for (const [name, value] of answerHeaders) response.headers[name === 'set-cookie' ? 'append' : 'set'](name, value)
      if (response.headers.get('content-type') === eventStreamType) report.isOpenEnded = true
      return streamed ? streamedResponse(response, streamed) : response
    } catch (error) {
      return failedAnswer(error, request, requestId, log)
    } finally {
      if (!reads) scope.clear()
    }
  }
}

/** The same response with another body, whose length is not known. */
const streamedResponse = ({ status, headers }: Response, body: ReadableStream<Uint8Array>) => {
  headers.delete('content-length')
  return new Response(body, { status, headers })
}

const previewLinkOf = ({ secret, clock }: ProcedureDeps, { id }: Customer, headers: Headers) => {
  const token = headers.get(headerNames.previewToken)
  return token === null ? null : readPreviewToken(secret, id, token, clock.now())
}

/**
 * What the API requests of one page share: the tenant, the caller and the transaction of their
 * reads. It is discarded after the page's request. A request that may write starts with an
 * empty scope and leaves none.
 */
export interface RequestScope extends SharedLookups {
  /**
   * Resolves the tenant of a code, and the tenant of the storefront's host. Returns null if
   * there is none.
   */
  store: (code: string, host: string | null) => Promise<ResolvedStore | null>
  /** Whether the requests are those of one page. */
  isPage: boolean
  /** Discards all results, because a write may have changed them. */
  clear: () => void
}

export const createRequestScope = (deps: { pool: pg.Pool }, { isPage = false } = {}): RequestScope => {
  const lookups = new Map<string, Promise<unknown>>()
  const lookUpOnce: RequestScope['lookUpOnce'] = (name, look) => {
    // Each name is used in one place only, so it has one type.
    const cached = lookups.get(name) as ReturnType<typeof look> | undefined
    if (cached) return cached
    const pending = look()
    lookups.set(name, pending)
    pending.catch(() => lookups.get(name) === pending && lookups.delete(name))
    return pending
  }
  const read = createSharedReads(deps.pool)
  return {
    store: (code, host) => lookUpOnce(`store ${code} ${host ?? ''}`, () => resolveStore(deps, code, host)),
    isPage,
    lookUpOnce,
    read,
    clear: () => {
      lookups.clear()
      read.renew()
    },
  }
}
