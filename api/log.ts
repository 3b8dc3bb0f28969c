import { type Logger, pino, stdSerializers } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

const secrets = ['authorization', 'cookie', 'password', 'token', '*.authorization', '*.cookie', '*.password', '*.token']

/** An error of the database carries its whole client, keys included, of which nothing belongs in a log. */
const withoutClient = (error: Error) => {
  const { client: _, ...shown } = stdSerializers.err(error)
  return shown
}

/** JSON lines in production, readable lines elsewhere. Secrets never reach either. */
export const createLogger = ({ production, logLevel }: Pick<Config, 'production' | 'logLevel'>): Logger => {
  const options = { level: logLevel, redact: { paths: secrets, censor: '…' }, serializers: { err: withoutClient } }
  if (production) return pino(options)
  return pino(options, pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' }))
}
