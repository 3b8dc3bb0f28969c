import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { FunctionTarget } from '../../scripts/targets.ts'
import { freePort } from '../support/free-port.ts'

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Received {
  status: number
  headers: Headers
  body: Uint8Array
}

/** A platform that runs the storefront: it answers the requests of one host. */
export interface Running extends AsyncDisposable {
  origin: string
  send: (request: Sent) => Promise<Received>
}

const built = (target: FunctionTarget, file: string) => join(import.meta.dirname, '../../.output', target, file)
const load = async (target: FunctionTarget, file: string) => import(pathToFileURL(built(target, file)).href)

/** Sends to a port of this machine under a store’s host, which the system does not know. */
const sendTo =
  (port: number, host: string) =>
  async ({ method, path, headers, body }: Sent) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const call = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, resolve)
    call.on('error', reject).end(body)
    const answer = await promise
    const given = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    return { status: answer.statusCode ?? 0, headers: new Headers(given), body: Buffer.concat(await answer.toArray()) }
  }

const listening = (child: ChildProcess, port: number) => async (): Promise<boolean> => {
  if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}`)
  return await sendTo(
    port,
    'none',
  )({ method: 'GET', path: '/favicon.svg', headers: {} }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Runs a program of the npm registry, which npm downloads once for the machine. */
const runProgram = (name: string, args: (file: string) => string[]) => async (target: FunctionTarget, host: string) => {
  const port = await freePort()
  const file = built(target, 'server/index.mjs')
  const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1' }
  const npm = ['exec', '--yes', '--ignore-scripts=false', `--package=${name}`, '--', ...args(file)]
  const child = spawn('npm', npm, { env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  const isListening = listening(child, port)
  while (!(await isListening())) await delay(50)
  return {
    origin: `http://${host}:${port}`,
    send: sendTo(port, `${host}:${port}`),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      // npm and the program.
      if (child.pid) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}

type FetchHandler = (request: Request, context: object) => Promise<Response>

/** A platform that calls a function with the request of the web. */
const invoke =
  (handlerOf: (target: FunctionTarget) => Promise<FetchHandler>) => async (target: FunctionTarget, host: string) => {
    const handler = await handlerOf(target)
    const origin = `https://${host}`
    return {
      origin,
      send: async ({ path, ...init }: Sent) => {
        const response = await handler(new Request(origin + path, init), {})
        return {
          status: response.status,
          headers: response.headers,
          body: new Uint8Array(await response.arrayBuffer()),
        }
      },
      [Symbol.asyncDispose]: async () => {},
    }
  }

const vercel = invoke(
  async (target) => (await load(target, '.vercel/output/functions/__server.func/index.mjs')).default.fetch,
)
const netlify = invoke(async (target) => (await load(target, '.netlify/functions-internal/server/main.mjs')).default)

/** An event of version 2.0, as function URLs and HTTP APIs send it. */
const lambda = async (target: FunctionTarget, host: string): Promise<Running> => {
  const { handler } = await load(target, 'server/index.mjs')
  return {
    origin: `https://${host}`,
    send: async ({ method, path, headers: { cookie, ...headers }, body }) => {
      const [rawPath, rawQueryString = ''] = path.split('?')
      const answer = await handler(
        {
          ...{ version: '2.0', rawPath, rawQueryString, headers: { host, ...headers }, body, isBase64Encoded: false },
          cookies: cookie?.split('; ') ?? [],
          requestContext: { http: { method, path: rawPath, sourceIp: '192.0.2.7' } },
        },
        {},
      )
      const received = new Headers(answer.headers)
      for (const one of answer.cookies ?? []) received.append('set-cookie', one)
      const bytes = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8')
      return { status: answer.statusCode, headers: received, body: bytes }
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

/** How each platform runs here: its own program, or its handler invoked as the platform does. */
export const platforms = {
  deno: runProgram('deno@2.9.6', (file) => ['deno', 'run', '--allow-net', '--allow-env', '--allow-read', file]),
  bun: runProgram('bun@1.4.5', (file) => ['bun', file]),
  'aws-lambda': lambda,
  vercel,
  netlify,
} satisfies Partial<Record<FunctionTarget, (target: FunctionTarget, host: string) => Promise<Running>>>
