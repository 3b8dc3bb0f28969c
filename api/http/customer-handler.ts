import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { onError } from '@orpc/server'
import { experimental_ZodSmartCoercionPlugin as CoercionPlugin } from '@orpc/zod/zod4'
import type { Customer } from '#api/context.ts'
import { databaseRetrySeconds, isDatabaseUnavailable } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { isPreviewToken } from '#api/domain/tenancy/preview-token.ts'
import { customerBase, headers as headerNames } from '#contract/index.ts'
import { BodyRefused, countBody, gatherBody, takesFile } from '#contract/request-body.ts'
import { resolveActor, resolveOperator } from './actor.ts'
import type { CallContext } from './call-context.ts'
import { assertAccess } from './implementer.ts'
import { callerLanguage, localeOf } from './locale.ts'
import { CallError, problemResponse } from './problem.ts'
import { addressOf, type Connection, originOf } from './request-facts.ts'
import { router } from './router.ts'
import { findRoute } from './routes-table.ts'
import type { Sitting } from './sitting.ts'
import { inOurWords, refuseUnstorable } from './validation.ts'
import { asProblem } from './wire-problem.ts'

/** What comes with a request from within the process. */
export interface CallEnv extends Connection {
  sitting: Sitting
}

/** Answers the calls of the contract for one customer. */
export const createCustomerHandler = (deps: Deps) => {
  /** Calls whose input was read. */
  const readable = new WeakSet<CallContext>()
  const handler = new OpenAPIHandler<CallContext>(router, {
    // A query string knows only text; the contract says which of it are numbers.
    plugins: [new CoercionPlugin()],
    clientInterceptors: [
      async ({ next, context, input }) => {
        readable.add(context)
        const language = callerLanguage(context)
        refuseUnstorable(input, language)
        try {
          return await next()
        } catch (error) {
          throw inOurWords(error, language)
        }
      },
    ],
    interceptors: [
      onError((error, { context, request }) => {
        // Whoever left in the middle of their own request is no failure of ours.
        if (request.signal?.aborted) return
        // A parser's error quotes what was sent.
        if (!readable.has(context)) context.log.info('A call could not be read')
        else if (!(error instanceof CallError) && !isDatabaseUnavailable(error))
          context.log.error({ err: error }, 'A call failed')
      }),
    ],
  })

  return async (request: Request, code: string, requestId: string, env: CallEnv): Promise<Response> => {
    const { sitting, ...connection } = env
    const reads = request.method === 'GET'
    if (!reads) sitting.forget()
    const log = deps.log.child({ requestId, customer: code })
    try {
      const base = customerBase(code)
      const url = new URL(request.url)
      const route = findRoute(request.method, url.pathname.slice(base.length) || '/')
      if (!route) return problemResponse('NOT_FOUND', requestId)
      if ('allow' in route)
        return problemResponse('METHOD_NOT_ALLOWED', requestId, {}, { allow: route.allow.join(', ') })

      const host = request.headers.get(headerNames.storeHost)?.slice(0, 300) ?? null
      const store = await sitting.store(code, host)
      if (!store) return problemResponse('NOT_FOUND', requestId)
      const { customer, hostCustomerCode } = store
      const locale = localeOf(customer.settings, request.headers)
      const address = addressOf(request.headers, connection, deps.trustedProxies)
      const facts = { headers: request.headers, access: route.access, address }
      const actor = await resolveActor(deps, sitting, customer, facts)
      const operator =
        route.access === 'operator' ? await resolveOperator(deps, customer, request.headers, route.scope) : null
      const answerHeaders = new Headers({
        // What is the same for everyone may be kept and asked about again; anything that may be personal is never kept.
        'content-language': locale,
        vary: 'accept-language',
        'cache-control': route.access === 'public' && !customer.settings.operation.useLogin ? 'no-cache' : 'no-store',
      })
      const context: CallContext = {
        deps,
        customer,
        locale,
        actor,
        operator,
        hostCustomerCode,
        preview: holdsPreview(deps, customer, request.headers),
        read: reads ? sitting.read : null,
        log,
        requestId,
        address,
        device: (request.headers.get('user-agent') ?? '').slice(0, 300),
        origin: originOf(request, deps.publicUrl, connection, deps.trustedProxies),
        headers: request.headers,
        answerHeaders,
      }
      assertAccess(context, { access: route.access, path: route.name.split('.') })
      const file = takesFile(url.pathname, request.headers.get('content-type')) ? countBody(request) : null
      const { matched, response } = await handler.handle(file?.request ?? (await gatherBody(request)), {
        prefix: base,
        context,
      })
      if (file?.isExceeded()) return problemResponse('PAYLOAD_TOO_LARGE', requestId)
      if (!matched) return problemResponse('NOT_FOUND', requestId)
      if (response.status >= 400) return await asProblem(response, requestId)
      for (const [name, value] of answerHeaders) response.headers.set(name, value)
      return response
    } catch (error) {
      if (error instanceof CallError) return problemResponse(error.code, requestId, error.data)
      if (error instanceof BodyRefused) return problemResponse(error.code, requestId)
      if (request.signal.aborted) return problemResponse('BAD_REQUEST', requestId)
      if (isDatabaseUnavailable(error))
        return problemResponse('UNAVAILABLE', requestId, { retryAfterSeconds: databaseRetrySeconds })
      log.error({ err: error }, 'A request failed')
      return problemResponse('SERVER_ERROR', requestId)
    } finally {
      if (!reads) sitting.forget()
    }
  }
}

const holdsPreview = ({ secret, clock }: Deps, { id }: Customer, headers: Headers) => {
  const token = headers.get(headerNames.previewToken)
  return token !== null && isPreviewToken(secret, id, token, clock.now())
}
