import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { Upload } from 'tus-js-client'
import { afterAll } from 'vitest'
import { createApi } from '#api/app.ts'
import { readConfig } from '#api/config.ts'
import type { Deps } from '#api/deps.ts'
import { customerBase } from '#contract/http.ts'
import { problem } from '#contract/problem.ts'
import { createAdmission, createLoadGauge } from '#server/admission.ts'
import { createRequestHandler } from '#server/handle-request.ts'
import { type Listening, listen } from '#server/listen.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

const defaults = readConfig({})

interface Sending {
  token: string
  metadata?: Record<string, string>
  port?: number
  chunkSize?: number
  onProgress?: (sent: number) => void
}

/** An upload's metadata as the protocol writes it. */
export const uploadMetadata = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

export const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/**
 * The API behind the store's server. `restart` stops it and starts it again on its port.
 */
export const openUploads = async (api: Pick<TestApi, 'deps'>, deps: Deps = api.deps) => {
  const serve = (port = 0) =>
    listen(
      createRequestHandler({
        deps,
        api: createApi(deps),
        media: async () => false,
        admission: createAdmission(createLoadGauge(deps.pool), defaults.overload),
        storefront: {
          fetch: async () => new Response(null, { status: 404 }),
          files: async () => false,
          sharedDocumentKey: () => undefined,
          routeOf: () => undefined,
          logTo: () => {},
          [Symbol.asyncDispose]: async () => {},
        },
      }),
      { host: '127.0.0.1', port },
    )
  let server: Listening = await serve()
  afterAll(() => server[Symbol.asyncDispose]())
  const base = (tenant: Tenant, port = server.port) => `http://127.0.0.1:${port}${customerBase(tenant.code)}`

  return {
    base,
    get port() {
      return server.port
    },
    restart: async () => {
      const { port } = server
      await server[Symbol.asyncDispose]()
      server = await serve(port)
    },
    /** Sends a file as a tus client does; answers the upload's address and its job. */
    send: (tenant: Tenant, file: Buffer, { token, metadata = {}, port, chunkSize, onProgress }: Sending) =>
      new Promise<{ url: string; id: string; job: string | null }>((resolve, reject) => {
        let job: string | null = null
        const upload = new Upload(file, {
          endpoint: `${base(tenant, port)}/uploads`,
          headers: { authorization: `Bearer ${token}` },
          metadata,
          retryDelays: [50, 200, 500, 1000, 2000],
          ...(chunkSize !== undefined && { chunkSize }),
          onAfterResponse: (_request, response) => {
            job = response.getHeader('x-video-job') ?? job
          },
          onProgress: (sent) => onProgress?.(sent),
          onError: reject,
          onSuccess: () => resolve({ url: upload.url ?? '', id: upload.url?.split('/').at(-1) ?? '', job }),
        })
        upload.start()
      }),
    /** One request of the protocol. */
    request: async (tenant: Tenant, method: string, path: string, headers: Record<string, string>, body?: string) => {
      const tus: Record<string, string> = { 'tus-resumable': '1.0.0', ...headers }
      const response = await fetch(`${base(tenant)}${path}`, { method, headers: tus, ...(body && { body }) })
      const text = await response.text()
      return {
        status: response.status,
        problem: text ? problem.parse(JSON.parse(text)) : null,
        headers: response.headers,
      }
    },
    /**
     * A request whose body the test sends piece by piece; `received` is the answer so far, `closed`
     * whether the connection has ended.
     */
    begin: (tenant: Tenant, method: string, path: string, headers: Record<string, string>) =>
      beginAt(method, customerBase(tenant.code) + path, headers),
    /** The same at any address of the server. */
    at: (method: string, path: string, headers: Record<string, string>) => beginAt(method, path, headers),
  }

  function beginAt(method: string, path: string, headers: Record<string, string>) {
    const socket = connect(server.port, '127.0.0.1')
    let received = ''
    socket
      .on('error', () => undefined)
      .on('data', (part) => {
        received += part
      })
    const lines = Object.entries({ host: `127.0.0.1:${server.port}`, 'tus-resumable': '1.0.0', ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n`)
    return {
      write: (part: string | Buffer) => socket.write(part),
      received: () => received,
      closed: () => socket.closed,
      [Symbol.dispose]: () => void socket.destroy(),
    }
  }
}

/** A proxy to a port that breaks the connection after so many bytes from the client, once. */
export const breakingProxy = async (port: number, bytes: number) => {
  let broken = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let passed = 0
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined))
    client.on('data', (part) => {
      passed += part.length
      upstream.write(part)
      if (broken || passed < bytes) return
      broken = true
      // Bytes passed so far arrive; later ones do not.
      setTimeout(() => {
        client.resetAndDestroy()
        upstream.resetAndDestroy()
      }, 20)
    })
    upstream.on('data', (part) => client.write(part))
    upstream.on('close', () => client.end())
    client.on('close', () => upstream.end())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    port: (server.address() as AddressInfo).port,
    wasBroken: () => broken,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
