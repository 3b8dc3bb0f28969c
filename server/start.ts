import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#api/config.ts'
import { createDeps, type Deps } from '#api/deps.ts'
import { type Api, createApi } from '#api/http/app.ts'
import { openMediaHandler } from '#api/http/open-media.ts'
import { keepShelves } from '#api/jobs/keep-shelves.ts'
import { sweepTenants } from '#api/jobs/recurring.ts'
import { startWorker } from '#api/jobs/worker.ts'
import { createAdmission, createLoadGauge } from './admission.ts'
import { recordMode } from './environment.ts'
import { createRequestHandler } from './handle-request.ts'
import { isStranger, listen } from './listen.ts'
import { type OpenDatabase, openDatabase, type Progress } from './open-database.ts'
import { keptSecret } from './secret.ts'
import { loadStorefront, type Storefront } from './storefront.ts'

export interface RunningMarquee extends AsyncDisposable {
  url: string
  api: Api
  deps: Deps
  database: OpenDatabase
}

export interface StartOptions {
  onProgress?: Progress
  /** Before anything is served: the demo fills an empty database here. */
  prepare?: (database: OpenDatabase) => Promise<void>
  /** The storefront to serve; by default the built one. */
  openStorefront?: (config: Config) => Promise<Storefront>
}

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Opens everything the store stands on and serves it. What was opened is closed again in the opposite order: no new requests, those
 * under way, background work, connections, the database.
 */
export const startMarquee = async (
  config: Config,
  { onProgress, prepare, openStorefront = () => loadStorefront(join(root, 'dist')) }: StartOptions = {},
): Promise<RunningMarquee> => {
  await using opened = new AsyncDisposableStack()
  const storefront = opened.use(await openStorefront(config))
  const database = opened.use(await openDatabase(config, onProgress))
  await recordMode(database.url, config.environment)
  const secret = config.secret ?? (await keptSecret(config.dataFolder))
  const deps = opened.use(
    createDeps({ databaseUrl: database.url, secret, config, bundledMedia: join(root, 'demo/media') }),
  )
  await deps.storage.check()
  await prepare?.(database)

  const api: Api = createApi(deps, { settle: async () => void (await sweepTenants(deps, api.fetch)) })
  if (config.worker !== 'apart') opened.use(await startWorker(deps, { databaseUrl: database.url, post: api.fetch }))
  opened.use(keepShelves(deps))
  const media = openMediaHandler(deps)
  const admission = createAdmission(createLoadGauge(deps.pool), config.overload)
  const handler = createRequestHandler({ deps, api, storefront, media, admission })
  const server = opened.use(await listen(handler, { ...config, isCounted: isStranger(deps.trustedProxies) }))

  const closing = opened.move()
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `http://${host}:${server.port}`,
    api,
    deps,
    database,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
