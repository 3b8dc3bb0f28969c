import { isIP } from 'node:net'
import * as z from 'zod'
import { mediaVariables } from '#api/platform/storage/settings.ts'
import { isOrigin } from '#contract/web-addresses.ts'

/** An IP address, with a port after it where it is not 53: `1.1.1.1:5353`, `[::1]:5353`. */
const isNameServer = (text: string) => {
  const [, six, four] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+)(?::\d{1,5})?)$/.exec(text) ?? []
  return isIP(text) > 0 || isIP(six ?? four ?? '') > 0
}

const key = (shape: RegExp, what: string, example: string) =>
  z
    .string()
    .regex(shape, { error: `must be ${what}, for example ${example}` })
    .optional()

/**
 * Variables of the installation's accounts at payment providers, for stores without secrets of
 * their own.
 */
const paymentVariables = {
  PAYMENT_STRIPE_SECRET_KEY: key(/^[rs]k_(?:live|test)_\S+$/, 'a secret or restricted key of Stripe', 'sk_live_…').meta(
    { description: 'Secret key (sk_live_…) of the Stripe account of stores without their own secrets.' },
  ),
  PAYMENT_STRIPE_WEBHOOK_SECRET: key(
    /^whsec_\S+$/,
    'the signing secret of a webhook endpoint at Stripe',
    'whsec_…',
  ).meta({ description: 'Signing secret (whsec_…) of its webhook endpoint.' }),
  PAYMENT_PORTONE_API_SECRET: key(/^\S{20,}$/, 'an API secret of PortOne V2', 'the one its console shows once').meta({
    description: 'API secret of the PortOne V2 account of stores without their own secrets.',
  }),
  PAYMENT_PORTONE_WEBHOOK_SECRET: key(/^whsec_[\w+/=]+$/, 'the webhook secret of PortOne V2', 'whsec_…').meta({
    description: 'Its webhook secret (whsec_…).',
  }),
}

const text = (example: string, what: string) => z.string({ error: `${what}, for example ${example}` })

const databaseUrl = (example: string) =>
  text(example, 'must be the address of a PostgreSQL database').regex(/^postgres(?:ql)?:\/\/.+/, {
    error: `must be the address of a PostgreSQL database, for example ${example}`,
  })

/** The maximum time a request waits in the queue, in milliseconds. */
export const queueWait = 5_000

/** MB, for some 700,000 products. */
export const defaultIndexMemory = 64

const count = (min: number, max: number, fallback: number) => {
  const error = `must be a number from ${min} to ${max}, for example ${fallback}`
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error }).default(fallback)
}
const seconds = (fallback: number) => {
  const error = `must be a number of seconds from 1 to 3600, for example ${fallback}`
  return z.coerce.number({ error }).min(1, { error }).max(3600, { error }).default(fallback)
}

/**
 * All variables of the service, the worker and the command line. `.env.example` is generated from
 * it.
 */
export const environment = z.object({
  NODE_ENV: z
    .string()
    .optional()
    .meta({ description: '`production` on a server; `npm start` sets it.', example: 'production' }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  PORT: z.coerce
    .number({ error: 'must be a port number, for example 3000' })
    .int({ error: 'must be a port number, for example 3000' })
    .min(0, { error: 'must be a port number, for example 3000' })
    .max(65_535, { error: 'must be a port number up to 65535, for example 3000' })
    .default(3000)
    .meta({ description: 'Port to listen on; 0 takes a free one.' }),
  MARQUEE_DATA: z
    .string()
    .default('data')
    .meta({ description: 'Folder of the embedded database, of media and of the generated secret.' }),
  DATABASE_URL: databaseUrl('postgres://marquee_app:secret@localhost:5432/marquee').optional().meta({
    description: 'Connection of the role that serves requests. Without it, an embedded PostgreSQL is started.',
    example: 'postgres://marquee_web:secret@localhost:5432/marquee',
  }),
  DATABASE_OWNER_URL: databaseUrl('postgres://marquee_owner:secret@localhost:5432/marquee').optional().meta({
    description: 'Connection of the role that owns the tables and migrates the schema.',
    example: 'postgres://marquee_owner:secret@localhost:5432/marquee',
  }),
  JOBS_DATABASE_URL: databaseUrl('postgres://marquee_web:secret@localhost:5432/marquee').optional().meta({
    description: 'Direct connection to the same database, where DATABASE_URL goes through PgBouncer.',
    example: 'postgres://marquee_web:secret@localhost:5432/marquee',
  }),
  DATABASE_REPLICA_URL: databaseUrl('postgres://marquee_web:secret@replica:5432/marquee').optional().meta({
    description: 'Streaming replica of the database, for reads that may be some seconds old.',
    example: 'postgres://marquee_web:secret@replica:5432/marquee',
  }),
  DATABASE_REPLICA_MAX_LAG: seconds(5).meta({
    description: 'Seconds by which the replica may be behind; beyond them it is left out.',
  }),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2, { error: 'must be a number of connections from 2, for example 16' })
    .max(500)
    .default(16)
    .meta({ description: 'Connections of this process for requests, 2 to 500.' }),
  PRODUCT_INDEX_MEMORY: count(1, 100_000, defaultIndexMemory).meta({
    description: 'MB of product indexes in each process. A store too large for it is answered from the database.',
  }),
  WEB_CONCURRENCY: count(1, 64, 1).meta({
    description: 'Processes that serve on this machine, 1 to 64. With several, background jobs get one of their own.',
  }),
  WORKER_MODE: z
    .enum(['embedded', 'external'], { error: 'must be embedded or external, for example embedded' })
    .default('embedded')
    .meta({ description: '`external` leaves background jobs to `npm run worker`.' }),
  MARQUEE_SECRET: z
    .string()
    .min(32, { error: 'must be at least 32 characters, for example the output of: openssl rand -base64 32' })
    .optional()
    .meta({
      description:
        'At least 32 characters, such as the output of `openssl rand -base64 32`. Signs and encrypts data. It must be the same in every process. Generated with the embedded database.',
    }),
  PUBLIC_URL: z
    .string()
    .transform((url) => url.replace(/\/$/, ''))
    .refine(isOrigin, 'must be the origin browsers use, for example https://store.example.com')
    .transform((url) => new URL(url).origin)
    .optional()
    .meta({
      description: 'Origin to which payment providers return. Leave it out if stores have their own hosts.',
      example: 'https://store.example.com',
    }),
  HSTS_INCLUDE_SUBDOMAINS: z
    .enum(['true', 'false'], { error: 'must be true or false, for example false' })
    .default('false')
    .meta({ description: '`true` makes browsers use HTTPS for all hosts below those of the stores too.' }),
  DEFAULT_CUSTOMER_CODE: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
      error: 'must be a customer code of lower case letters, digits and hyphens, for example aurora',
    })
    .optional()
    .meta({ description: 'Store shown at hosts without a store.', example: 'aurora' }),
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
      error: 'must be IP addresses separated by commas, for example 10.0.0.2,10.0.0.3',
    })
    .meta({
      description: 'IP addresses whose X-Forwarded-* headers are trusted, separated by commas.',
      example: '127.0.0.1',
    }),
  SMTP_URL: text('smtp://user:password@mail.example.com:587', 'must be the address of a mail server')
    .regex(/^smtps?:\/\/[^\s/]+/, {
      error: 'must be the address of a mail server, for example smtp://user:password@mail.example.com:587',
    })
    .optional()
    .meta({
      description: 'Mail server. Without it no email is sent, so nobody can sign up or reset a password.',
      example: 'smtp://user:password@mail.example.com:587',
    }),
  MAIL_FROM: z.email({ error: 'must be an email address, for example store@example.com' }).optional().meta({
    description: "Sender address of every email, under the store's name. Required with SMTP_URL.",
    example: 'store@example.com',
  }),
  ADDRESS_SERVICE_KEY: z.string().optional().meta({
    description:
      "Key of Korea's national address service (business.juso.go.kr). Without it, a small bundled sample is searched.",
  }),
  NAME_SERVERS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((server) => server.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every(isNameServer), {
      error: 'must be IP addresses separated by commas, each with an optional port, for example 1.1.1.1,9.9.9.9',
    })
    .meta({
      description: "Name servers that check the domains of stores, separated by commas. The system's if not set.",
      example: '1.1.1.1,9.9.9.9',
    }),
  FFMPEG_PATH: z
    .string()
    .optional()
    .meta({ description: 'The ffmpeg to use instead of the one in PATH.', example: '/usr/bin/ffmpeg' }),
  MARQUEE_ENCODERS: z.coerce
    .number({ error: 'must be a number of videos, for example 2' })
    .int({ error: 'must be a number of videos, for example 2' })
    .min(1, { error: 'must be at least 1, for example 2' })
    .max(64, { error: 'must be at most 64, for example 2' })
    .optional()
    .meta({
      description: 'Videos encoded at once on this machine, 1 to 64. Half of the cores if not set.',
      example: '2',
    }),
  MARQUEE_MAX_UPLOAD: z
    .string()
    .regex(/^[1-9]\d{0,4}(?:mb|gb)$/i, { error: 'must be a size in MB or GB, for example 50GB' })
    .default('50GB')
    .meta({ description: 'Largest upload of an operator, in MB or GB.' }),
  MAX_CONCURRENT_REQUESTS: count(2, 1000, 16).meta({ description: 'Requests processed at the same time.' }),
  MAX_QUEUED_REQUESTS: count(0, 10_000, 128).meta({ description: 'Requests that wait, at most five seconds.' }),
  MAX_EVENT_LOOP_DELAY: count(20, 10_000, 500).meta({
    description: 'Event loop delay in milliseconds above which only an eighth of the queue is used.',
  }),
  MAX_CONNECTIONS: count(10, 1_000_000, 10_000).meta({
    description: 'Connections of the process; further ones are closed.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: count(6, 1_000_000, 256).meta({ description: 'Connections of one client address.' }),
  HEADERS_TIMEOUT: seconds(15).meta({ description: 'Seconds to receive the headers of a request.' }),
  BODY_TIMEOUT: seconds(30).meta({ description: 'Seconds to receive the body; for uploads, until the next part.' }),
  WRITE_TIMEOUT: seconds(30).meta({ description: 'Seconds a client may read nothing of a response.' }),
  KEEP_ALIVE_TIMEOUT: seconds(10).meta({
    description: "Seconds a connection waits for the next request. Set it longer than the proxy's.",
  }),
  ...paymentVariables,
  ...mediaVariables,
  METRICS_PORT: z.coerce
    .number({ error: 'must be a port number, for example 9464' })
    .int({ error: 'must be a port number, for example 9464' })
    .min(1, { error: 'must be a port number, for example 9464' })
    .max(65_535, { error: 'must be a port number up to 65535, for example 9464' })
    .optional()
    .meta({ description: 'Port of /metrics, apart from the store. Each process needs its own.', example: '9464' }),
  METRICS_HOST: z.string().default('127.0.0.1').meta({ description: 'Address of METRICS_PORT.' }),
  METRICS_TOKEN: z
    .string()
    .min(16, { error: 'must be at least 16 characters, for example the output of: openssl rand -base64 32' })
    .optional()
    .meta({ description: 'Token that /metrics requires. With it, the store’s port answers /metrics too.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ error: 'must be the address of an OTLP collector, for example http://127.0.0.1:4318' })
    .transform((url) => url.replace(/\/$/, ''))
    .optional()
    .meta({
      description: 'OTLP collector (HTTP) that gets metrics and traces.',
      example: 'http://127.0.0.1:4318',
    }),
  OTEL_SERVICE_NAME: z.string().default('marquee').meta({ description: 'Name of the service in metrics and traces.' }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a share from 0 to 1, for example 0.1' })
    .min(0, { error: 'must be a share from 0 to 1, for example 0.1' })
    .max(1, { error: 'must be a share from 0 to 1, for example 0.1' })
    .default(1)
    .meta({ description: 'Share of the requests that are traced, 0 to 1.' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent, for example info',
    })
    .default('info')
    .meta({ description: 'fatal, error, warn, info, debug, trace or silent.' }),
})

/**
 * Variables that the environment file cannot set, because they are read before it, by the build or
 * at the edge. `.env.example` lists them at its end.
 */
export const processVariables: Record<string, { description: string; example: string }> = {
  MARQUEE_ENV_FILE: {
    description: 'The environment file, if it is another one than .env beside package.json.',
    example: '/etc/marquee.env',
  },
  MARQUEE_BUILD_ID: {
    description: 'For npm run build: name of the build, by which open pages notice an upgrade. Its time if not set.',
    example: '2026-11-22',
  },
  API_URL: {
    description: 'For pages at the edge: origin of the API, which is otherwise in the same process.',
    example: 'https://api.example.com',
  },
}
