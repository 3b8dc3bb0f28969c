import { readConfig } from '#api/config.ts'
import { createDeps } from '#api/deps.ts'
import { readEnvironment } from '../environment.ts'
import { requireDatabase, withRecordedMode } from '../installed-database.ts'
import { loadOrCreateSecret } from '../secret.ts'
import { examineDatabase, examineReplica, examineTenancy, openUnchanged } from './database.ts'
import { attempt, type Finding } from './finding.ts'
import { examineDisk, examineEncoder, examineMail, examineNames, examineStorage } from './services.ts'
import { examineStores } from './stores.ts'

/** How to get a database, as the end of a sentence. */
const remedy = 'start it with npm start, or add --new-database to npm run cli -- customer create'

/**
 * Checks the whole installation: its database, services, stores. Changes no data; like a start, it
 * makes grants and a secret that are missing.
 */
export const examineInstallation = async (): Promise<Finding[]> => {
  const settings = await attempt('Configuration', async () => {
    const environment = readEnvironment()
    const config = readConfig({ ...environment.variables, LOG_LEVEL: 'silent' })
    return { environment, config }
  })
  if (settings.failure) return [settings.failure]
  const { environment, config: configured } = settings.value
  await using opened = new AsyncDisposableStack()
  const database = await attempt('Database', async () => {
    requireDatabase(configured, environment, remedy)
    return opened.use(await openUnchanged(configured))
  })
  const { findings, url } = database.failure
    ? { findings: [database.failure], url: null }
    : await examineDatabase(database.value.urls)
  const { NODE_ENV: nodeEnv } = environment.variables
  // Production has the strictest rules.
  const strict = { ...configured, environment: 'production', production: true, demo: false } as const
  const config = url ? await withRecordedMode(configured, url, nodeEnv) : strict
  const services = [examineNames, examineMail, examineStorage, examineEncoder, examineDisk]
  for (const check of services) findings.push(...(await check(config)))
  if (!url) return findings
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataFolder))
  const deps = opened.use(
    createDeps({ databaseUrl: url, jobsDatabaseUrl: configured.database?.jobsUrl, secret, config }),
  )
  return [
    ...findings,
    ...(await examineReplica(deps)),
    ...(await examineTenancy(deps.pool)),
    ...(await examineStores(deps, config)),
  ]
}
