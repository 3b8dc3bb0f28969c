import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { requireFreePort } from '#server/listen.ts'
import { freePort } from '#tests/support/free-port.ts'

/** This process is a test, its children are not. */
const environment = { ...process.env, VITEST: '', LOG_LEVEL: 'info' }
const root = join(import.meta.dirname, '../..')
const folders: string[] = []
const left = new Set<number>()
afterEach(() => {
  // Only what a failed test has left behind.
  for (const pid of left) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  left.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const isAlive = (pid: number) => {
  // A process nobody has waited for yet is no longer at work.
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z'
  return !/\) Z/.test(stat)
}

/** A process and all that it started, from the kernel. */
const treeOf = (pid: number): number[] => {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []
  const children = tasks.flatMap((task) => {
    const file = `/proc/${pid}/task/${task}/children`
    return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
  })
  return [pid, ...children.flatMap(treeOf)]
}

/** Runs a script of the package as an operator's service manager does, until it says that it is ready. */
const run = async (script: string, ready: RegExp) => {
  const data = mkdtempSync(join(tmpdir(), 'marquee-signals-'))
  // The database may run as another user.
  chmodSync(data, 0o755)
  folders.push(data)
  const port = await freePort()
  // A worker makes no database.
  if (script === 'worker')
    await (await openEmbeddedPostgres({ folder: join(data, 'postgres'), durable: false }))[Symbol.asyncDispose]()
  const env = { ...environment, PORT: String(port), MARQUEE_DATA: data }
  const npm = spawn('npm', ['run', script], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (part: Buffer) => (said += part))
  await vi.waitFor(() => expect(said).toMatch(ready), { timeout: 110_000, interval: 200 })
  const tree = treeOf(npm.pid!)
  for (const pid of tree) left.add(pid)
  return { npm, port, tree }
}

test.runIf(process.platform === 'linux').each([
  ['start', /Marquee is ready/],
  ['worker', /The worker is running/],
] as const)(
  'SIGTERM to the npm of `npm run %s` ends the program and all it started',
  async (script, ready) => {
    if (script === 'start' && !existsSync(join(root, 'dist/server/server.js')))
      execFileSync('npm', ['run', 'build'], { cwd: root, env: environment })
    const { npm, port, tree } = await run(script, ready)
    expect(tree.length).toBeGreaterThan(1)
    const ended = once(npm, 'exit')
    npm.kill('SIGTERM')
    await ended
    await vi.waitFor(() => expect(tree.filter(isAlive)).toEqual([]), { timeout: 20_000 })
    await requireFreePort({ host: '127.0.0.1', port })
  },
  180_000,
)

test('every program of the package replaces the shell that npm starts it with', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const name of ['start', 'demo', 'worker', 'dev']) expect(scripts[name]).toMatch(/^(?:\w+=\S+ )*exec node /)
})
