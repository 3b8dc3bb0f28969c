import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'
import { processEnvironment } from './command.ts'
import { freePort } from './free-port.ts'

type Variables = Record<string, string | undefined>

type CommandOf = (program: string, args: readonly string[]) => [string, readonly string[]]

interface Program {
  args: readonly string[]
  /** Runs the program within another command. */
  within?: CommandOf | undefined
  cwd?: string
  /** What the output has once the program runs. */
  ready: string
}

/** Runs a program of Marquee until it is stopped. `output` is what it has written. */
export const runProgram = async (env: Variables, { args, cwd, within, ready }: Program) => {
  const [program, given] = within?.(process.execPath, args) ?? [process.execPath, args]
  const child = spawn(program, given, {
    env: { ...processEnvironment(), LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part))
  const waitFor = (text: string, from = 0) =>
    vi.waitFor(
      () => {
        if (output.slice(from).includes(text)) return
        const others = output.split('\n').filter((line) => !line.includes('"msg":"Request"'))
        throw new Error(`The output has no "${text}":\n${others.join('\n').slice(-4_000)}`)
      },
      { timeout: 150_000, interval: 50 },
    )
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const endedEarly = ended.then(() => Promise.reject(new Error(`The program ended before it was ready:\n${output}`)))
  // Only its start is awaited.
  endedEarly.catch(() => {})
  await Promise.race([waitFor(ready), endedEarly]).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    pid: child.pid!,
    output: () => output,
    /** Sends a signal and waits for a line of the log after it. */
    signal: async (name: NodeJS.Signals, line: string) => {
      const from = output.length
      child.kill(name)
      await waitFor(line, from)
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Runs a process of the store. It can be restarted at its port, as a service manager does. */
export const startService = async (env: Variables, within?: CommandOf) => {
  const port = await freePort()
  const start = () =>
    runProgram(
      { ...env, PORT: String(port) },
      { args: ['server/launch.js', 'service'], within, ready: 'Marquee is ready' },
    )
  let running = await start()
  const stop = () => running.stop()
  return {
    port,
    output: () => running.output(),
    stop,
    restart: async () => {
      await stop()
      running = await start()
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** Runs a worker. */
export const startWorkerOf = (env: Variables) =>
  runProgram(env, { args: ['server/launch.js', 'worker'], ready: 'The worker is running' })
