import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { safeError } from '#contract/safe-error.ts'

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
