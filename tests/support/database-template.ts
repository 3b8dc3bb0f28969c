import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openEmbeddedPostgres, removeEmbeddedPostgres } from '#server/embedded-postgres.ts'

const run = promisify(execFile)
const templates = resolve('node_modules/.cache/test-database')

/** Keeps owners and modes: PostgreSQL may run as a user of its own. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to])

/** What decides how a migrated database looks: its sources, and the versions of all packages. */
const keyOfTemplate = async () => {
  const files = ['package-lock.json']
  for await (const file of glob(
    '{api/platform/db/**/*.{ts,sql,json},server/*postgres*.ts,tests/support/database-template.ts}',
  ))
    files.push(file)
  const hash = createHash('sha256').update(process.arch)
  for (const file of files.sort()) hash.update(file).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

const appUrlFile = 'app-url'

/** A migrated database of the server, which tests copy for databases of their own. */
export const templateDatabase = 'marquee_template'

const migrated = async (folder: string) => {
  // Loading it takes a second, and most runs find a template.
  const { prepareDatabase } = await import('#api/platform/db/migrate.ts')
  await using embedded = await openEmbeddedPostgres({ folder, durable: false })
  // Each of a run's many connections would compute 4096 iterations.
  const owner = new pg.Client({ connectionString: embedded.ownerUrl })
  await owner.connect()
  await owner.query('ALTER SYSTEM SET scram_iterations = 1')
  await owner.query('SELECT pg_reload_conf()')
  await owner.end()
  await writeFile(join(folder, appUrlFile), await prepareDatabase({ ownerUrl: embedded.ownerUrl }))
  // A database is copied while nobody is connected to it.
  const elsewhere = new pg.Client({ connectionString: new URL('/template1', embedded.ownerUrl).href })
  await elsewhere.connect()
  await elsewhere.query(`CREATE DATABASE ${templateDatabase} TEMPLATE postgres ALLOW_CONNECTIONS false`)
  await elsewhere.end()
}

/** The address of the role that serves requests, for a folder filled by `copyDatabaseTemplate`. */
export const appUrlOf = async (folder: string, ownerUrl: string): Promise<string> => {
  const url = new URL(await readFile(join(folder, appUrlFile), 'utf8'))
  url.port = new URL(ownerUrl).port
  return url.href
}

/**
 * Fills a new folder with a migrated database that does not run. Makes it once for each state of
 * the migrations; copying it takes a tenth of the time.
 */
export const copyDatabaseTemplate = async (folder: string): Promise<void> => {
  // Without `cp`, the database is made in the folder itself.
  if (process.platform === 'win32') return migrated(folder)
  const key = await keyOfTemplate()
  const template = join(templates, key)
  if (!existsSync(template)) {
    const made = `${folder}.template`
    await migrated(made)
    await mkdir(templates, { recursive: true })
    const ours = `${template}.${process.pid}`
    await copy(made, ours)
    // Another run that made the same one may have been faster.
    await rename(ours, template).catch(() => rm(ours, { recursive: true }))
    const others = (await readdir(templates)).filter((name) => !name.startsWith(key))
    for (const name of others) await rm(join(templates, name), { recursive: true, force: true })
    await removeEmbeddedPostgres(made)
  }
  await copy(`${template}/.`, folder)
}
