import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { delimiter, join } from 'node:path'
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

interface Platform {
  /** Why the platform cannot run here, in a sentence; null where it can. */
  missing: string | null
  run: (target: FunctionTarget, host: string) => Promise<Running>
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

/** Allows npm to download the programs of platforms that the machine lacks, 100 MB each. */
const mayDownload = process.env.MARQUEE_E2E_DOWNLOAD === 'true'

const isInstalled = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

/** Runs a program of this machine, else of the npm registry. */
const program = (name: string, version: string, args: string[]): Platform => ({
  missing:
    isInstalled(name) || mayDownload
      ? null
      : `The target ${name} is not tried: ${name} is not installed. MARQUEE_E2E_DOWNLOAD=true downloads it.`,
  run: async (target, host) => {
    const port = await freePort()
    const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1' }
    const command = [name, ...args, built(target, 'server/index.mjs')]
    const npm = ['npm', 'exec', '--yes', '--ignore-scripts=false', `--package=${name}@${version}`, '--']
    const [file = name, ...rest] = isInstalled(name) ? command : [...npm, ...command]
    const child = spawn(file, rest, { env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
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
  },
})

type FetchHandler = (request: Request, context: object) => Promise<Response>

/** A platform that calls a function with the request of the web. */
const invoke = (handlerOf: (target: FunctionTarget) => Promise<FetchHandler>): Platform => ({
  missing: null,
  run: async (target, host) => {
    const handler = await handlerOf(target)
    const origin = `https://${host}`
    return {
      origin,
      send: async ({ path, ...init }: Sent) => {
        const response = await handler(new Request(origin + path, init), {})
        const body = new Uint8Array(await response.arrayBuffer())
        return { status: response.status, headers: response.headers, body }
      },
      [Symbol.asyncDispose]: async () => {},
    }
  },
})

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
          version: '2.0',
          rawPath,
          rawQueryString,
          headers: { host, ...headers },
          body,
          isBase64Encoded: false,
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
  deno: program('deno', '2.9.6', ['run', '--allow-net', '--allow-env', '--allow-read']),
  bun: program('bun', '1.4.5', []),
  'aws-lambda': { missing: null, run: lambda },
  vercel,
  netlify,
} satisfies Partial<Record<FunctionTarget, Platform>>
