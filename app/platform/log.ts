import { safeError } from '#contract/safe-error.ts'

type Level = 'info' | 'warn' | 'error'

/**
 * One line for operators. In production it is JSON, so that it can be collected; elsewhere it is
 * for people.
 */
export function log(level: Level, message: string, details: Record<string, unknown> = {}): void {
  const { error, ...rest } = details
  if (import.meta.env.DEV || typeof document !== 'undefined') {
    // biome-ignore lint/suspicious/noConsole: the browser and the edge have no other sink
    console[level](message, ...(Object.keys(rest).length ? [rest] : []), ...(error ? [error] : []))
    return
  }
  const reason = error === undefined ? {} : { error: safeError(error) }
  // biome-ignore lint/suspicious/noConsole: the browser and the edge have no other sink
  console[level](JSON.stringify({ level, time: new Date().toISOString(), message, ...rest, ...reason }))
}
