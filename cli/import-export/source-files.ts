import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import type { SourceFiles } from '#api/modules/import-export/tables/cell-formats.ts'

const outside = 'must be a path below the folder of its table, for example media/poster.jpg'

/** Gives access to the files below a folder. Neither `..` nor a symbolic link leads outside. */
export const sourceFiles = (folder: string): SourceFiles => ({
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
      return facts.isFile() ? { path: file, bytes: facts.size } : 'must be a file, not a folder'
    }
    return null
  },
})
