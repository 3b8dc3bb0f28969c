import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Attempt } from '#api/db/queries/video-jobs.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Whose folder it is: written first of all, so that what a killed process leaves can be told from what is under way. */
interface Owner extends Attempt {
  customerId: CustomerId
  host: string
  process: number
}

export interface WorkFolder {
  folder: string
  asset: string
  preview: string
  posters: string
  work: string
}

const root = (dataFolder: string) => join(dataFolder, 'work')
/** Folders are called by the stream that is made in them, so that no two attempts at a job share one. */
const stream = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ownerFile = 'owner.json'

/** A folder for one attempt at a job. */
export const openWorkFolder = async (
  dataFolder: string,
  customerId: CustomerId,
  { id, attempts, videoId }: Attempt,
): Promise<WorkFolder> => {
  const folder = join(root(dataFolder), videoId)
  const made = {
    folder,
    ...{ asset: join(folder, 'asset'), preview: join(folder, 'preview') },
    ...{ posters: join(folder, 'posters'), work: join(folder, 'work') },
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const owner: Owner = { id, attempts, videoId, customerId, host: hostname(), process: process.pid }
  await writeFile(join(folder, ownerFile), JSON.stringify(owner))
  for (const part of [made.asset, made.preview, made.posters, made.work]) await mkdir(part)
  return made
}

export const removeWorkFolder = (dataFolder: string, { videoId }: Pick<Attempt, 'videoId'>) =>
  rm(join(root(dataFolder), videoId), { recursive: true, force: true })

const ownerOf = (dataFolder: string, videoId: string): Promise<Owner | null> =>
  readFile(join(root(dataFolder), videoId, ownerFile), 'utf8').then(
    (text) => JSON.parse(text) as Owner,
    () => null,
  )

/** The folders there are; `owner` is null where the process was killed before it had written who it was. */
export const listWorkFolders = async (dataFolder: string): Promise<{ videoId: string; owner: Owner | null }[]> => {
  const names = (await readdir(root(dataFolder)).catch(() => [])).filter((name) => stream.test(name))
  return Promise.all(names.map(async (videoId) => ({ videoId, owner: await ownerOf(dataFolder, videoId) })))
}

/** Whether the process behind a folder is known to be gone. One of another machine is not known of. */
export const isOwnerGone = ({ host, process: id }: Owner): boolean => {
  if (host !== hostname()) return false
  // A process in a container has the number of the one before it.
  if (id === process.pid) return true
  try {
    process.kill(id, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
