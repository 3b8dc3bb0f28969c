import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { OperatorError } from '#api/platform/log/log.ts'
import { joinEmbeddedPostgres, openEmbeddedPostgres, removeEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { isPublicPath } from '#server/postgres-binaries.ts'
import { copyDatabaseTemplate } from '#tests/support/database-template.ts'

const asRoot = process.getuid?.() === 0
const modulePath = fileURLToPath(new URL('../../server/embedded-postgres.ts', import.meta.url))

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-pg-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}
/** A folder with a database that does not run: a copy, because creating one takes a second. */
const filledFolder = async () => {
  const folder = await newFolder()
  await copyDatabaseTemplate(folder)
  return folder
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await removeEmbeddedPostgres(folder)
})

const query = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Opens the database in a process of its own, writes a row, and kills the process. */
const writeAndDie = (folder: string) => {
  const program = `
    import { openEmbeddedPostgres } from ${JSON.stringify(modulePath)}
    import pg from 'pg'
    const { ownerUrl } = await openEmbeddedPostgres({ folder: ${JSON.stringify(folder)} })
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    await client.query('CREATE TABLE IF NOT EXISTS kept (n int)')
    await client.query('INSERT INTO kept VALUES (1)')
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise<NodeJS.Signals | null>((ended) => child.once('close', (_, signal) => ended(signal)))
}

describe('the embedded PostgreSQL', () => {
  test('keeps its data and its password from one start to the next', async () => {
    const folder = await newFolder()
    {
      await using first = await openEmbeddedPostgres({ folder, maxConnections: 150 })
      await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS n')
      expect(await query(first.ownerUrl, 'SHOW max_connections')).toEqual([{ max_connections: '150' }])
    }
    await using second = await openEmbeddedPostgres({ folder })
    expect(await query(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }])
    expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600)
    const wrong = second.ownerUrl.replace(/:[^:@]+@/, ':wrong@')
    await expect(query(wrong, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
  })

  test('is started again at the same port, with all commits, when it was killed', async () => {
    const folder = await filledFolder()
    {
      await using database = await openEmbeddedPostgres({ folder })
      await query(database.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS n')
      const pid = async () => Number((await readFile(join(folder, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0])
      const killed = await pid()
      process.kill(killed, 'SIGKILL')
      await vi.waitFor(async () => expect(await query(database.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]), {
        timeout: 20_000,
        interval: 100,
      })
      expect(await pid()).not.toBe(killed)
    }
    expect(await joinEmbeddedPostgres(folder)).toBeNull()
  })

  test('is started again, with all commits, after its owner was killed', async () => {
    const folder = await filledFolder()
    expect(await writeAndDie(folder)).toBe('SIGKILL')
    expect(await writeAndDie(folder)).toBe('SIGKILL')
    await using again = await openEmbeddedPostgres({ folder })
    expect(await query(again.ownerUrl, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 2 }])
  })

  test('belongs to one process at a time; a command may connect to it', async () => {
    const folder = await filledFolder()
    await using owner = await openEmbeddedPostgres({ folder })
    await expect(openEmbeddedPostgres({ folder })).rejects.toThrow(/is in use by another Marquee process \(\d+\)/)
    await using joined = await joinEmbeddedPostgres(folder)
    expect(joined?.ownerUrl).toBe(owner.ownerUrl)
  })

  test('stops when it is closed', async () => {
    const folder = await filledFolder()
    const database = await openEmbeddedPostgres({ folder })
    await database[Symbol.asyncDispose]()
    expect(await joinEmbeddedPostgres(folder)).toBeNull()
    await expect(query(database.ownerUrl, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/)
  })

  test('reports in a sentence that its folder is not writable', async () => {
    const folder = await newFolder()
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    const opening = openEmbeddedPostgres({ folder: join(file, 'postgres') })
    await expect(opening).rejects.toThrow(OperatorError)
    await expect(opening).rejects.toThrow(/is not writable \(ENOTDIR\)\. Set MARQUEE_DATA to another folder\.$/)
    await expect(openEmbeddedPostgres({ folder: '/proc/marquee' })).rejects.toThrow(/is not writable/)
  })

  test('reports in a sentence that its data are of another version', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'cluster'))
    await writeFile(join(folder, 'cluster/PG_VERSION'), '15\n')
    await expect(openEmbeddedPostgres({ folder })).rejects.toThrow(
      /was created by PostgreSQL 15, but this version of Marquee uses PostgreSQL 18/,
    )
  })

  test.runIf(asRoot)('reports at once the owner of a folder that another user created', async () => {
    const folder = await filledFolder()
    execFileSync('chown', ['-R', 'daemon', folder])
    const began = Date.now()
    const sentence = `The folder ${folder} is owned by the user daemon, but Marquee was started by root. Start it as daemon, or set MARQUEE_DATA to another folder.`
    await expect(openEmbeddedPostgres({ folder })).rejects.toThrow(new OperatorError(sentence))
    expect(Date.now() - began).toBeLessThan(2000)
    await expect(removeEmbeddedPostgres(folder)).resolves.toBeUndefined()
  })

  test.runIf(asRoot && isPublicPath(modulePath))('reports to another user that root created the folder', async () => {
    const folder = await filledFolder()
    for (const operation of ['openEmbeddedPostgres({ folder })', 'removeEmbeddedPostgres(folder)']) {
      const program = `
        import * as postgres from ${JSON.stringify(modulePath)}
        const folder = ${JSON.stringify(folder)}
        await postgres.${operation}.catch((error) => console.log(error.message))`
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
        uid: 1,
        gid: 1,
        cwd: '/',
        encoding: 'utf8',
      })
      expect(output).toContain(`The folder ${folder} is owned by the user root, but Marquee was started by daemon`)
    }
  })

  test('takes over the lock of a process that no longer exists', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'owner.lock'), '999999999 1')
    await using _database = await openEmbeddedPostgres({ folder })
    expect(await readFile(join(folder, 'owner.lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} `))
  })
})
