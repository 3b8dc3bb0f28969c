import { join } from 'node:path'
import type { Config } from '#api/config.ts'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { joinEmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts'

export interface OpenDatabase extends AsyncDisposable {
  /** Of the role that serves requests. */
  url: string
  /** Of the role that owns the tables, where it is known: for making tenants. */
  ownerUrl: string | null
}

export type Progress = (doing: string) => void

/**
 * The configured database, or the program's own; its schema brought up to date. With `join`, the program's own is shared with a
 * store that runs on it already.
 */
export const openDatabase = async (
  { database, dataFolder }: Pick<Config, 'database' | 'dataFolder'>,
  onProgress: Progress = () => {},
  { join: beside = false } = {},
): Promise<OpenDatabase> => {
  if (database) {
    onProgress('Opening the database')
    const url = await prepareDatabase(database)
    const ownerUrl = database.ownerUrl ?? (url === database.url ? null : (database.url ?? null))
    return { url, ownerUrl, [Symbol.asyncDispose]: async () => {} }
  }
  onProgress('Starting the database')
  await using opened = new AsyncDisposableStack()
  const folder = join(dataFolder, 'postgres')
  const joined = beside ? await joinEmbeddedPostgres(folder) : null
  const embedded = opened.use(joined ?? (await openEmbeddedPostgres({ folder, onProgress })))
  const url = await prepareDatabase({ ownerUrl: embedded.ownerUrl })
  const closing = opened.move()
  return { url, ownerUrl: embedded.ownerUrl, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
