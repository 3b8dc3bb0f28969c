import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Deps } from '#api/deps.ts'
import { apiBase, headers as headerNames } from '#contract/index.ts'
import { largestInquiryFile } from '#contract/inquiries.ts'
import { createClockPage } from './clock/clock-page.ts'
import { type CallEnv, createCustomerHandler } from './customer-handler.ts'
import { documentation } from './documentation.ts'
import { createInstallationHandler } from './installation.ts'
import { createMailbox } from './mailbox/mailbox.ts'
import { problemResponse } from './problem.ts'
import { type Connection, requestIdOf } from './request-facts.ts'
import { createSitting } from './sitting.ts'
import { createUploads, takesUploads } from './uploads.ts'
import { answerWebhook } from './webhooks.ts'

const largestBody = 256 * 1024
/** One file of an inquiry, and the words of the form around it. */
const largestUpload = largestInquiryFile + 64 * 1024
const upload = new RegExp(`^${apiBase}/customers/[^/]+/inquiries/files$`)

interface Env {
  Bindings: CallEnv
  Variables: { requestId: string }
}

export interface Api {
  /** Answers a request; `connection` names the peer's address, and is left out by callers within this process. */
  fetch: (request: Request, connection?: Connection) => Promise<Response>
  /** `fetch` for the calls that one request of a browser makes within this process: they share what they look up. */
  sit: () => (request: Request) => Promise<Response>
}

/** Over HTTP, a body of nothing is a stream all the same. */
const isEmpty = ({ body, headers }: Request) => body === null || headers.get('content-length') === '0'

/** Whether a body is said to be JSON; a call without a body need not say anything. */
const isJson = (request: Request) =>
  isEmpty(request) || /^application\/(?:[\w.+-]+\+)?json\b/i.test(request.headers.get('content-type') ?? '')

const isForm = (request: Request) => /^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')

export interface ApiOptions {
  /** Does what has come due, after the store's time was moved; without it there is no page that moves it. */
  settle?: () => Promise<void>
}

/** The whole HTTP surface of the API, as one `fetch`. */
export const createApi = (deps: Deps, { settle }: ApiOptions = {}): Api => {
  const app = new Hono<Env>()
  const answerCustomer = createCustomerHandler(deps)
  const answerUpload = createUploads(deps)
  const answerInstallation = createInstallationHandler(deps)

  app.use(async (context, next) => {
    context.set('requestId', requestIdOf(context.req.raw.headers))
    await next()
    context.res.headers.set(headerNames.requestId, context.get('requestId'))
    context.res.headers.set('x-content-type-options', 'nosniff')
  })
  const limitedTo = (maxSize: number) =>
    bodyLimit({ maxSize, onError: (context) => problemResponse('PAYLOAD_TOO_LARGE', context.get('requestId')) })
  const [ordinary, large] = [limitedTo(largestBody), limitedTo(largestUpload)]
  app.use((context, next) => {
    // Parts of a video have a limit of their own, and are never gathered in memory.
    if (takesUploads(context.req.path)) return next()
    return (upload.test(context.req.path) ? large : ordinary)(context, next)
  })

  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    const ready = await deps.pool.query('SELECT 1').then(
      () => true,
      () => false,
    )
    return ready ? context.json({ status: 'ready' }) : problemResponse('UNAVAILABLE', context.get('requestId'))
  })
  app.route(apiBase, documentation())
  if (deps.storeClock && settle) app.route('/sandbox/clock', createClockPage(deps.storeClock, settle))
  app.route('/sandbox', deps.sandbox.pages)
  app.route('/pay/portone', deps.paymentPages)
  if (deps.mailbox) app.route('/mailbox', createMailbox(deps))
  app.post(`${apiBase}/customers/:code/webhooks/:provider`, (context) =>
    answerWebhook(deps, context.req.raw, context.req.param(), context.get('requestId')),
  )
  for (const path of ['uploads', 'uploads/:id'])
    app.all(`${apiBase}/customers/:code/${path}`, (context) =>
      answerUpload(context.req.raw, context.req.param('code') ?? '', context.get('requestId')),
    )
  app.all(`${apiBase}/customers/:code/*`, (context) => {
    const requestId = context.get('requestId')
    if (!isJson(context.req.raw) && !(upload.test(context.req.path) && isForm(context.req.raw)))
      return problemResponse('UNSUPPORTED_MEDIA_TYPE', requestId)
    return answerCustomer(context.req.raw, context.req.param('code'), requestId, context.env)
  })
  app.all(`${apiBase}/*`, (context) => answerInstallation(context.req.raw, context.get('requestId')))
  app.notFound((context) => problemResponse('NOT_FOUND', context.get('requestId')))
  app.onError((error, context) => {
    // Whoever left in the middle of their own request is no failure of ours.
    if (!context.req.raw.signal.aborted)
      deps.log.error({ err: error, requestId: context.get('requestId') }, 'A request failed')
    return problemResponse('SERVER_ERROR', context.get('requestId'))
  })

  return {
    fetch: async (request, connection = { address: null }) =>
      app.fetch(request, { ...connection, sitting: createSitting(deps) }),
    sit: () => {
      const env: CallEnv = { address: null, sitting: createSitting(deps) }
      return async (request) => app.fetch(request, env)
    },
  }
}
