import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { BlockList, isIP, Server as NetServer, type Socket } from 'node:net'
import { type Config, readConfig } from '#api/config.ts'
import { unmapAddress } from '#api/platform/http/request-facts.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import { acceptsUploads } from '#contract/request-body.ts'
import { pathOf } from '#contract/request-url.ts'
import { openPort } from './open-port.ts'

export interface Listening extends AsyncDisposable {
  port: number
}

/**
 * Connections that wait to be accepted, so that a burst is not refused. Linux caps it at
 * `net.core.somaxconn`.
 */
const backlog = 4_096

/** Milliseconds that running requests may take once the server closes. */
const closeTimeout = 5000

/**
 * Milliseconds that an idle connection stays open once the server closes. A request that comes
 * meanwhile is the connection's last: closing at once would lose a write that a proxy does not
 * repeat.
 */
const idleTimeout = 1000

/** Milliseconds to read a response that was sent before the end of the request's body. */
const unreadBodyTimeout = 2_000

/** The most that is read of the rest of such a body. */
const unreadBodyBytes = 64 * 1024 * 1024

/**
 * Ends a request whose body is not complete after `bodyTimeout`. An upload may take longer while it
 * makes progress.
 */
const limitBody = (request: IncomingMessage, response: ServerResponse, bodyTimeout: number) => {
  if (request.complete || request.method === 'GET' || request.method === 'HEAD') return
  const { socket } = request
  const isUpload = acceptsUploads(pathOf(request.url))
  let received = socket.bytesRead
  const timer = setInterval(() => {
    if (!isUpload || socket.bytesRead === received) socket.destroy()
    received = socket.bytesRead
  }, bodyTimeout)
  let answered: NodeJS.Timeout | undefined
  const done = () => {
    clearInterval(timer)
    clearTimeout(answered)
  }
  request.once('end', done).once('close', done)
  response.once('finish', () => {
    if (request.complete) return
    // Closing at once could lose the response together with the rest of the body.
    answered = setTimeout(() => socket.destroy(), unreadBodyTimeout)
    // Nobody needs the rest. A client that sends it all before it reads has to get rid of it.
    let left = unreadBodyBytes
    request.removeAllListeners('data').on('data', (part: Buffer) => {
      left -= part.byteLength
      if (left < 0) socket.destroy()
    })
    request.resume()
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Closes new connections of a network that has `max` already. Connections of a proxy do not count.
 */
const createConnectionCap = (max: number, isCounted: (address: string) => boolean) => {
  const open = new Map<string, number>()
  return (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || !isCounted(address)) return
    const network = networkOf(unmapAddress(address))
    const count = (open.get(network) ?? 0) + 1
    if (count > max) return void socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const remaining = (open.get(network) ?? 1) - 1
      if (remaining > 0) open.set(network, remaining)
      else open.delete(network)
    })
  }
}

/**
 * Ends a connection without progress for the write time-out: the client does not read, or sends no
 * request. A response that is still being made may take longer.
 */
const endStalled = (socket: Socket, answering: WeakMap<Socket, ServerResponse>) => {
  const response = answering.get(socket)
  const isBeingMade = response !== undefined && !response.writableEnded && socket.writableLength === 0
  if (!isBeingMade) socket.destroy()
}

/** Whether an address is neither a trusted proxy nor this machine. */
export const isRemoteClient =
  (trustedProxies: ReadonlySet<string>) =>
  (address: string): boolean => {
    const plain = unmapAddress(address)
    return !trustedProxies.has(plain) && !loopback.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }

interface ListenOptions {
  host: string
  port: number
  connections?: Config['connections']
  /** Whether the connections of an address are counted. */
  isCounted?: (address: string) => boolean
}

/**
 * Listens on an address. Closing waits five seconds for running requests.
 * @throws OperatorError if the port is in use, reserved or not of this machine
 */
export const listen = async (
  handler: RequestListener,
  { host, port, connections = readConfig({}).connections, isCounted = isRemoteClient(new Set()) }: ListenOptions,
): Promise<Listening> => {
  const open = new Set<ServerResponse>()
  let isClosing = false
  const { max, maxPerAddress, headersTimeout, bodyTimeout, writeTimeout, keepAliveTimeout } = connections
  const answering = new WeakMap<Socket, ServerResponse>()
  const limitedHandler: RequestListener = (request, response) => {
    limitBody(request, response, bodyTimeout)
    answering.set(request.socket, response)
    open.add(response)
    response.once('close', () => open.delete(response))
    if (isClosing) response.shouldKeepAlive = false
    return handler(request, response)
  }
  // Bodies have their own time limit: a large file on a slow connection takes hours.
  const options = { requestTimeout: 0, headersTimeout, keepAliveTimeout }
  const connectionsCheckingInterval = Math.min(5_000, headersTimeout)
  const server = createServer({ ...options, connectionsCheckingInterval }, limitedHandler)
  server.maxConnections = max
  server.prependListener('connection', createConnectionCap(maxPerAddress, isCounted))
  server.setTimeout(writeTimeout, (socket) => endStalled(socket, answering))
  await openPort(server, { port, host, backlog })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        isClosing = true
        for (const response of open) if (!response.headersSent) response.shouldKeepAlive = false
        // Unlike the method of HTTP, this one keeps idle connections, which may have a request on
        // its way.
        NetServer.prototype.close.call(server, () => {
          server.close()
          closed()
        })
        // Requests that came while the process was busy are read before, so none of them is lost.
        setTimeout(() => setImmediate(() => server.closeIdleConnections()), idleTimeout).unref()
        setTimeout(() => server.closeAllConnections(), closeTimeout).unref()
      }),
  }
}
