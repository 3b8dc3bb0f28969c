import { safeError } from '#contract/safe-error.ts'

type Level = 'info' | 'warn' | 'error'

/** Where the lines go: the logger of the server's process. */
export type LogSink = (level: Level, facts: Record<string, unknown>, message: string) => void

/** The numbers of pino, so that lines of the edge have the format of the server's. */
const levelNumbers = { info: 30, warn: 40, error: 50 } as const

let sink: LogSink | undefined

/** Sends all later lines to the server's logger. */
export function logTo(given: LogSink): void {
  sink = given
}

/**
 * Logs one line for operators. Without a logger of the server it is JSON in production, and for
 * people elsewhere.
 */
export function log(level: Level, message: string, details: Record<string, unknown> = {}): void {
  const { error, ...rest } = details
  if (sink) {
    sink(level, { ...rest, ...(error === undefined ? {} : { err: error }) }, message)
    return
  }
  if (import.meta.env.DEV || typeof document !== 'undefined') {
    // biome-ignore lint/suspicious/noConsole: the browser and the edge have no other sink
    console[level](message, ...(Object.keys(rest).length ? [rest] : []), ...(error ? [error] : []))
    return
  }
  const reason = error === undefined ? {} : { err: safeError(error) }
  const line = { level: levelNumbers[level], time: Date.now(), ...rest, ...reason, msg: message }
  // biome-ignore lint/suspicious/noConsole: the browser and the edge have no other sink
  console[level](JSON.stringify(line))
}
