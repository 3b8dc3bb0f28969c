import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { OperatorError } from '#api/platform/log/log.ts'
import { errorCode } from '#contract/safe-error.ts'
import type { OtherUser } from './postgres-binaries.ts'

const bytesNeeded = 500 * 1024 * 1024

/**
 * Creates folders one by one, because Node's recursive mkdir never ends on file systems such as
 * /proc.
 */
const createFolders = async (folder: string) => {
  if (existsSync(folder)) return
  await createFolders(dirname(folder))
  await mkdir(folder, { mode: 0o755 })
}

/** Returns the name of an account, or its number where the system has no name for it. */
const nameOf = (uid: number) => {
  try {
    return execFileSync('id', ['-un', String(uid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return `with the number ${uid}`
  }
}

const ownerOf = (path: string) =>
  stat(path).then(
    ({ uid }) => uid,
    () => null,
  )

const belongsToAnother = (folder: string, owner: number) => {
  const name = nameOf(owner)
  return new OperatorError(
    `The folder ${folder} is owned by the user ${name}, but Marquee was started by ${userInfo().username}. Start it as ${name}, or set MARQUEE_DATA to another folder.`,
  )
}

/**
 * @throws OperatorError if another account owns the cluster: PostgreSQL opens only its own files
 */
export const requireOwner = async (folder: string, cluster: string, user: OtherUser | null) => {
  const self = process.getuid?.()
  const clusterOwner = await ownerOf(cluster)
  if (self === undefined || clusterOwner === null || clusterOwner === self || clusterOwner === user?.uid) return
  const owner = await ownerOf(folder)
  throw belongsToAnother(folder, owner === null || owner === self ? clusterOwner : owner)
}

export const requireWritable = async (folder: string) => {
  try {
    await createFolders(folder)
    await writeFile(join(folder, '.write-test'), '')
    await rm(join(folder, '.write-test'))
  } catch (error) {
    const code = errorCode(error)
    const owner = await ownerOf(folder)
    if (code === 'EACCES' && owner !== null && owner !== process.getuid?.()) throw belongsToAnother(folder, owner)
    throw new OperatorError(`The folder ${folder} is not writable (${code}). Set MARQUEE_DATA to another folder.`)
  }
}

/**
 * Creates the folder. @throws OperatorError if it cannot be written, or a new database does not
 * fit
 */
export const makeFolder = async (folder: string) => {
  await requireWritable(folder)
  const disk = await statfs(folder)
  if (!existsSync(join(folder, 'cluster')) && disk.bavail * disk.bsize < bytesNeeded)
    throw new OperatorError(
      `The disk of ${folder} has ${Math.floor((disk.bavail * disk.bsize) / 1024 / 1024)} MB left. The database needs at least 500 MB.`,
    )
}
