import type { RequestListener } from 'node:http'
import { type Api, createApi } from '#api/app.ts'
import type { Config } from '#api/config.ts'
import { createDeps, type Deps } from '#api/deps.ts'
import { openMediaHandler } from '#api/http/media-requests.ts'
import { warmProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { watchHealth } from '#api/platform/telemetry/telemetry.ts'
import { startWorker, sweepTenants } from '#api/worker.ts'
import { createAdmission, createLoadGauge } from './admission.ts'
import { createRequestHandler } from './handle-request.ts'
import { shareNameLookups } from './name-lookup.ts'
import type { Storefront } from './storefront.ts'

export interface Backend extends AsyncDisposable {
  api: Api
  deps: Deps
  handler: RequestListener
}

export interface BackendOptions {
  config: Config
  /** The URL of the role that serves requests. */
  databaseUrl: string
  /** The URL of the role that owns the tables, where it is known. */
  ownerUrl?: string | null
  /** The same database without a pooler. */
  jobsDatabaseUrl?: string | undefined
  secret: string
  storefront: Storefront
  /** A folder of media that came with the content, read where the storage has no such file. */
  bundledMedia?: string | undefined
}

/**
 * Opens the API with its resources, its background work and the request handler. In development all
 * of it is replaced when one of its files changes.
 */
export const openBackend = async ({
  config,
  databaseUrl,
  ownerUrl,
  jobsDatabaseUrl,
  secret,
  storefront,
  bundledMedia,
}: BackendOptions): Promise<Backend> => {
  await using opened = new AsyncDisposableStack()
  const nameLookups = shareNameLookups()
  const deps = opened.use(
    createDeps({ databaseUrl, ownerUrl, jobsDatabaseUrl, secret, config, bundledMedia, nameLookups }),
  )
  storefront.logTo((level, facts, message) => deps.log[level](facts, message))
  await deps.storage.check()
  opened.use(watchHealth(deps.health))
  const api: Api = createApi(deps, { settle: async () => void (await sweepTenants(deps, api.fetch)) })
  if (config.workerMode !== 'external') opened.use(await startWorker(deps, api.fetch))
  opened.use(warmProductIndexes(deps))
  const admission = createAdmission(createLoadGauge(deps.pool), config.overload)
  const media = openMediaHandler(deps, { isBusy: admission.isOverloaded })
  const handler = createRequestHandler({ deps, api, storefront, media, admission })
  const closing = opened.move()
  return { api, deps, handler, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
