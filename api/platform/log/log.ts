import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { errorCode, safeError } from '#contract/safe-error.ts'

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

/** Returns a message of other software, which may have several lines, as sentences in one line. */
export const asSentence = (message: string): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => (/[.?!]$/.test(line) ? line : `${line}.`))
    .join(' ')

/** The minimum time between two log lines about one fault. Milliseconds. */
const logInterval = 10_000

/** The lines that a fault log writes. */
export interface FaultLines {
  error: (details: object, message: string) => void
  warn: (details: object, message: string) => void
}

/** Is notified of the outcome of each use of a service. */
export interface FaultLog {
  onSuccess: () => void
  onFailure: (error: unknown) => void
}

/** Errors of several attempts to connect have no message. */
const reasonOf = (error: unknown) => (error instanceof Error ? error.message || errorCode(error) : String(error))

interface FaultMessages {
  failed: string
  /** Null for a failure that does not last. */
  recovered: string | null
}

/**
 * Logs an outage at intervals, regardless of the number of requests, and logs once that it is over
 * and how many seconds it lasted, also where requests are not logged.
 */
export const createFaultLog = (log: FaultLines, messages: FaultMessages) => {
  let since: number | null = null
  let reportedAt = Number.NEGATIVE_INFINITY
  let reported = false
  const secondsSince = (begin: number) => Math.round((performance.now() - begin) / 1000)
  return {
    onFailure: (error: unknown) => {
      const now = performance.now()
      since ??= now
      if (now - reportedAt < logInterval) return
      reportedAt = now
      reported = true
      const cause = error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : undefined
      log.error({ reason: reasonOf(error), cause, seconds: secondsSince(since) }, messages.failed)
    },
    onSuccess: () => {
      if (since === null) return
      if (reported && messages.recovered !== null) log.warn({ seconds: secondsSince(since) }, messages.recovered)
      since = null
      reported = false
    },
    /** Whether the last use failed. */
    isFaulty: () => since !== null,
  }
}

/** Logs once when a service stops answering, and once when it answers again. */
export const createServiceFaults = (log: FaultLines) => ({
  mailFaults: createFaultLog(log, {
    failed: 'The mail server does not answer',
    recovered: 'The mail server answers again',
  }),
  nameFaults: createFaultLog(log, {
    failed: 'The resolver of host names does not answer',
    recovered: 'The resolver of host names answers again',
  }),
})
