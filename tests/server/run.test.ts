import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { processEnvironment } from '#tests/support/command.ts'

const cwd = join(import.meta.dirname, '../..')

/** Runs a program that starts with these lines, as a service manager does. */
const runService = (start: string, env: Record<string, string> = {}) => {
  const source = `
    import { OperatorError } from '#api/platform/log/log.ts'
    import { runUntilStopped } from './server/run.ts'
    const running = { [Symbol.asyncDispose]: async () => console.log('closed') }
    await runUntilStopped(async () => { ${start} }, { isService: true })`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    cwd,
    env: { ...processEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (output.out += part))
  child.stderr.on('data', (part: Buffer) => (output.err += part))
  const ended = once(child, 'close')
  const says = (text: string) => vi.waitFor(() => expect(output.out).toContain(text), { timeout: 20_000, interval: 20 })
  return { child, output, ended, says }
}

const linesOf = (out: string) =>
  out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Record<string, unknown> => JSON.parse(line))

test.runIf(process.platform !== 'win32')(
  'a single process goes on after SIGHUP, says that it replaces nothing, and stops with SIGTERM',
  async () => {
    const { child, output, ended, says } = runService(
      `setInterval(() => {}, 60_000); console.log('started'); return running`,
    )
    await says('started')
    child.kill('SIGHUP')
    await says('SIGHUP replaced nothing')
    expect(linesOf(output.out)).toMatchObject([{ level: 40 }])
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(output.out).toContain('closed')
  },
)

test.runIf(process.platform !== 'win32')('SIGHUP reloads a program that can replace its processes', async () => {
  const { child, output, ended, says } = runService(
    `setInterval(() => {}, 60_000); console.log('started'); return { ...running, reload: () => console.log('reloaded') }`,
  )
  await says('started')
  child.kill('SIGHUP')
  await says('reloaded')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(linesOf(output.out)).toEqual([])
})

test('a start that fails prints the sentence of an operator’s error, and logs it as fatal', async () => {
  const { output, ended } = runService(`throw new OperatorError('The port 3000 is in use.')`)
  expect(await ended).toEqual([1, null])
  expect(output.err).toBe('The port 3000 is in use.\n')
  expect(linesOf(output.out)).toMatchObject([{ level: 60, msg: 'The port 3000 is in use.' }])
})

test('an error that ends a running program is logged as fatal, also where its configuration is invalid', async () => {
  const start = `setTimeout(() => { throw new TypeError('no such thing') }, 10); return running`
  const { output, ended } = runService(start, { PORT: 'none' })
  expect(await ended).toEqual([1, null])
  expect(output.err).toContain('TypeError: no such thing')
  expect(linesOf(output.out)).toMatchObject([{ level: 60, err: { type: 'TypeError', message: 'no such thing' } }])

  const rejected = runService(`setTimeout(() => void Promise.reject(new Error('not caught')), 10); return running`)
  expect(await rejected.ended).toEqual([1, null])
  expect(linesOf(rejected.output.out)).toMatchObject([{ level: 60, err: { message: 'not caught' } }])
})

test('a silent log has no fatal line', async () => {
  const { output, ended } = runService(`throw new Error('broken')`, { LOG_LEVEL: 'silent' })
  expect(await ended).toEqual([1, null])
  expect(output.err).toContain('Error: broken')
  expect(output.out).toBe('')
})
