import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Deps } from '#api/deps.ts'
import { apiBase, headers as headerNames } from '#contract/index.ts'
import { createCustomerHandler } from './customer-handler.ts'
import { documentation } from './documentation.ts'
import { createInstallationHandler } from './installation.ts'
import { problemResponse } from './problem.ts'
import { type Connection, requestIdOf } from './request-facts.ts'
import { answerWebhook } from './webhooks.ts'

const largestBody = 256 * 1024

interface Env {
  Bindings: Connection
  Variables: { requestId: string }
}

export interface Api {
  /** Answers a request; `connection` names the peer's address, and is left out by callers within this process. */
  fetch: (request: Request, connection?: Connection) => Promise<Response>
}

/** Over HTTP, a body of nothing is a stream all the same. */
const isEmpty = ({ body, headers }: Request) => body === null || headers.get('content-length') === '0'

/** Whether a body is said to be JSON; a call without a body need not say anything. */
const isJson = (request: Request) =>
  isEmpty(request) || /^application\/(?:[\w.+-]+\+)?json\b/i.test(request.headers.get('content-type') ?? '')

/** The whole HTTP surface of the API, as one `fetch`. */
export const createApi = (deps: Deps): Api => {
  const app = new Hono<Env>()
  const answerCustomer = createCustomerHandler(deps)
  const answerInstallation = createInstallationHandler(deps)

  app.use(async (context, next) => {
    context.set('requestId', requestIdOf(context.req.raw.headers))
    await next()
    context.res.headers.set(headerNames.requestId, context.get('requestId'))
    context.res.headers.set('x-content-type-options', 'nosniff')
  })
  app.use(
    bodyLimit({
      maxSize: largestBody,
      onError: (context) => problemResponse('PAYLOAD_TOO_LARGE', context.get('requestId')),
    }),
  )

  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    const ready = await deps.pool.query('SELECT 1').then(
      () => true,
      () => false,
    )
    return ready ? context.json({ status: 'ready' }) : problemResponse('UNAVAILABLE', context.get('requestId'))
  })
  app.route(apiBase, documentation())
  app.route('/sandbox', deps.sandbox.pages)
  app.post(`${apiBase}/customers/:code/webhooks/:provider`, (context) =>
    answerWebhook(deps, context.req.raw, context.req.param(), context.get('requestId')),
  )
  app.all(`${apiBase}/customers/:code/*`, (context) => {
    const requestId = context.get('requestId')
    if (!isJson(context.req.raw)) return problemResponse('UNSUPPORTED_MEDIA_TYPE', requestId)
    return answerCustomer(context.req.raw, context.req.param('code'), requestId, context.env)
  })
  app.all(`${apiBase}/*`, (context) => answerInstallation(context.req.raw, context.get('requestId')))
  app.notFound((context) => problemResponse('NOT_FOUND', context.get('requestId')))
  app.onError((error, context) => {
    deps.log.error({ err: error, requestId: context.get('requestId') }, 'A request failed')
    return problemResponse('SERVER_ERROR', context.get('requestId'))
  })

  return { fetch: async (request, connection = { address: null }) => app.fetch(request, connection) }
}
