import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** A stored source: its key and its original file name. */
export interface StoredSource {
  key: string
  name: string
  bytes: number
}

/**
 * Source files of operators. They are in a local folder whatever the storage is, because the
 * encoder reads them by path, and they have no public address. A key is `{owner}/{id}/{file}` with
 * generated names; original names are stored separately.
 */
export interface VideoSources {
  /**
   * Copies a file, so that its owner can change it later.
   *
   * @throws SourceStillChanging if the file changes during the copy.
   */
  copyIn(owner: string, file: { path: string; name: string }): Promise<StoredSource>
  /**
   * Links a finished file without copying it; the caller removes the original. `id` names the
   * folder.
   */
  linkIn(owner: string, file: { path: string; name: string; id: string }): Promise<StoredSource>
  pathOf(key: string): string
  /** Removes a file and its folder. Does nothing if the file does not exist. */
  remove(key: string): Promise<void>
  /**
   * Lists the folders of an owner by key prefix with their creation time, and names that belong to
   * no source.
   */
  list(owner: string): Promise<{ folders: { prefix: string; createdAt: Date }[]; unknownNames: string[] }>
}

/** A file changed while it was copied. The message is shown to operators. */
export class SourceStillChanging extends Error {
  override readonly name = 'SourceStillChanging'
}

/** The file beside a source that is being copied. It contains the final size in bytes. */
export const reservationFile = 'reserved'
const folderName = /^[0-9a-f-]{36}$/
const shape = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\/file(?:\.[a-z0-9]{1,8})?$/
const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/'))

/** Creates the private storage of source files in a folder on this machine. */
export const createVideoSources = (folder: string): VideoSources => {
  const store = async (
    owner: string,
    { path, name, id = randomUUID() }: { path: string; name: string; id?: string },
    move: (path: string, to: string) => Promise<void>,
  ): Promise<StoredSource> => {
    const extension = /^\.[a-z0-9]{1,8}$/.exec(extname(name).toLowerCase())?.[0] ?? ''
    const key = `${owner}/${id}/file${extension}`
    const to = pathOf(key)
    await mkdir(folderOf(to), { recursive: true, mode: 0o700 })
    try {
      await rm(to, { force: true })
      await move(path, to)
      return { key, name, bytes: (await stat(to)).size }
    } catch (error) {
      await rm(folderOf(to), { recursive: true, force: true })
      throw error
    }
  }
  const pathOf = (key: string) => {
    if (!shape.test(key)) throw new Error(`${key} is not the key of a source`)
    return join(folder, key)
  }
  return {
    pathOf,
    // Shares the data blocks where the file system supports it.
    copyIn: (owner, { name, ...file }) =>
      store(owner, { name, ...file }, async (path, to) => {
        const reservation = join(folderOf(to), reservationFile)
        const before = await stat(path)
        await writeFile(reservation, String(before.size))
        await copyFile(path, to, constants.COPYFILE_FICLONE)
        const [after, copy] = [await stat(path), await stat(to)]
        if (after.mtimeMs !== before.mtimeMs || after.size !== before.size || copy.size !== before.size)
          throw new SourceStillChanging(`${name} changed while it was copied. Wait until it is complete and try again.`)
        await rm(reservation, { force: true })
      }),
    linkIn: (owner, file) => store(owner, file, (path, to) => link(path, to).catch(() => copyFile(path, to))),
    remove: (key) => rm(folderOf(pathOf(key)), { recursive: true, force: true }),
    list: async (owner) => {
      const names = await readdir(join(folder, owner)).catch(() => [])
      const entries = await Promise.all(
        names.map(async (name) => ({ name, is: await stat(join(folder, owner, name)).catch(() => null) })),
      )
      const existing = entries.flatMap(({ name, is }) => (is ? [{ name, is }] : []))
      const isFolder = ({ name, is }: (typeof existing)[number]) => folderName.test(name) && is.isDirectory()
      return {
        folders: existing
          .filter(isFolder)
          .map(({ name, is }) => ({ prefix: `${owner}/${name}/`, createdAt: is.mtime })),
        unknownNames: existing.filter((each) => !isFolder(each)).map(({ name }) => name),
      }
    },
  }
}

/**
 * Disk space for a stream in progress, relative to its source: encoded film, packages and a
 * reserve.
 */
const workPerSourceByte = 2
const workAtLeast = 200e6

/** Returns the bytes that encoding a source of this size needs. */
export const encodingSpace = (sourceBytes: number) => sourceBytes * workPerSourceByte

/**
 * Returns the bytes that a source needs until its stream is complete; with `toCopy`, including its
 * own copy.
 */
export const spaceNeeded = (sourceBytes: number, { toCopy }: { toCopy: boolean }) =>
  encodingSpace(sourceBytes) + (toCopy ? sourceBytes : 0) + workAtLeast

/** Returns the bytes this user can still write below a folder. Creates the folder. */
export const freeSpace = async (folder: string): Promise<number> => {
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Formats a size: `3.2 GB`. */
export const formatSize = (bytes: number) =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toFixed(1)} GB`
    : bytes >= 1e6
      ? `${Math.ceil(bytes / 1e6)} MB`
      : `${Math.ceil(bytes / 1e3)} kB`
