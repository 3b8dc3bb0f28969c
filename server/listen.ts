import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, BlockList, isIP, type Socket } from 'node:net'
import { type Config, readConfig } from '#api/config.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import { StartupError } from '#api/platform/log.ts'
import { takesUploads } from '#contract/request-body.ts'
import { pathOf } from '#contract/request-url.ts'

export interface Listening extends AsyncDisposable {
  port: number
}

/** Connections the system holds until they are taken: a burst of them is not turned away. Linux allows `net.core.somaxconn` at most. */
const backlog = 4_096

/** How long requests under way may take to end once the server closes. */
const patience = 5000

/** Whoever was answered before the end of their body has so long to read the answer; their body is not waited for. */
const lingering = 2_000

/** A body is here within this time; of an upload, so much time passes without a part of it at most. */
const limitBody = (request: IncomingMessage, response: ServerResponse, bodyTimeout: number) => {
  if (request.complete || request.method === 'GET' || request.method === 'HEAD') return
  const { socket } = request
  const mayGoOn = takesUploads(pathOf(request.url))
  let received = socket.bytesRead
  const timer = setInterval(() => {
    if (!mayGoOn || socket.bytesRead === received) socket.destroy()
    received = socket.bytesRead
  }, bodyTimeout)
  let answered: NodeJS.Timeout | undefined
  const done = () => {
    clearInterval(timer)
    clearTimeout(answered)
  }
  request.once('end', done).once('close', done)
  response.once('finish', () => {
    // Closed at once, the answer might be lost together with what is still on its way here.
    if (!request.complete) answered = setTimeout(() => socket.destroy(), lingering)
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Closes connections of a network that has as many as it may; a proxy's stand for many visitors, and count for nobody. */
const createConnectionCap = (most: number, isCounted: (address: string) => boolean) => {
  const open = new Map<string, number>()
  return (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || !isCounted(address)) return
    const network = networkOf(address.replace(/^::ffff:(?=\d+\.)/i, ''))
    const count = (open.get(network) ?? 0) + 1
    if (count > most) return void socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  }
}

/**
 * Ends a connection on which nothing has moved for the write time-out: its reader takes nothing of the answer, or nothing is being
 * answered at all. An answer that is still in the making is waited for.
 */
const endStalled = (socket: Socket, answering: WeakMap<Socket, ServerResponse>) => {
  const response = answering.get(socket)
  const inTheMaking = response !== undefined && !response.writableEnded && socket.writableLength === 0
  if (!inTheMaking) socket.destroy()
}

/** The machine itself is no stranger: whoever connects from it is a proxy or the operator. */
export const isRemoteClient =
  (trustedProxies: ReadonlySet<string>) =>
  (address: string): boolean => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return !trustedProxies.has(plain) && !loopback.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }

interface ListenOptions {
  host: string
  port: number
  connections?: Config['connections']
  /** Whether connections from an address count for it. */
  isCounted?: (address: string) => boolean
}

/** Serves on an address; a port that is taken is one clear sentence. */
export const listen = async (
  handler: RequestListener,
  { host, port, connections = readConfig({}).connections, isCounted = isRemoteClient(new Set()) }: ListenOptions,
): Promise<Listening> => {
  const { most, mostPerAddress, headersTimeout, bodyTimeout, writeTimeout, keepAliveTimeout } = connections
  const answering = new WeakMap<Socket, ServerResponse>()
  const patient: RequestListener = (request, response) => {
    limitBody(request, response, bodyTimeout)
    answering.set(request.socket, response)
    return handler(request, response)
  }
  // Bodies have a time limit of their own: a large file on a slow line takes hours.
  const options = { requestTimeout: 0, headersTimeout, keepAliveTimeout }
  const connectionsCheckingInterval = Math.min(5_000, headersTimeout)
  const server = createServer({ ...options, connectionsCheckingInterval }, patient)
  server.maxConnections = most
  server.prependListener('connection', createConnectionCap(mostPerAddress, isCounted))
  server.setTimeout(writeTimeout, (socket) => endStalled(socket, answering))
  await new Promise<void>((listening, fail) => {
    server.once('listening', listening)
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is in use: stop what runs there, or choose another, for example PORT=${port + 1}.`,
        EACCES: `Port ${port} may not be opened by this user: choose one from 1024, for example PORT=3000.`,
        EADDRNOTAVAIL: `The address ${host} does not belong to this machine: set HOST, for example HOST=127.0.0.1.`,
      }
      fail(
        new StartupError(
          sentence[error.code ?? ''] ?? `The server cannot listen on ${host}:${port}: ${error.message}.`,
        ),
      )
    })
    server.listen({ port, host, backlog })
  })
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), patience).unref()
      }),
  }
}

/** Says at once that a port is taken, before a long beginning is spent on it. */
export const requireFreePort = async (address: { host: string; port: number }) => {
  await using _probe = await listen((_, response) => response.end(), address)
}
