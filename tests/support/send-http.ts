import { Agent, type IncomingMessage, request as sendPlain } from 'node:http'
import { Agent as SecureAgent, request as sendSecure } from 'node:https'
import { buffer } from 'node:stream/consumers'

interface Destination {
  port: number
  /** The host that the store is asked as. */
  host: string
  /** The certificate of the authority; with it the connection is encrypted. */
  ca?: Buffer
}

const bodiless = new Set([204, 304])

const closedConnection = new Set(['ECONNRESET', 'EPIPE'])

/**
 * Returns a `fetch` that sends requests to a port of this machine over connections that stay open,
 * as a browser does, and follows no redirect. As a browser does, it sends a request again if its
 * connection was open from before and is closed without an answer: the server may have closed it
 * just when the request was on its way.
 *
 * @throws Error where the connection fails, or no answer comes within 20 seconds
 */
export const sendTo = ({ port, host, ca }: Destination) => {
  const agent = ca ? new SecureAgent({ keepAlive: true, ca, servername: host }) : new Agent({ keepAlive: true })
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const headers = {
      ...Object.fromEntries(request.headers),
      host,
      ...(body && { 'content-length': String(body.length) }),
    }
    const options = { host: '127.0.0.1', port, path: pathname + search, method: request.method, headers, agent }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const attempt = () => {
        const call = ca ? sendSecure(options) : sendPlain(options)
        call.setTimeout(20_000, () => call.destroy(new Error('no answer within 20 s')))
        call.once('error', (error: NodeJS.ErrnoException) => {
          if (call.reusedSocket && closedConnection.has(error.code ?? '')) attempt()
          else reject(error)
        })
        call.once('response', resolve).end(body)
      }
      attempt()
    })
    const content = new Uint8Array(await buffer(answer))
    const status = answer.statusCode ?? 0
    return new Response(bodiless.has(status) ? null : content, {
      status,
      headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    })
  }
}
