import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** A file as an operator gave it: its place among the sources, and what it was called. */
export interface StoredSource {
  key: string
  name: string
  bytes: number
}

/**
 * Operators' files on their way to a stream. They lie in a folder of this machine whatever the storage is, because an encoder reads
 * them by path, and no address leads to them. A key is `{owner}/{id}/{file}` of letters this module chose; names people gave are
 * only remembered.
 */
export interface Sources {
  /** Copies a file, so that its owner may do with it what they like; throws `SourceStillGrowing` where it changes meanwhile. */
  keep(owner: string, file: { path: string; name: string }): Promise<StoredSource>
  /** Brings a file in that nobody writes to any more, without a byte moved; whoever gave it removes it. `id` names its folder. */
  adopt(owner: string, file: { path: string; name: string; id: string }): Promise<StoredSource>
  pathOf(key: string): string
  /** Takes away a file with its folder; what is not there is no error. */
  remove(key: string): Promise<void>
  /** The folders of an owner, by the beginning of their keys, with the moment each was made; and names there that are no source's. */
  list(owner: string): Promise<{ folders: { prefix: string; madeAt: Date }[]; strays: string[] }>
}

/** A file was written to while it was copied. The message is the sentence an operator reads. */
export class SourceStillGrowing extends Error {
  override name = 'StillGrowing'
}

/** Lies beside a file while it is copied, and says how large it will be. */
export const reservationFile = 'promised'
const folderName = /^[0-9a-f-]{36}$/
const shape = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\/file(?:\.[a-z0-9]{1,8})?$/
const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/'))

export const createSources = (folder: string): Sources => {
  const bringIn = async (
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
    // Without a byte moved where the file system can share them.
    keep: (owner, { name, ...file }) =>
      bringIn(owner, { name, ...file }, async (path, to) => {
        const promise = join(folderOf(to), reservationFile)
        const before = await stat(path)
        await writeFile(promise, String(before.size))
        await copyFile(path, to, constants.COPYFILE_FICLONE)
        const [after, copy] = [await stat(path), await stat(to)]
        if (after.mtimeMs !== before.mtimeMs || after.size !== before.size || copy.size !== before.size)
          throw new SourceStillGrowing(`${name} is still being written: give it when it is whole.`)
        await rm(promise, { force: true })
      }),
    adopt: (owner, file) => bringIn(owner, file, (path, to) => link(path, to).catch(() => copyFile(path, to))),
    remove: (key) => rm(folderOf(pathOf(key)), { recursive: true, force: true }),
    list: async (owner) => {
      const names = await readdir(join(folder, owner)).catch(() => [])
      const found = await Promise.all(
        names.map(async (name) => ({ name, is: await stat(join(folder, owner, name)).catch(() => null) })),
      )
      const isFolder = ({ name, is }: (typeof found)[number]) => folderName.test(name) && is?.isDirectory() === true
      return {
        folders: found.filter(isFolder).map(({ name, is }) => ({ prefix: `${owner}/${name}/`, madeAt: is!.mtime })),
        strays: found.filter((each) => each.is !== null && !isFolder(each)).map(({ name }) => name),
      }
    },
  }
}

/** What a stream needs on the disk beside its source while it is made: the encoded film, its packages, and room to breathe. */
const workPerSourceByte = 2
const workAtLeast = 200e6

/** How much the stream of a source of so many bytes takes while it is made. */
export const encodingSpaceFactor = (sourceBytes: number) => sourceBytes * workPerSourceByte

/** How much a source of so many bytes needs until its stream is whole; with `toCopy`, its own copy too. */
export const spaceNeeded = (sourceBytes: number, { toCopy }: { toCopy: boolean }) =>
  encodingSpaceFactor(sourceBytes) + (toCopy ? sourceBytes : 0) + workAtLeast

/** What this user may still write below a folder, in bytes; the folder is made. */
export const freeSpace = async (folder: string): Promise<number> => {
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** `3.2 GB` */
export const formatSize = (bytes: number) =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toFixed(1)} GB`
    : bytes >= 1e6
      ? `${Math.ceil(bytes / 1e6)} MB`
      : `${Math.ceil(bytes / 1e3)} kB`
