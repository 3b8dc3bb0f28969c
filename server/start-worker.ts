import { createApi } from '#api/app.ts'
import { readConfig } from '#api/config.ts'
import { createDeps } from '#api/deps.ts'
import { watchHealth } from '#api/platform/telemetry/telemetry.ts'
import { startWorker } from '#api/worker.ts'
import { readEnvironment } from './environment.ts'
import { requireDatabase, withRecordedMode } from './installed-database.ts'
import { shareNameLookups } from './name-lookup.ts'
import { openDatabase } from './open-database.ts'
import { loadOrCreateSecret } from './secret.ts'
import { openTelemetry, serveMetrics } from './telemetry.ts'

/**
 * Starts background work alone, beside processes that serve.
 *
 * @throws OperatorError if there is no database yet
 */
export const startWorkerProcess = async (): Promise<AsyncDisposable> => {
  const nameLookups = shareNameLookups()
  const environment = readEnvironment()
  const fileConfig = readConfig(environment.variables)
  requireDatabase(fileConfig, environment, 'start the service first, with npm start')
  await using opened = new AsyncDisposableStack()
  const telemetry = opened.use(await openTelemetry(fileConfig))
  const database = opened.use(await openDatabase(fileConfig, () => {}, { join: true }))
  const config = await withRecordedMode(fileConfig, database.url, environment.variables.NODE_ENV)
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataFolder))
  const databases = { databaseUrl: database.url, jobsDatabaseUrl: database.jobsUrl }
  const deps = opened.use(createDeps({ ...databases, secret, config, nameLookups }))
  opened.use(watchHealth(deps.health))
  opened.use(await startWorker(deps, createApi(deps).fetch))
  await serveMetrics(telemetry, config, deps, opened)
  deps.log.info('The worker is running')
  return opened.move()
}
