import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
const cache = resolve('node_modules/.cache/pgbouncer')
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Debian 12 has 1.18 alone. The packages of Debian 13 run beside it with their own libraries. */
const sources = {
  current: { suite: 'trixie', libraries: ['libcares2', 'libevent-2.1-7t64', 'libssl3t64'] },
  old: { suite: 'bookworm', libraries: ['libc-ares2', 'libevent-2.1-7', 'libssl3'] },
} as const
export type PgBouncerAge = keyof typeof sources

const sharedLibraries = 'libc6 libpam0g libsystemd0 libaudit1 libcap-ng0 libcap2 zlib1g libzstd1 liblz4-1 liblzma5'
const otherLibraries = 'libgcrypt20 libgpg-error0'

/** Unpacks PgBouncer of a suite of Debian with the libraries that it needs. */
const unpack = async (age: PgBouncerAge, folder: string) => {
  const { suite, libraries } = sources[age]
  const place = await mkdtemp(join(tmpdir(), 'marquee-pgbouncer-'))
  await mkdir(join(place, 'lists/partial'), { recursive: true })
  await mkdir(join(place, 'cache/archives/partial'), { recursive: true })
  const list = join(place, 'sources.list')
  await writeFile(list, `deb [signed-by=${keyring}] http://deb.debian.org/debian ${suite} main\n`)
  // Without the installed packages, whose newer versions it would look for.
  await writeFile(join(place, 'status'), '')
  const places = {
    'Etc::sourcelist': list,
    'Etc::sourceparts': '/nonexistent',
    'State::lists': `${place}/lists`,
    'State::status': `${place}/status`,
  }
  const options = Object.entries({ ...places, Cache: `${place}/cache` }).flatMap(([name, value]) => [
    '-o',
    `Dir::${name}=${value}`,
  ])
  // It reads the folder as another user otherwise.
  options.push('-o', 'APT::Sandbox::User=root', '-q')
  const apt = (...args: string[]) => run('apt-get', [...options, ...args], { cwd: place, timeout: 120_000 })
  await apt('update')
  await apt('download', 'pgbouncer', ...libraries, ...sharedLibraries.split(' '), ...otherLibraries.split(' '))
  const root = join(place, 'root')
  for (const file of globSync('*.deb', { cwd: place })) await run('dpkg', ['-x', join(place, file), root])
  await mkdir(cache, { recursive: true })
  await rename(root, folder).catch(() => run('cp', ['-a', root, folder]))
  await rm(place, { recursive: true, force: true })
}

/** The command of PgBouncer. @returns null where it cannot be had, after a line that says so */
export const findPgBouncer = async (age: PgBouncerAge = 'current'): Promise<string[] | null> => {
  const folder = join(cache, age)
  if (process.getuid?.() !== 0 || !existsSync(keyring)) {
    console.log('PgBouncer is not tried: this needs Debian, and root for its packages.')
    return null
  }
  try {
    if (!existsSync(join(folder, 'usr/sbin/pgbouncer'))) await unpack(age, folder)
  } catch (error) {
    console.log(`PgBouncer is not tried, because Debian's packages cannot be had: ${(error as Error).message}`)
    return null
  }
  const [loader] = globSync(`${folder}/{usr/,}lib{64,/*}/ld-linux-*.so.*`)
  const libraries = globSync(`${folder}/{usr/,}lib/*-linux-*`)
  return [loader ?? '', '--library-path', libraries.join(':'), join(folder, 'usr/sbin/pgbouncer')]
}

/** Settings beside those of `deploy`; null leaves one of them out. */
export type PgBouncerSettings = Record<string, string | number | null>

export interface TestDatabase {
  url: string
  ownerUrl: string
  /** The direct address, where `url` goes through PgBouncer. */
  jobsUrl?: string
}

/** A database whose requests go through PgBouncer at this port; null leaves it as it is. */
export const throughPooler = (database: TestDatabase, port: number | null): TestDatabase => {
  if (port === null) return database
  const pooled = new URL(database.url)
  pooled.port = String(port)
  return { ...database, url: pooled.href, jobsUrl: database.url }
}

interface PgBouncerOptions {
  command: readonly string[]
  /** The server behind it, and the roles that it lends connections of. */
  urls: readonly string[]
  settings?: PgBouncerSettings
}

/** Starts PgBouncer with the file of `deploy`, for all databases of a server. */
export const startPgBouncer = async ({ command, urls, settings = {} }: PgBouncerOptions) => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-pgbouncer-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new URL(urls[0] ?? '')
  const values = { listen_addr: '127.0.0.1', listen_port: port, auth_file: join(folder, 'userlist.txt'), ...settings }
  const isOwn = (line: string) => Object.keys(values).some((name) => line.startsWith(`${name} =`))
  const template = readFileSync(join(import.meta.dirname, '../../deploy/pgbouncer/pgbouncer.ini'), 'utf8')
  const ini = template
    .replace('marquee = host=database port=5432', `* = host=127.0.0.1 port=${server.port}`)
    .split('\n')
    .filter((line) => !isOwn(line))
  const lines = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [`${name} = ${value}`]))
  await writeFile(join(folder, 'pgbouncer.ini'), [...ini, ...lines, ''].join('\n'))
  const users = urls
    .map((url) => new URL(url))
    .map((url) => `"${url.username}" "${decodeURIComponent(url.password)}"\n`)
  await writeFile(join(folder, 'userlist.txt'), users.join(''))
  const [program = '', ...args] = command
  const child = spawn(program, [...args, '-u', 'nobody', join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const through = (url: string) => throughPooler({ url, ownerUrl: url }, port).url
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    const probe = new pg.Client({ connectionString: through(urls[0] ?? '') })
    probe.on('error', () => {})
    const isReady = await probe.connect().then(
      () => true,
      () => false,
    )
    await probe.end().catch(() => {})
    if (isReady) break
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('PgBouncer did not start.')
  }
  return {
    port,
    /** The address of a database of the server through PgBouncer. */
    through,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
