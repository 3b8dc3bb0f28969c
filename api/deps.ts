import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Clock } from './context.ts'
import { createPool } from './db/client.ts'
import { withTenant } from './db/with-tenant.ts'
import { createShelves, type Shelves } from './domain/catalog/shelf.ts'
import { createLogger } from './log.ts'
import type { PaymentProvider } from './payments/port.ts'
import { createSandbox, type Sandbox } from './payments/sandbox/sandbox.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { secretFor } from './secrets.ts'
import { createTenantCache, type TenantCache } from './tenant-cache.ts'

/** What the API stands on, opened and closed in one place. */
export interface Deps extends AsyncDisposable {
  pool: pg.Pool
  clock: Clock
  log: Logger
  cache: TenantCache
  shelves: Shelves
  /** Signs guest tokens, media addresses and webhooks. */
  secret: string
  /** Who takes the money. */
  payments: PaymentProvider
  /** The embedded provider's own side: its pages and webhooks. */
  sandbox: Sandbox
  /** The origin for addresses that must be absolute, when it is not the request's own. */
  publicUrl: string | null
  trustedProxies: ReadonlySet<string>
  limits: { loginByAccount: RateLimit; loginByAddress: RateLimit }
}

export interface DepsOptions {
  /** Of the role that serves requests. */
  databaseUrl: string
  secret: string
  config: Pick<Config, 'production' | 'logLevel' | 'databasePoolSize' | 'publicUrl' | 'trustedProxies'>
  /** Tests move the time and read the log. */
  clock?: Clock
  log?: Logger
}

export const systemClock: Clock = { now: () => new Date() }

export const createDeps = ({ databaseUrl, secret, config, ...given }: DepsOptions): Deps => {
  const log = given.log ?? createLogger(config)
  const clock = given.clock ?? systemClock
  const pool = createPool(
    { connectionString: databaseUrl, size: config.databasePoolSize, statementTimeout: 9000 },
    (error) => log.warn({ err: error }, 'A database connection broke while idle'),
  )
  const sandbox = createSandbox({
    inTenant: (customerId, work) => withTenant(pool, customerId, work),
    now: clock.now,
    webhookSecret: secretFor(secret, 'sandbox webhooks'),
  })
  return {
    pool,
    clock,
    log,
    cache: createTenantCache(),
    shelves: createShelves(pool),
    secret,
    payments: sandbox.provider,
    sandbox,
    publicUrl: config.publicUrl,
    trustedProxies: new Set(config.trustedProxies),
    limits: {
      loginByAccount: createRateLimit(clock, { attempts: 10, windowSeconds: 15 * 60 }),
      loginByAddress: createRateLimit(clock, { attempts: 50, windowSeconds: 15 * 60 }),
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
