import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { buildWhatIsStale } from '#server/build.ts'
import { openEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { requireFreePort } from '#server/open-port.ts'
import { freePort } from '#tests/support/free-port.ts'

/** The environment for child processes, without the variables of a test run. */
const environment = { ...process.env, VITEST: '', LOG_LEVEL: 'info' }
const root = join(import.meta.dirname, '../..')
const folders: string[] = []
const startedPids = new Set<number>()
afterEach(() => {
  // Only after a failed test.
  for (const pid of startedPids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  startedPids.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const isAlive = (pid: number) => {
  // A zombie process has ended.
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z'
  return !/\) Z/.test(stat)
}

/** A process and its descendants, from /proc. */
const treeOf = (pid: number): number[] => {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []
  const children = tasks.flatMap((task) => {
    const file = `/proc/${pid}/task/${task}/children`
    return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
  })
  return [pid, ...children.flatMap(treeOf)]
}

/**
 * Runs a script of the package as an operator's service manager does, until it reports that it is
 * ready.
 */
const run = async (script: string, ready: RegExp) => {
  const data = mkdtempSync(join(tmpdir(), 'marquee-signals-'))
  // The database may run as another user.
  chmodSync(data, 0o755)
  folders.push(data)
  const port = await freePort()
  // A worker does not start a database.
  if (script === 'worker')
    await (await openEmbeddedPostgres({ folder: join(data, 'postgres'), durable: false }))[Symbol.asyncDispose]()
  const env = { ...environment, PORT: String(port), MARQUEE_DATA: data }
  const npm = spawn('npm', ['run', script], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (part: Buffer) => (output += part))
  await vi.waitFor(() => expect(output).toMatch(ready), { timeout: 110_000, interval: 200 })
  const tree = treeOf(npm.pid!)
  for (const pid of tree) startedPids.add(pid)
  return { npm, port, tree, output: () => output }
}

test.runIf(process.platform === 'linux').each([
  ['start', /Marquee is ready/],
  ['worker', /The worker is running/],
] as const)(
  '`npm run %s` goes on after SIGHUP, and SIGTERM to the npm process ends the program and all its children',
  async (script, ready) => {
    await buildWhatIsStale()
    const { npm, port, tree, output } = await run(script, ready)
    expect(tree.length).toBeGreaterThan(1)
    process.kill(tree[1]!, 'SIGHUP')
    await vi.waitFor(() => expect(output()).toContain('SIGHUP replaced nothing'), { timeout: 20_000 })
    expect(tree.filter(isAlive)).toEqual(tree)
    const ended = once(npm, 'exit')
    npm.kill('SIGTERM')
    await ended
    await vi.waitFor(() => expect(tree.filter(isAlive)).toEqual([]), { timeout: 20_000 })
    await requireFreePort({ host: '127.0.0.1', port })
  },
  180_000,
)

test('every program of the package replaces the shell in which npm starts it', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const name of ['start', 'demo', 'worker', 'dev']) expect(scripts[name]).toMatch(/^(?:\w+=\S+ )*exec node /)
})
