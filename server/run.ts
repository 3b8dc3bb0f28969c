import type { Logger } from 'pino'
import { readConfig } from '#api/config.ts'
import { createLogger, OperatorError } from '#api/platform/log/log.ts'
import { readEnvironment } from './environment.ts'

/**
 * The terminal and npm may both deliver one Ctrl-C. Only a later one counts as a second.
 * Milliseconds.
 */
const sameKeystroke = 1000

/** A running program. `reload` is what SIGHUP does; without it the program goes on as it is. */
export interface RunningProgram extends AsyncDisposable {
  reload?: () => void
}

interface RunOptions {
  /** Whether a service manager runs the program, which reads its log and may send SIGHUP. */
  isService?: boolean
}

/** The log as the environment sets it. It is JSON where that cannot be read. */
const openLog = (): Logger => {
  try {
    return createLogger(readConfig({ NODE_ENV: 'production', ...readEnvironment().variables }))
  } catch {
    return createLogger({ production: true, logLevel: 'info' })
  }
}

/** Logs what ends the program. */
const logFatal = (error: unknown) => {
  if (error instanceof OperatorError) openLog().fatal(error.message)
  else openLog().fatal({ err: error }, 'An error ended the program')
}

/**
 * Runs a program until SIGINT or SIGTERM, then closes its resources. The first Ctrl-C ends it
 * cleanly, the second at once. Of an `OperatorError` only the message is printed, of other errors
 * also the stack. A service logs it, too, unless a person sees it in a terminal.
 */
export const runUntilStopped = async (start: () => Promise<RunningProgram>, { isService = false }: RunOptions = {}) => {
  const stopped = Promise.withResolvers<void>()
  const isLogged = isService && !process.stdout.isTTY
  let running: RunningProgram | undefined
  let stoppedAt: number | undefined
  const stop = () => {
    stoppedAt ??= Date.now()
    if (Date.now() - stoppedAt > sameKeystroke) process.exit(130)
    stopped.resolve()
  }
  const reload = () => {
    if (running?.reload) running.reload()
    // The terminal was closed.
    else if (process.stdout.isTTY) stop()
    else openLog().warn('SIGHUP replaced nothing: it replaces the processes of WEB_CONCURRENCY. Restart this one')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  if (isService) process.on('SIGHUP', reload)
  // Node prints the error and ends the process afterwards.
  if (isLogged) process.on('uncaughtExceptionMonitor', logFatal)
  // The supervisor was killed.
  process.once('disconnect', () => stopped.resolve())
  try {
    await using started = await start()
    running = started
    await stopped.promise
    running = undefined
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error)
    if (isLogged) logFatal(error)
    process.exit(1)
  }
  process.exit(0)
}
