import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type * as z from 'zod'
import type { DatabaseUrls } from '#api/platform/db/migrate.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { readMediaStorage } from '#api/platform/storage/settings.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { environment, queueWait } from './config-schema.ts'

type Variables = z.output<typeof environment>

/** Returns the secrets by provider, under the names that its accounts use. */
const readPaymentSecrets = (values: Variables): Record<string, Record<string, string>> => ({
  stripe: withoutUndefined({
    secretKey: values.PAYMENT_STRIPE_SECRET_KEY,
    webhookSecret: values.PAYMENT_STRIPE_WEBHOOK_SECRET,
  }),
  portone: withoutUndefined({
    apiSecret: values.PAYMENT_PORTONE_API_SECRET,
    webhookSecret: values.PAYMENT_PORTONE_WEBHOOK_SECRET,
  }),
})

/**
 * The parsed environment. The programs in `server/` pass the variables in. The API reads no others,
 * except `PATH` to find ffmpeg. The storefront reads its own (`app/platform/environment.ts`).
 */
export interface Config {
  production: boolean
  /** `production` and `demo` are derived from it. */
  environment: 'production' | 'demo' | 'development'
  host: string
  port: number
  /** The folder of the embedded database, uploads and generated secrets. */
  dataFolder: string
  /** Null selects the embedded PostgreSQL. */
  database: DatabaseUrls | null
  /** A streaming replica of the database, and the seconds by which it may be behind. */
  replica: { url: string; maxLag: number } | null
  databasePoolSize: number
  /** The most memory of the product indexes in a process, in MB. */
  productIndexMemory: number
  /** How many processes of this machine serve. */
  webConcurrency: number
  /** Whether the serving process also runs background work, or leaves it to `npm run worker`. */
  workerMode: 'embedded' | 'external'
  /**
   * Signs media URLs, guest tokens and the sandbox's webhooks. Null: generated once and stored in
   * the data folder.
   */
  secret: string | null
  /** The public origin, where it differs from the origin of the request. */
  publicUrl: string | null
  defaultCustomerCode: string | null
  /** Addresses whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** The mail server and the sender's address. Null: mails are stored and not sent. */
  mail: { url: string; from: string } | null
  /** Limits of concurrent work. */
  overload: {
    /** The maximum number of concurrent requests. It is reduced while the event loop is late. */
    concurrency: number
    /** The maximum number of queued requests. */
    queue: number
    /** The maximum time in the queue, in milliseconds. */
    wait: number
    /** The delay of the event loop above which the queue is shortened, in milliseconds. */
    delay: number
  }
  /** Limits of connections. Times in milliseconds. */
  connections: {
    max: number
    /** The maximum per network address. This machine and trusted proxies are not counted. */
    maxPerAddress: number
    headersTimeout: number
    bodyTimeout: number
    /** The maximum time without progress while a client reads a response. */
    writeTimeout: number
    keepAliveTimeout: number
  }
  /** Secrets of payment providers, by provider, for stores without secrets of their own. */
  paymentSecrets: Record<string, Record<string, string>>
  /** The key of the national address service. Null: addresses come from the bundled sample. */
  addressKey: string | null
  /** The name servers that check the domains of stores. Empty: the system's. */
  nameServers: readonly string[]
  /** The path of ffmpeg. Null: ffmpeg on the PATH. */
  ffmpegPath: string | null
  /** The number of videos that a worker encodes concurrently. */
  encoders: number
  /** The maximum size of an operator's file, in bytes. */
  largestUpload: number
  /** The S3-compatible media storage. Null: the data folder. */
  mediaStorage: ReturnType<typeof readMediaStorage>
  /** The internal location of the proxy that serves media. Null: this process serves them. */
  mediaAccel: string | null
  /** Where metrics are exposed. Null: they are not. */
  metrics: { host: string; port: number | null; token: string | null } | null
  /** The OTLP collector of metrics and traces, and the share of requests that are traced. */
  otlp: { endpoint: string; serviceName: string; tracedShare: number } | null
  /** Runs as the demo, where a mailbox page shows every mail. */
  demo: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** Reads the configuration. The error for an invalid value describes a valid one. */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  if (present.MARQUEE_WORKER !== undefined)
    throw new OperatorError(
      `MARQUEE_WORKER is now WORKER_MODE: set WORKER_MODE=${present.MARQUEE_WORKER === 'apart' ? 'external' : 'embedded'} and remove MARQUEE_WORKER.`,
    )
  const parsed = environment.safeParse(present)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new OperatorError(`${issue?.path.join('.')} ${issue?.message}.`)
  }
  const values = parsed.data
  const external = values.DATABASE_URL ?? values.DATABASE_OWNER_URL
  if (external && !values.MARQUEE_SECRET)
    throw new OperatorError(
      'MARQUEE_SECRET is missing. With DATABASE_URL, set the same secret of at least 32 characters for every process, for example the output of: openssl rand -base64 32.',
    )
  if (values.JOBS_DATABASE_URL && !values.DATABASE_URL)
    throw new OperatorError(
      'DATABASE_URL is missing. With JOBS_DATABASE_URL, set it to the address of the same database at the pooler.',
    )
  if (values.DATABASE_REPLICA_URL && !external)
    throw new OperatorError(
      'DATABASE_REPLICA_URL needs DATABASE_URL or DATABASE_OWNER_URL: the embedded database has no replica.',
    )
  if (values.WEB_CONCURRENCY > 1 && values.METRICS_TOKEN && !values.METRICS_PORT)
    throw new OperatorError(
      'METRICS_PORT is missing. With WEB_CONCURRENCY, each process has metrics of its own: set it to the port of the first, for example 9464.',
    )
  if (values.MEDIA_ACCEL && values.TRUSTED_PROXIES.length === 0)
    throw new OperatorError(
      'TRUSTED_PROXIES is missing. With MEDIA_ACCEL, set it to the address of the proxy that serves the files, for example 127.0.0.1.',
    )
  if (values.SMTP_URL && !values.MAIL_FROM)
    throw new OperatorError(
      'MAIL_FROM is missing. With SMTP_URL, set it to the sender address of emails, for example store@example.com.',
    )
  return {
    production: values.NODE_ENV === 'production',
    environment: values.NODE_ENV === 'production' ? 'production' : 'development',
    host: values.HOST,
    port: values.PORT,
    dataFolder: resolve(values.MARQUEE_DATA),
    database: external
      ? { url: values.DATABASE_URL, ownerUrl: values.DATABASE_OWNER_URL, jobsUrl: values.JOBS_DATABASE_URL }
      : null,
    replica: values.DATABASE_REPLICA_URL
      ? { url: values.DATABASE_REPLICA_URL, maxLag: values.DATABASE_REPLICA_MAX_LAG }
      : null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    productIndexMemory: values.PRODUCT_INDEX_MEMORY,
    webConcurrency: values.WEB_CONCURRENCY,
    workerMode: values.WORKER_MODE,
    secret: values.MARQUEE_SECRET ?? null,
    publicUrl: values.PUBLIC_URL ?? null,
    defaultCustomerCode: values.DEFAULT_CUSTOMER_CODE ?? null,
    trustedProxies: values.TRUSTED_PROXIES,
    mail: values.SMTP_URL && values.MAIL_FROM ? { url: values.SMTP_URL, from: values.MAIL_FROM } : null,
    overload: {
      concurrency: values.MAX_CONCURRENT_REQUESTS,
      queue: values.MAX_QUEUED_REQUESTS,
      wait: queueWait,
      delay: values.MAX_EVENT_LOOP_DELAY,
    },
    connections: {
      max: values.MAX_CONNECTIONS,
      maxPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
      headersTimeout: values.HEADERS_TIMEOUT * 1000,
      bodyTimeout: values.BODY_TIMEOUT * 1000,
      writeTimeout: values.WRITE_TIMEOUT * 1000,
      keepAliveTimeout: values.KEEP_ALIVE_TIMEOUT * 1000,
    },
    paymentSecrets: readPaymentSecrets(values),
    addressKey: values.ADDRESS_SERVICE_KEY ?? null,
    nameServers: values.NAME_SERVERS,
    mediaStorage: readMediaStorage(values),
    mediaAccel: values.MEDIA_ACCEL ?? null,
    ffmpegPath: values.FFMPEG_PATH ?? null,
    encoders: values.MARQUEE_ENCODERS ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    largestUpload:
      Number.parseInt(values.MARQUEE_MAX_UPLOAD, 10) * (/gb$/i.test(values.MARQUEE_MAX_UPLOAD) ? 1e9 : 1e6),
    metrics:
      values.METRICS_PORT || values.METRICS_TOKEN
        ? { host: values.METRICS_HOST, port: values.METRICS_PORT ?? null, token: values.METRICS_TOKEN ?? null }
        : null,
    otlp: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: values.OTEL_SERVICE_NAME,
          tracedShare: values.OTEL_TRACES_SAMPLER_ARG,
        }
      : null,
    demo: false,
    logLevel: values.LOG_LEVEL,
  }
}
