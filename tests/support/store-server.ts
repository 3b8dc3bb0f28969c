import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import { afterAll } from 'vitest'
import type { PageApi } from '#api/app.ts'
import { readConfig } from '#api/config.ts'
import { routeOf } from '#api/platform/http/request-facts.ts'
import { customerBase } from '#contract/http.ts'
import { createAdmission } from '#server/admission.ts'
import { buildWhatIsStale } from '#server/build.ts'
import { createRequestHandler } from '#server/handle-request.ts'
import { listen } from '#server/listen.ts'
import { loadStorefront } from '#server/storefront.ts'
import type { TestApi } from './test-api.ts'

/** The user agent of a usual browser. */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

interface RequestOptions {
  method?: string
  headers?: Record<string, string>
}

/**
 * The whole store behind its HTTP server: the built pages over the test's API. Paths are sent as
 * they are written, without normalization by a client.
 */
export const openStoreServer = async (
  api: TestApi,
  host: string,
  /** Looks at each API request of the pages first, and may throw instead of answering. */
  { answer }: { answer?: (request: Request) => void } = {},
) => {
  await buildWhatIsStale()
  const storefront = await loadStorefront('dist')
  storefront.logTo((level, facts, message) => api.deps.log[level](facts, message))
  // No request is refused for load, however busy the machine that runs the tests is.
  const idle = { eventLoopDelay: () => 0, waitingForDatabase: () => 0 }
  const admission = createAdmission(idle, readConfig({}).overload)
  const handler = createRequestHandler({
    deps: api.deps,
    api: { ...api, ...observed(api, answer) },
    storefront,
    admission,
    media: async () => false,
  })
  const server = await listen(handler, { host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true })
  afterAll(async () => {
    agent.destroy()
    await server[Symbol.asyncDispose]()
  })

  const request = (path: string, { method = 'GET', headers = {} }: RequestOptions = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const outgoing = send(
        {
          host: '127.0.0.1',
          port: server.port,
          path,
          method,
          agent,
          headers: { host, accept: 'text/html', 'user-agent': browser, ...headers },
        },
        async (response) => {
          let body = ''
          for await (const part of response.setEncoding('utf8')) body += part
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        },
      )
      outgoing.once('error', reject)
      outgoing.end()
    })

  /** The page at a path, after the store's redirects. */
  const visit = async (path: string, options: RequestOptions = {}): Promise<Answer & { path: string }> => {
    let at = path
    for (let step = 0; step < 5; step++) {
      const answer = await request(at, options)
      const { location } = answer.headers
      if (answer.status < 300 || answer.status > 399 || location === undefined) return { ...answer, path: at }
      const next = new URL(location, `http://${host}${at.startsWith('/') ? '' : '/'}`)
      if (next.host !== host) throw new Error(`${path} redirects to another host: ${location}`)
      at = next.pathname + next.search
    }
    throw new Error(`${path} is redirected again and again, at last to ${at}`)
  }
  return { request, visit }
}

/** The same call over HTTP. */
const requestOf = ({ customerCode, path, input, origin, headers }: Parameters<PageApi['read']>[0]) => {
  const address = routeOf(path)?.path.replace(/\{(\w+)\}/g, (_, name) => String(Object(input)[name]))
  return new Request(`${origin}${customerBase(customerCode)}${address}`, { headers })
}

const observed = (
  { fetch, forRequest }: TestApi,
  look: (request: Request) => void = () => {},
): Pick<TestApi, 'fetch' | 'forRequest'> => ({
  fetch: async (request, connection) => {
    look(request)
    return fetch(request, connection)
  },
  forRequest: () => {
    const page = forRequest()
    const answer = async (request: Request) => {
      look(request)
      return page(request)
    }
    const read: PageApi['read'] = (call) => {
      look(requestOf(call))
      return page.read(call)
    }
    return Object.assign(answer, { read })
  },
})
