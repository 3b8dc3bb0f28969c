import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartupError } from '#api/startup-error.ts'
import { takesUploads } from '#contract/request-body.ts'

export interface Listening extends AsyncDisposable {
  port: number
}

/** Connections the system holds until they are taken: a burst of them is not turned away. Linux allows `net.core.somaxconn` at most. */
const backlog = 4_096

/** How long requests under way may take to end once the server closes. */
const patience = 5000

/** A body is here within half a minute; of an upload, half a minute passes without a part of it at most. */
const bodyTimeout = 30_000

/** Whoever was answered before the end of their body has so long to read the answer; their body is not waited for. */
const lingering = 2_000

const limitBody = (request: IncomingMessage, response: ServerResponse) => {
  if (request.complete || request.method === 'GET' || request.method === 'HEAD') return
  const { socket } = request
  const mayGoOn = takesUploads((request.url ?? '').split('?', 1)[0] ?? '')
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

/** Serves on an address; a port that is taken is one clear sentence. */
export const listen = async (
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listening> => {
  const patient: RequestListener = (request, response) => {
    limitBody(request, response)
    return handler(request, response)
  }
  // Bodies have a time limit of their own: a large file on a slow line takes hours.
  const server = createServer({ requestTimeout: 0, headersTimeout: 15_000, keepAliveTimeout: 10_000 }, patient)
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
