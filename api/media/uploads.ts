import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An upload that is not whole after so long is given up. */
export const uploadLivesMilliseconds = 48 * 3_600_000

/** Uploads of one tenant, in a folder no other tenant's name leads to. They lie on this machine whatever the storage is. */
export const uploadFolder = (dataFolder: string, customerId: string) => join(dataFolder, 'uploads', customerId)

/** What came of an upload that is finished and taken up: kept for a client that missed the answer. */
export interface FinishedUpload {
  bytes: number
  job: string
}

const note = (folder: string, id: string) => join(folder, `${id}.done`)

export const readFinished = (folder: string, id: string): Promise<FinishedUpload | null> =>
  readFile(note(folder, id), 'utf8').then(
    (text) => JSON.parse(text) as FinishedUpload,
    () => null,
  )

/** An upload whose last byte is here; null for any other. */
export const readWhole = async (
  folder: string,
  id: string,
): Promise<{ path: string; name: string; bytes: number } | null> => {
  const path = join(folder, id)
  try {
    const told = JSON.parse(await readFile(`${path}.json`, 'utf8')) as UploadRecord
    const { size: bytes } = await stat(path)
    return told.size === bytes ? { path, name: nameOf(told.metadata ?? {}), bytes } : null
  } catch {
    return null
  }
}

/** What the upload's own program keeps beside it. */
interface UploadRecord {
  size?: number
  metadata?: Record<string, string | null>
}

/** What a file was called where it came from: without the folders of that place, and without what no screen shows. */
export const nameOf = ({ filename }: Record<string, string | null | undefined>) =>
  (filename ?? '').split(/[\\/]/).at(-1)?.replaceAll(/\p{C}/gu, '').trim().slice(0, 200) || 'video'

/**
 * Writes down what came of an upload, and takes it away: its bytes are a source now. The folder may be gone by then: uploads are
 * this machine's own and may be cleared away, while the job is the installation's.
 */
export const finishUpload = async (folder: string, id: string, finished: FinishedUpload) => {
  await mkdir(folder, { recursive: true })
  // Whole or not at all: others may be reading it at this moment.
  const part = `${note(folder, id)}.${randomUUID()}`
  await writeFile(part, JSON.stringify(finished))
  await rename(part, note(folder, id))
  for (const name of [id, `${id}.json`]) await rm(join(folder, name), { force: true })
}

/** Removes files that nobody has touched for longer than an upload lives. */
export const expireUploads = async (dataFolder: string, customerId: string) => {
  const folder = uploadFolder(dataFolder, customerId)
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found?.isFile() && Date.now() - found.mtimeMs > uploadLivesMilliseconds)
      await rm(join(folder, name), { force: true })
  }
}
