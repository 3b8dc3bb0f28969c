import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
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
    removeOldFiles(join(dir, 'assets'), new Set(Object.keys(bundle).map((name) => join(dir, name))))
  },
})
