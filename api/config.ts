import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'
import { StartupError } from './startup-error.ts'

/** The environment, parsed once. Nothing else reads `process.env`. */
export interface Config {
  production: boolean
  host: string
  port: number
  /** Where the embedded database, uploads and generated secrets live. */
  dataFolder: string
  /** Null: the embedded PostgreSQL. */
  database: { url?: string | undefined; ownerUrl?: string | undefined } | null
  databasePoolSize: number
  /** Signs media addresses, guest tokens and the sandbox's webhooks. Null: made once and kept in the data folder. */
  secret: string | null
  /** The origin browsers reach us by, when it is not the request's own. */
  publicUrl: string | null
  defaultCustomerCode: string | null
  /** Addresses whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

const text = (example: string, what: string) => z.string({ error: `${what}, for example ${example}` })

const databaseUrl = (example: string) =>
  text(example, 'must be the address of a PostgreSQL database').regex(/^postgres(?:ql)?:\/\/.+/, {
    error: `must be the address of a PostgreSQL database, for example ${example}`,
  })

const environment = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce
    .number({ error: 'must be a port number, for example 3000' })
    .int({ error: 'must be a port number, for example 3000' })
    .min(0, { error: 'must be a port number, for example 3000' })
    .max(65_535, { error: 'must be a port number up to 65535, for example 3000' })
    .default(3000),
  MARQUEE_DATA: z.string().default('data'),
  DATABASE_URL: databaseUrl('postgres://marquee_app:secret@localhost:5432/marquee').optional(),
  DATABASE_OWNER_URL: databaseUrl('postgres://marquee_owner:secret@localhost:5432/marquee').optional(),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2, { error: 'must be a number of connections from 2, for example 16' })
    .max(500)
    .default(16),
  MARQUEE_SECRET: z
    .string()
    .min(32, { error: 'must be at least 32 characters, for example the output of: openssl rand -base64 32' })
    .optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be the origin browsers use, for example https://store.example.com' })
    .transform((url) => new URL(url).origin)
    .optional(),
  DEFAULT_CUSTOMER_CODE: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
      error: 'must be a customer code of lower case letters, digits and hyphens, for example aurora',
    })
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((address) => address.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((address) => isIP(address) > 0), {
      error: 'must be IP addresses with commas between them, for example 10.0.0.2,10.0.0.3',
    }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent, for example info',
    })
    .default('info'),
})

/** Reads the configuration; a value that cannot be right is named with what would be. */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new StartupError(`${issue?.path.join('.')} ${issue?.message}.`)
  }
  const values = parsed.data
  const external = values.DATABASE_URL ?? values.DATABASE_OWNER_URL
  if (external && !values.MARQUEE_SECRET)
    throw new StartupError(
      'MARQUEE_SECRET is missing: with a database of its own place, every process needs the same secret of at least 32 characters, for example the output of: openssl rand -base64 32.',
    )
  return {
    production: values.NODE_ENV === 'production',
    host: values.HOST,
    port: values.PORT,
    dataFolder: resolve(values.MARQUEE_DATA),
    database: external ? { url: values.DATABASE_URL, ownerUrl: values.DATABASE_OWNER_URL } : null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    secret: values.MARQUEE_SECRET ?? null,
    publicUrl: values.PUBLIC_URL ?? null,
    defaultCustomerCode: values.DEFAULT_CUSTOMER_CODE ?? null,
    trustedProxies: values.TRUSTED_PROXIES,
    logLevel: values.LOG_LEVEL,
  }
}
