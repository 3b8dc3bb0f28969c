import { join } from 'node:path'
import type { Config } from '#api/config.ts'
import { createLogger } from '#api/platform/log/log.ts'
import { requireFreePort } from './open-port.ts'
import { type ProcessRole, superviseProcesses } from './processes.ts'
import type { RunningProgram } from './run.ts'
import { loadOrCreateSecret } from './secret.ts'

/** Connections of a process beside those for requests: jobs, locks and notifications. */
const otherConnections = 7
/** Connections of commands, and those that PostgreSQL keeps for its administrator. */
const reservedConnections = 20

/**
 * Starts the processes of `WEB_CONCURRENCY` and one for background jobs, unless those are done
 * elsewhere. This process serves nothing: it has the port and the embedded database. A reload
 * replaces the others one at a time.
 */
export const startProcesses = async (config: Config): Promise<RunningProgram> => {
  const { webConcurrency, workerMode, metrics, dataFolder, databasePoolSize } = config
  const log = createLogger(config)
  await requireFreePort(config)
  await using opened = new AsyncDisposableStack()
  const serving = Array.from({ length: webConcurrency }, (_, at): ProcessRole => `serve-${at + 1}`)
  const roles: ProcessRole[] = workerMode === 'external' ? serving : [...serving, 'worker']
  const shared: Record<string, string> = { WORKER_MODE: 'external' }
  if (!config.database) {
    // While a process is replaced, there is one more.
    const maxConnections = (roles.length + 1) * (databasePoolSize + otherConnections) + reservedConnections
    const { openEmbeddedPostgres } = await import('./embedded-postgres.ts')
    const embedded = opened.use(await openEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), maxConnections }))
    shared.DATABASE_OWNER_URL = embedded.ownerUrl
    shared.MARQUEE_SECRET = config.secret ?? (await loadOrCreateSecret(dataFolder))
  }
  const environmentOf = (role: ProcessRole) =>
    metrics?.port ? { ...shared, METRICS_PORT: String(metrics.port + roles.indexOf(role)) } : shared
  const processes = opened.use(await superviseProcesses({ roles, environmentOf, log }))
  log.info({ processes: roles }, 'All processes are ready')
  const closing = opened.move()
  return {
    reload: () => void processes.restart(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
