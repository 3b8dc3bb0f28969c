import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const hashed = /[\w.-]+-[\w-]{8}\.(?:js|css|woff2)/g
const isHashed = new RegExp(`^${hashed.source}$`)
const hasText = /\.(?:js|css|json|html)$/
const isCompressed = /\.br$/

/**
 * Copies a standalone folder as a newer build would be: each file with a hash in its name has
 * another one, and the build has this id. A second build of the sources would take a minute.
 */
export const writeNewerBuild = (from: string, to: string, buildId: string): void => {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  const dist = join(to, 'dist')
  rmSync(join(dist, 'compiled'), { recursive: true, force: true })
  const { id } = JSON.parse(readFileSync(join(dist, 'client/builds/latest.json'), 'utf8'))
  const quotedId = new RegExp(`(["'\`])${id}\\1`, 'g')
  const all = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const compressed = new Set(
    all.filter(({ name }) => isCompressed.test(name)).map(({ parentPath, name }) => join(parentPath, name)),
  )
  for (const path of compressed) rmSync(path)
  const files = all.filter(({ name }) => !isCompressed.test(name))
  const names = new Map(
    files
      .map(({ name }) => name)
      .filter((name) => isHashed.test(name))
      .map((name, at) => [name, name.replace(/-[\w-]{8}(?=\.\w+$)/, `-${String(at).padStart(8, '0')}`)]),
  )
  for (const { parentPath, name } of files) {
    const path = join(parentPath, names.get(name) ?? name)
    renameSync(join(parentPath, name), path)
    if (!hasText.test(name)) continue
    const text = readFileSync(path, 'utf8').replaceAll(hashed, (one) => names.get(one) ?? one)
    const changed = text.replaceAll(quotedId, `"${buildId}"`)
    writeFileSync(path, changed)
    if (compressed.has(`${join(parentPath, name)}.br`))
      writeFileSync(`${path}.br`, brotliCompressSync(changed, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }))
  }
}
