import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/**
 * HANG: never answers. FAIL: answers 500 and does nothing. CUT: executes the request and closes the
 * connection without an answer.
 */
export type Fault = 'HANG' | 'FAIL' | 'CUT'

export interface ProviderAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface ProviderRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

interface Planned {
  path: RegExp
  fault: Fault
  times: number
}

const readBody = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * A local server that replaces a provider, with the faults a provider may have. Closed after the
 * file's last test.
 */
export const openProviderServer = async (answer: (request: ProviderRequest) => ProviderAnswer) => {
  const planned: Planned[] = []
  const seen: ProviderRequest[] = []
  const faultOf = (request: ProviderRequest) => {
    const plan = planned.find(({ path, times }) => times > 0 && path.test(`${request.method} ${request.path}`))
    if (plan) plan.times--
    return plan?.fault
  }

  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url ?? '/', 'http://provider.test')
    const request: ProviderRequest = {
      method: incoming.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: await readBody(incoming),
    }
    seen.push(request)
    const fault = faultOf(request)
    if (fault === 'HANG') return
    const { status, body, headers } =
      fault === 'FAIL'
        ? { status: 500, body: { error: { type: 'api_error', message: 'Fault' } }, headers: {} }
        : answer(request)
    if (fault === 'CUT') return response.destroy()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    /** The requests received, the oldest first. */
    seen,
    /** Plans a fault for the next matching requests, such as `POST /v1/refunds`. */
    plan: (path: RegExp, fault: Fault, times = 1) => planned.push({ path, fault, times }),
  }
}
