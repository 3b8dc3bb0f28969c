import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const oneHour = 60 * 60 * 1000

/**
 * Removes the files of a folder that earlier builds wrote, once they are an hour old. Until then
 * they stay: a server that still runs, and pages that are open in browsers, load a chunk when they
 * first need it. `current` holds the paths of this build.
 */
export const removeOldFiles = (folder: string, current: ReadonlySet<string>): void => {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if (!current.has(path) && Date.now() - statSync(path).mtimeMs > oneHour) rmSync(path, { force: true })
  }
}

/** Removes hashed files of earlier builds from the folder of the build. */
export const removeOldAssets = (): Plugin => ({
  name: 'marquee:remove-old-assets',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    const current = Object.keys(bundle).map((name) => join(dir, name))
    removeOldFiles(join(dir, 'assets'), new Set([...current, ...current.map((path) => path + compressedEnding)]))
  },
})

/** The ending of a file that holds another one compressed, which `server/static-files.ts` sends. */
const compressedEnding = '.br'

/**
 * Writes scripts and styles once more, compressed with Brotli as small as possible. The server
 * would take a second of CPU for the largest of them.
 */
export const compressAssets = (): Plugin => ({
  name: 'marquee:compress-assets',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    if (this.environment.name !== 'client') return
    for (const name of Object.keys(bundle)) {
      if (!/^assets\/.*\.(?:js|css)$/.test(name)) continue
      const content = readFileSync(join(dir, name))
      const params = {
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      }
      writeFileSync(join(dir, name + compressedEnding), brotliCompressSync(content, { params }))
    }
  },
})
