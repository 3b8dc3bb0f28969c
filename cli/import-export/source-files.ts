import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { SourceFiles } from '#api/modules/import-export/tables/cell-formats.ts'

const outside = 'must be a path below the folder of its table, for example media/poster.jpg'

const picture = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i

interface FolderFiles extends SourceFiles {
  /** The pictures that no cell has named, in the folders below the table's of those that are. */
  unusedPictures: () => Promise<string[]>
}

/** Gives access to the files below a folder. Neither `..` nor a symbolic link leads outside. */
export const sourceFiles = (folder: string): FolderFiles => {
  const opened = new Set<string>()
  return {
    open: async (reference) => {
      if (/^[a-z][a-z0-9+.-]+:/i.test(reference)) return `${outside}, not a URL`
      const path = reference.replaceAll('\\', '/')
      if (isAbsolute(path) || path.split('/').includes('..') || path.includes('\0')) return outside
      const root = await realpath(folder)
      // macOS stores names decomposed (ㅎㅏㄴ), other systems composed.
      for (const form of [path, path.normalize('NFC'), path.normalize('NFD')]) {
        const file = await realpath(join(root, form)).catch(() => null)
        if (file === null) continue
        if (!file.startsWith(root + sep)) return outside
        const facts = await stat(file)
        opened.add(file)
        return facts.isFile() ? { path: file, bytes: facts.size } : 'must be a file, not a folder'
      }
      return null
    },
    unusedPictures: async () => {
      const root = await realpath(folder)
      const folders = new Set([...opened].map(dirname).filter((each) => each !== root))
      const unused: string[] = []
      for (const each of folders)
        for (const entry of await readdir(each, { withFileTypes: true }))
          if (entry.isFile() && picture.test(entry.name) && !opened.has(join(each, entry.name)))
            unused.push(relative(root, join(each, entry.name)))
      return unused.sort()
    },
  }
}
