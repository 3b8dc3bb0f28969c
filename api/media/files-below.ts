import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { isPlaylist } from './content-type.ts'
import { type MediaKey, parseMediaKey } from './key.ts'

export const filesBelow = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

interface FileToPut {
  path: string
  key: MediaKey
  /** A playlist: it names other files, and is stored when they are there. */
  last: boolean
}

/** What lies below a folder with the keys it is to have, playlists behind the rest and the master's behind those. */
export const filesToPut = async (prefix: MediaKey, folder: string): Promise<FileToPut[]> => {
  const files = (await filesBelow(folder)).map((path) => {
    const name = relative(folder, path).replaceAll(sep, '/')
    const key = parseMediaKey(`${prefix}/${name}`)
    if (!key)
      throw new Error(`${name} cannot be stored: its name may have letters, digits, hyphens, underscores and dots.`)
    return { path, key, last: isPlaylist(key) }
  })
  const rank = ({ key, last }: FileToPut) => (key.endsWith('/master.m3u8') ? 2 : Number(last))
  return files.sort((a, b) => rank(a) - rank(b))
}
