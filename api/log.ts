import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

const secrets = ['authorization', 'cookie', 'password', 'token', '*.authorization', '*.cookie', '*.password', '*.token']

/** JSON lines in production, readable lines elsewhere. Secrets never reach either. */
export const createLogger = ({ production, logLevel }: Pick<Config, 'production' | 'logLevel'>): Logger => {
  const options = { level: logLevel, redact: { paths: secrets, censor: '…' } }
  if (production) return pino(options)
  return pino(options, pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' }))
}
