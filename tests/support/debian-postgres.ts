import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { installFromDebian } from './debian.ts'
import { freePort } from './free-port.ts'
import type { StopMode } from './own-postgres.ts'

const pattern = '/usr/lib/postgresql/*/bin/initdb'
const versionOf = (initdb: string) => Number(initdb.split('/')[4])
/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0

/**
 * The programs of Debian's newest PostgreSQL, which has `pg_dump` and `pg_basebackup`, unlike the
 * embedded one.
 *
 * @returns their folder; null where it cannot be had, after a line that says so
 */
export const findDebianPostgres = async (): Promise<string | null> => {
  const missing = await installFromDebian('Debian’s PostgreSQL', [pattern], ['postgresql'])
  const newest = globSync(pattern)
    .toSorted((a, b) => versionOf(a) - versionOf(b))
    .at(-1)
  if (newest) return dirname(newest)
  console.log(`A backup by the programs of PostgreSQL is not tried: ${missing}`)
  return null
}

/** Starts an empty PostgreSQL of Debian in a new folder. It ends with the test. */
export const startDebianPostgres = async (bin: string, folder: string) => {
  const port = await freePort()
  mkdirSync(folder)
  if (isRoot) execFileSync('chown', ['postgres', folder])
  const cluster = join(folder, 'cluster')
  const options = {
    cwd: folder,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'postgres',
      PGDATABASE: 'postgres',
    },
  }
  const asPostgres = (command: string[], stdio: 'ignore' | 'pipe' = 'ignore') => {
    const [program = '', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
    return execFileSync(program, args, { ...options, stdio })
  }
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  const start = () =>
    void asPostgres(['pg_ctl', '-D', cluster, '-l', join(folder, 'log'), '-o', settings, '-w', 'start'])
  const stop = (mode: StopMode) => void asPostgres(['pg_ctl', '-D', cluster, '-m', mode, '-w', 'stop'])
  asPostgres(['initdb', '-D', cluster, '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8'])
  start()
  onTestFinished(() => stop('immediate'))
  const urlOf = (role: string) => `postgres://${role}:secret@127.0.0.1:${port}/marquee`
  return {
    /** The folder of the server's data. */
    cluster,
    start,
    stop,
    superuserUrl: urlOf('postgres'),
    database: { ownerUrl: urlOf('marquee_owner'), url: urlOf('marquee_web') },
    /** Runs a script as the superuser of the database, in a folder. */
    run: (script: string, cwd = folder) => execFileSync('sh', ['-ec', script], { ...options, cwd, stdio: 'pipe' }),
    /** Runs a script as the system's user of PostgreSQL, too. */
    runAsPostgres: (script: string) => asPostgres(['sh', '-ec', script], 'pipe'),
  }
}
