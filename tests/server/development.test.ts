import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { processEnvironment } from '#tests/support/command.ts'
import { freePortPair } from '#tests/support/free-port.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

/** Files that the development server reads; the test edits a copy. */
const sources = ['app', 'api', 'contract', 'server', 'public', 'scripts', 'package.json', 'tsconfig.json']
const configurations = ['app.config.ts', 'lingui.config.ts']
const program = `
  import { readConfig } from '#api/config.ts'
  import { openDevServer } from '#server/dev-server.ts'
  import { listen } from '#server/listen.ts'
  const config = readConfig(process.env)
  const { openStorefront, openBackend } = await openDevServer(config)
  const [databaseUrl, secret] = [process.env.DATABASE_URL, config.secret]
  const backend = await openBackend({ config, databaseUrl, secret, storefront: await openStorefront() })
  await listen(backend.handler, config)
  console.log('ready')`

const api = createTestApi()
let folder: string
let port: number
let child: ChildProcess
const path = (file: string) => join(folder, file)

beforeAll(async () => {
  const { code } = await createTenant(api)
  folder = await mkdtemp(join(tmpdir(), 'marquee-development-'))
  await Promise.all([...sources, ...configurations].map((name) => cp(name, path(name), { recursive: true })))
  await symlink(resolve('node_modules'), path('node_modules'))
  // Vite’s socket takes the next port.
  port = await freePortPair()
  child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    env: {
      ...processEnvironment(),
      NODE_ENV: 'development',
      PORT: String(port),
      LOG_LEVEL: 'silent',
      WORKER_MODE: 'external',
      MARQUEE_DATA: path('data'),
      MARQUEE_SECRET: api.deps.secret,
      DEFAULT_CUSTOMER_CODE: code,
      DATABASE_URL: inject('database').url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((listening, failed) => {
    child.once('exit', () => failed(new Error(`The server ended:\n${output}`)))
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (part) => {
        output += part
        // Vite prints lines of its own before, for example that it prepares dependencies.
        if (/^ready$/m.test(output)) listening()
      })
  })
}, 120_000)
afterAll(async () => {
  if (child.kill()) await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
})

const page = async (at = '/') => {
  const response = await fetch(`http://127.0.0.1:${port}${at}`, { headers: { accept: 'text/html' } })
  return { status: response.status, body: await response.text() }
}
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

/** Changes a file while `meanwhile` runs. */
const edited = async (file: string, from: string, to: string, meanwhile: () => Promise<unknown>) => {
  const before = await readFile(path(file), 'utf8')
  expect(before).toContain(from)
  await writeFile(path(file), before.replace(from, to))
  try {
    await meanwhile()
  } finally {
    await writeFile(path(file), before)
  }
}

test('the development server shows errors of files in Vite’s overlay, recovers after the fix, and reloads the API alone', async () => {
  const messages: string[] = []
  const socket = new WebSocket(`ws://127.0.0.1:${port + 1}/`, 'vite-hmr')
  socket.addEventListener('message', ({ data }) => messages.push(String(data)))
  await once(socket, 'open')

  const isOverlayOf = (file: string) => async () => {
    const { status, body } = await page()
    expect([status, body]).toEqual([500, expect.stringContaining(`import { ErrorOverlay } from '/@vite/client'`)])
    expect(body).toContain(file)
  }
  await edited('app/router.tsx', 'export ', 'const broken = {\nexport ', () => eventually(isOverlayOf('router.tsx')))
  await eventually(() => expect(messages.join()).toContain('"full-reload"'))
  const whole = await page()
  expect([whole.status, whole.body]).toEqual([200, expect.stringContaining('<main')])

  const answers = (text: string) => async () => expect((await page('/healthz')).body).toContain(text)
  const { pid } = child
  await edited('api/app.ts', `status: 'ok'`, `status: 'edited'`, () => eventually(answers('edited')))
  await eventually(answers('"ok"'))
  await edited('api/app.ts', `status: 'ok'`, `status: 'ok' }}`, () => eventually(isOverlayOf('app.ts')))
  await eventually(answers('"ok"'))
  expect([child.pid, child.exitCode]).toEqual([pid, null])
  socket.close()
}, 240_000)
