import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { format } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { inject, vi } from 'vitest'
import { OperatorError } from '#api/platform/log/log.ts'
import type { TestDatabase } from './pgbouncer.ts'
import type { TestApi } from './test-api.ts'

export interface CommandAnswer {
  code: number
  out: string
  err: string
}

type Folder = { deps: Pick<TestApi['deps'], 'dataFolder'> }

/** The variables that name the database and the media of the test's API. */
export const environmentOf = (api: Folder, { url, ownerUrl, jobsUrl = '' }: TestDatabase = inject('database')) => {
  return {
    MARQUEE_DATA: api.deps.dataFolder,
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    JOBS_DATABASE_URL: jobsUrl,
    MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
    NODE_ENV: 'test',
  }
}

/** The error output without its first line, which names the database. */
const withoutDatabase = (err: string) => err.replace(/^Database: .*\n/m, '')

/** The variables that a child process inherits from the test run. */
export const processEnvironment = () => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  MARQUEE_ENV_FILE: process.env.MARQUEE_ENV_FILE,
})

/**
 * A script as a shell runs it, on the database and the media of the test's API. A signal kills it.
 */
export const scriptOf =
  (api: TestApi, script: readonly string[], more: Record<string, string> = {}) =>
  (args: readonly string[], signal?: AbortSignal): Promise<CommandAnswer> =>
    new Promise((resolve) => {
      const env = { ...processEnvironment(), ...environmentOf(api), ...more }
      const options = { env, maxBuffer: 64_000_000, killSignal: 'SIGKILL', signal } as const
      execFile(process.execPath, [...script, ...args], options, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err: withoutDatabase(err) }),
      )
    })

/** The operators' command in a process of its own. */
export const commandOf = (api: TestApi, more?: Record<string, string>) =>
  scriptOf(api, ['server/launch.js', 'cli'], more)

/**
 * The operators' command inside this process, which saves two seconds each time: the same
 * arguments, the same output. One at a time, because the output is captured from the console.
 */
export const quickCommandOf =
  (api: Folder, { database, env = {} }: { database?: TestDatabase; env?: Record<string, string> } = {}) =>
  async (args: readonly string[]): Promise<CommandAnswer> => {
    const { createProgram } = await import('#cli/program.ts')
    const output = { out: '', err: '' }
    const into = (where: 'out' | 'err') =>
      vi.spyOn(console, where === 'out' ? 'log' : 'error').mockImplementation((...words: unknown[]) => {
        output[where] += `${format(...words)}\n`
      })
    const answer = (code: number, more = '') => ({ code, out: output.out, err: withoutDatabase(output.err) + more })
    const spies = [into('out'), into('err')]
    const program = createProgram()
    const capture = (command: Command): void => {
      command.configureOutput({ writeOut: (text) => (output.out += text), writeErr: (text) => (output.err += text) })
      command.commands.forEach(capture)
    }
    capture(program)
    const before = { ...process.env }
    Object.assign(process.env, environmentOf(api, database), env)
    try {
      await program.parseAsync([...args], { from: 'user' })
      return answer(Number(process.exitCode ?? 0))
    } catch (error) {
      if (error instanceof CommanderError) return answer(error.exitCode)
      if (error instanceof OperatorError) return answer(1, `${error.message}\n`)
      throw error
    } finally {
      process.exitCode = 0
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
      Object.assign(process.env, before)
      for (const spy of spies) spy.mockRestore()
    }
  }

/** A folder of files, by their names. */
export const folderOf = async (files: Record<string, string | Uint8Array>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-files-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
