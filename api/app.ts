import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { createRequestScope, type RequestEnv } from '#api/http/actor.ts'
import { createCustomerHandler, type DirectAnswer, type DirectCall } from '#api/http/customer-handler.ts'
import { documentation } from '#api/http/openapi.ts'
import { createUploads } from '#api/http/uploads.ts'
import { mailTemplates } from '#api/mail-templates.ts'
import { createClockPage } from '#api/modules/admin/clock-page.ts'
import { createFirstStorePage } from '#api/modules/admin/first-store.ts'
import { answerWebhook } from '#api/modules/billing/billing.routes.ts'
import { createMailbox } from '#api/modules/mail/mailbox/mailbox.ts'
import { createInvitationPage } from '#api/modules/staff/invitation-page.ts'
import { settleCharge } from '#api/modules/subscriptions/charges.ts'
import { findCustomerCodeByHost } from '#api/modules/tenancy/domains.queries.ts'
import { plainHost } from '#api/modules/tenancy/tenancy.queries.ts'
import { createInstallationHandler, installationPaths } from '#api/modules/tenancy/tenancy.routes.ts'
import { databaseRetrySeconds, isDatabaseUnavailable } from '#api/platform/db/client.ts'
import { problemRequest, problemResponse } from '#api/platform/http/problems.ts'
import { type Connection, originOf, requestIdOf } from '#api/platform/http/request-facts.ts'
import { apiBase, apiPages, headers as headerNames } from '#contract/http.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { acceptsFile, BodyRefused, bodyLimit, bufferBody } from '#contract/request-body.ts'
import type { Deps } from './deps.ts'
import { router } from './router.ts'

interface Env {
  Bindings: RequestEnv
  Variables: { requestId: string }
}

export interface Api {
  /** Answers a request. `connection` is the peer's address; callers within this process omit it. */
  fetch: (request: Request, connection?: Connection) => Promise<Response>
  /** Creates the API for one page, whose calls share lookups. */
  forRequest: () => PageApi
}

/** Answers the requests of one page. */
export interface PageApi {
  (request: Request): Promise<Response>
  /** Calls a procedure that reads, without HTTP. Undefined for procedures that need it. */
  read: (call: DirectCall) => Promise<DirectAnswer> | undefined
}

const problem = (context: Context<Env>, code: ProblemCode, detail?: { retryAfterSeconds: number }) =>
  problemResponse(code, problemRequest(context.req.raw, context.get('requestId')), detail)

const unavailable = (context: Context<Env>) =>
  problem(context, 'UNAVAILABLE', { retryAfterSeconds: databaseRetrySeconds })

/** Over HTTP, an empty body is also a stream. */
const isEmpty = ({ body, headers }: Request) => body === null || headers.get('content-length') === '0'

/** Whether the body is declared as JSON. A request without a body needs no content type. */
const isJson = (request: Request) =>
  isEmpty(request) || /^application\/(?:[\w.+-]+\+)?json\b/i.test(request.headers.get('content-type') ?? '')

export interface ApiOptions {
  /**
   * Runs due work after the store's clock was advanced. Without it there is no page to advance the
   * clock.
   */
  settle?: () => Promise<void>
}

/** Creates the HTTP interface of the API as one `fetch`. */
export const createApi = (deps: Deps, { settle }: ApiOptions = {}): Api => {
  const app = new Hono<Env>()
  const { answer: answerCustomer, read } = createCustomerHandler(deps, router)
  const answerUpload = createUploads(deps)
  const answerInstallation = createInstallationHandler(deps)

  app.use(async (context, next) => {
    context.set('requestId', requestIdOf(context.req.raw.headers))
    await next()
    const { report } = context.env
    // The last one that ran. A handler of `/*` answers paths that are not there.
    const route = routePath(context).replace(/:(\w+)/g, '{$1}')
    if (report && !route.endsWith('/*')) report.route ??= route
    context.res.headers.set(headerNames.requestId, context.get('requestId'))
    context.res.headers.set('x-content-type-options', 'nosniff')
  })
  const contentTypeOf = (context: Context<Env>) => context.req.header('content-type')
  app.use((context, next) => {
    const limit = bodyLimit(context.req.path, contentTypeOf(context))
    if (Number(context.req.header('content-length')) > limit) throw new BodyRefused('PAYLOAD_TOO_LARGE')
    return next()
  })
  /**
   * Reads the body before the caller is known. Procedures of a tenant read it after the access
   * check.
   */
  const buffered: MiddlewareHandler<Env> = async (context, next) => {
    context.req.raw = await bufferBody(context.req.raw)
    await next()
  }

  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    const { isDatabaseReachable, faults } = await deps.health.check()
    return isDatabaseReachable ? context.json({ status: 'ready', faults }) : unavailable(context)
  })
  app.route(apiBase, documentation())
  for (const page of Object.values(apiPages)) app.use(`${page}/*`, buffered)
  if (deps.storeClock && settle) app.route(`${apiPages.sandbox}/clock`, createClockPage(deps.storeClock, settle))
  app.route(apiPages.sandbox, deps.sandbox.pages)
  app.route(apiPages.portone, deps.paymentPages)
  app.route(
    apiPages.invitation,
    createInvitationPage<RequestEnv>({
      call: (request, code, env) => answerCustomer(request, code, requestIdOf(request.headers), env),
      storeOf: (request, env) => {
        const { hostname } = new URL(originOf(request, deps.publicUrl, env, deps.trustedProxies))
        return findCustomerCodeByHost(deps.pool, plainHost(hostname))
      },
    }),
  )
  const { asOwner } = deps
  if (asOwner) app.route(apiPages.setUp, createFirstStorePage({ ...deps, asOwner }))
  if (deps.mailbox) app.route(apiPages.mailbox, createMailbox(deps, mailTemplates))
  app.post(`${apiBase}/customers/:code/webhooks/:provider`, buffered, (context) =>
    answerWebhook(deps, context.req.raw, context.req.param(), context.get('requestId'), settleCharge),
  )
  for (const path of ['uploads', 'uploads/:id'])
    app.all(`${apiBase}/customers/:code/${path}`, (context) =>
      answerUpload(context.req.raw, context.req.param('code') ?? '', context.get('requestId'), context.env),
    )
  app.all(`${apiBase}/customers/:code/*`, (context) => {
    if (!isJson(context.req.raw) && !acceptsFile(context.req.path, contentTypeOf(context)))
      return problem(context, 'UNSUPPORTED_MEDIA_TYPE')
    return answerCustomer(context.req.raw, context.req.param('code'), context.get('requestId'), context.env)
  })
  for (const path of [...installationPaths, '/*'])
    app.all(apiBase + path, buffered, (context) => answerInstallation(context.req.raw, context.get('requestId')))
  app.notFound((context) => problem(context, 'NOT_FOUND'))
  app.onError((error, context) => {
    if (error instanceof BodyRefused) return problem(context, error.code)
    if (isDatabaseUnavailable(error)) return unavailable(context)
    // The client disconnected. This is no failure of the service.
    if (!context.req.raw.signal.aborted)
      deps.log.error({ err: error, requestId: context.get('requestId') }, 'A request failed')
    return problem(context, 'SERVER_ERROR')
  })

  return {
    fetch: async (request, connection = { address: null }) =>
      app.fetch(request, { ...connection, scope: createRequestScope(deps) }),
    forRequest: () => {
      const env: RequestEnv = { address: null, scope: createRequestScope(deps, { isPage: true }) }
      return Object.assign(async (request: Request) => app.fetch(request, env), {
        read: (call: DirectCall) => read(call, env),
      })
    },
  }
}
