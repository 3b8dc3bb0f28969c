import { safeError } from '#contract/safe-error.ts'

type Level = 'info' | 'warn' | 'error'

/** Where the lines go: the logger of the server's process. */
export type LogSink = (level: Level, facts: Record<string, unknown>, message: string) => void

/** The numbers of pino, so that lines of the edge have the format of the server's. */
const levelNumbers = { info: 30, warn: 40, error: 50 } as const

let sink: LogSink | undefined

/** Sends all later lines to the server's logger. */
export function logTo(logSink: LogSink): void {
  sink = logSink
}

/**
 * Logs one line for operators: in the server's logger, at the edge as JSON of the same format, and
 * in development and in the browser's console for people.
 */
export function log(level: Level, message: string, details: Record<string, unknown> = {}): void {
  const { error, ...rest } = details
  // Known at build time, so that the browser's script has no code of the server's lines.
  if (import.meta.env.SSR && (sink || !import.meta.env.DEV)) logOnServer(level, message, rest, error)
  // biome-ignore lint/suspicious/noConsole: the browser has no other sink
  else console[level](message, ...(Object.keys(rest).length ? [rest] : []), ...(error ? [error] : []))
}

function logOnServer(level: Level, message: string, facts: Record<string, unknown>, error: unknown): void {
  if (sink) {
    sink(level, { ...facts, ...(error === undefined ? {} : { err: error }) }, message)
    return
  }
  const reason = error === undefined ? {} : { err: safeError(error) }
  const line = { level: levelNumbers[level], time: Date.now(), ...facts, ...reason, msg: message }
  // biome-ignore lint/suspicious/noConsole: the edge has no other sink
  console[level](JSON.stringify(line))
}
