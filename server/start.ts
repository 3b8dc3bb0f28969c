import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Api } from '#api/app.ts'
import type { Config } from '#api/config.ts'
import type { Deps } from '#api/deps.ts'
import { hasStore } from '#api/modules/admin/admin.queries.ts'
import { firstStorePath } from '#api/modules/admin/first-store.ts'
import { recordMode } from '#api/modules/tenancy/store-states.ts'
import { type Backend, type BackendOptions, openBackend as openOwnBackend } from './backend.ts'
import { isRemoteClient, listen } from './listen.ts'
import { shareNameLookups } from './name-lookup.ts'
import { type OpenDatabase, openDatabase, type Progress } from './open-database.ts'
import { loadOrCreateSecret } from './secret.ts'
import { type DirectHandler, loadStorefront, type Storefront } from './storefront.ts'
import { openTelemetry, serveMetrics } from './telemetry.ts'

export interface RunningMarquee extends AsyncDisposable {
  url: string
  api: Api
  deps: Deps
  database: OpenDatabase
}

export interface StartOptions {
  onProgress?: Progress
  /** Runs before requests are served. The demo fills an empty database here. */
  prepare?: (database: OpenDatabase) => Promise<void>
  /** A folder of media bundled with the content: the demo's films and pictures. */
  bundledMedia?: string
  /** Opens the storefront; by default the built one. */
  openStorefront?: (config: Config) => Promise<Storefront>
  /** Opens the back end, which development replaces while the server runs. */
  openBackend?: (options: BackendOptions) => Promise<Backend>
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** The handler with the metrics before it, where they are read at the store's port. */
const withMetrics = (metrics: DirectHandler | null, handler: RequestListener): RequestListener =>
  metrics ? async (request, response) => (await metrics(request, response)) || handler(request, response) : handler

/**
 * Starts the storefront, the database, the back end and the server. Disposing closes them in
 * reverse order, after running requests have ended.
 */
export const startMarquee = async (
  config: Config,
  {
    onProgress,
    prepare,
    bundledMedia,
    openStorefront = () => loadStorefront(join(root, 'dist')),
    openBackend = openOwnBackend,
  }: StartOptions = {},
): Promise<RunningMarquee> => {
  await using opened = new AsyncDisposableStack()
  shareNameLookups()
  const telemetry = opened.use(await openTelemetry(config))
  const storefront = opened.use(await openStorefront(config))
  const database = opened.use(await openDatabase(config, onProgress))
  await recordMode(database.url, config.environment)
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataFolder))
  await prepare?.(database)
  const backend = opened.use(
    await openBackend({
      config,
      databaseUrl: database.url,
      ownerUrl: database.ownerUrl,
      jobsDatabaseUrl: database.jobsUrl,
      secret,
      storefront,
      bundledMedia,
    }),
  )
  const isCounted = isRemoteClient(new Set(config.trustedProxies))
  const metrics = await serveMetrics(telemetry, config, backend.deps, opened)
  const server = opened.use(await listen(withMetrics(metrics, backend.handler), { ...config, isCounted }))
  // They would hold up the end of the server.
  opened.defer(() => backend.deps.liveChanges.end())

  const closing = opened.move()
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `http://${host}:${server.port}`,
    api: backend.api,
    deps: backend.deps,
    database,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/**
 * Returns where the first store is created; null if there is a store, or the role that owns the
 * tables is unknown.
 */
export const firstStoreUrl = async ({ deps, url }: Pick<RunningMarquee, 'deps' | 'url'>): Promise<string | null> => {
  if (!deps.asOwner || (await hasStore(deps.pool))) return null
  // A store has a name as its host, not a number.
  const origin = deps.publicUrl ?? url.replace(/\/\/(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=:)/, '//localhost')
  return origin + firstStorePath(deps.secret)
}
