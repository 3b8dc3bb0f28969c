import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { safeError } from '#contract/safe-error.ts'

/**
 * A problem that the operator can fix. Programs and commands print its message without a stack and
 * exit.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

const secrets = ['authorization', 'cookie', 'password', 'token', '*.authorization', '*.cookie', '*.password', '*.token']

/** Removes secrets and visitors' input from log lines. */
export const logSafety = { redact: { paths: secrets, censor: '…' }, serializers: { err: safeError } }

/** Logs JSON in production and readable lines elsewhere. Secrets are redacted in both. */
export const createLogger = ({ production, logLevel }: { production: boolean; logLevel: string }): Logger => {
  const options = { level: logLevel, ...logSafety }
  if (production) return pino(options)
  return pino(options, pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' }))
}

/** Converts a thrown value to an Error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** The minimum time between two log lines about one fault. Milliseconds. */
const logInterval = 10_000

/** The lines that a fault log writes. */
export interface FaultLines {
  error: (details: object, message: string) => void
  info: (message: string) => void
}

/** Is notified of the outcome of each use of a service. */
export interface FaultLog {
  onSuccess: () => void
  onFailure: (error: unknown) => void
}

/**
 * Logs an outage at intervals, regardless of the number of requests, and logs once that it is over.
 */
export const createFaultLog = (log: FaultLines, messages: { failed: string; recovered: string }) => {
  let since: number | null = null
  let reportedAt = Number.NEGATIVE_INFINITY
  let reported = false
  return {
    onFailure: (error: unknown) => {
      const now = performance.now()
      since ??= now
      if (now - reportedAt < logInterval) return
      reportedAt = now
      reported = true
      const seconds = Math.round((now - since) / 1000)
      const reason = error instanceof Error ? error.message : String(error)
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
      log.error({ reason, cause, seconds }, messages.failed)
    },
    onSuccess: () => {
      if (since === null) return
      since = null
      if (reported) log.info(messages.recovered)
      reported = false
    },
    /** Whether the last use failed. */
    isFaulty: () => since !== null,
  }
}
