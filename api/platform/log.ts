import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { safeError } from '#contract/safe-error.ts'

const secrets = ['authorization', 'cookie', 'password', 'token', '*.authorization', '*.cookie', '*.password', '*.token']

/** Keeps secrets and what visitors sent out of every line, wherever it is written to. */
export const logSafety = { redact: { paths: secrets, censor: '…' }, serializers: { err: safeError } }

/** JSON lines in production, readable lines elsewhere. Secrets never reach either. */
export const createLogger = ({ production, logLevel }: { production: boolean; logLevel: string }): Logger => {
  const options = { level: logLevel, ...logSafety }
  if (production) return pino(options)
  return pino(options, pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' }))
}

/** What was thrown, as an error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** Something the operator can put right before the program can start. Shown as its one sentence, without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
