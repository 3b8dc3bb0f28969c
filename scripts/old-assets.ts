import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const oneHour = 60 * 60 * 1000

/**
 * Removes hashed files of earlier builds once they are an hour old. Until then they stay: a server that still runs, and pages that are
 * open in browsers, load a chunk when they first need it.
 */
export const removeOldAssets = (): Plugin => ({
  name: 'marquee:remove-old-assets',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    const folder = join(dir, 'assets')
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const isOld = Date.now() - statSync(join(folder, name)).mtimeMs > oneHour
      if (isOld && !(`assets/${name}` in bundle)) rmSync(join(folder, name), { force: true })
    }
  },
})
