import { join } from 'node:path'
import type { Config } from '#api/config.ts'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { joinEmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts'

export interface OpenDatabase extends AsyncDisposable {
  /** The URL of the role that serves requests. */
  url: string
  /** The same database without a pooler, where `url` goes through one. */
  jobsUrl?: string | undefined
  /** The URL of the role that owns the tables, where it is known. Creating tenants needs it. */
  ownerUrl: string | null
}

export type Progress = (doing: string) => void

/**
 * Opens the configured or the embedded database and migrates its schema. With `join`, uses the
 * embedded database of a service that is already running.
 */
export const openDatabase = async (
  { database, dataFolder }: Pick<Config, 'database' | 'dataFolder'>,
  onProgress: Progress = () => {},
  { join: joinsRunning = false } = {},
): Promise<OpenDatabase> => {
  if (database) {
    onProgress('Opening the database')
    const url = await prepareDatabase(database)
    const ownerUrl = database.ownerUrl ?? (url === database.url ? null : (database.url ?? null))
    return { url, jobsUrl: database.jobsUrl, ownerUrl, [Symbol.asyncDispose]: async () => {} }
  }
  onProgress('Starting the database')
  await using opened = new AsyncDisposableStack()
  const folder = join(dataFolder, 'postgres')
  const joined = joinsRunning ? await joinEmbeddedPostgres(folder) : null
  const embedded = opened.use(joined ?? (await openEmbeddedPostgres({ folder, onProgress })))
  const url = await prepareDatabase({ ownerUrl: embedded.ownerUrl })
  const closing = opened.move()
  return { url, ownerUrl: embedded.ownerUrl, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
