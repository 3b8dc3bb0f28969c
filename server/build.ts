import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '#api/platform/log.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The sources of the built storefront. */
const sources = ['app', 'contract', 'public', 'app.config.ts', 'lingui.config.ts', 'package-lock.json']

const newestIn = (path: string): number => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}

/** Whether the storefront has to be built, because it never was or its sources are newer. */
export const isBuildStale = () => {
  const built = join(root, 'dist/server/server.js')
  // The route tree is written by the build itself.
  return !existsSync(built) || sources.some((source) => newestIn(join(root, source)) > statSync(built).mtimeMs)
}

/** Builds the storefront. The output of the build is shown only when it fails. */
export const buildStorefront = async () => {
  // A build that a test starts must not differ from others.
  const { VITEST: _, ...env } = process.env
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'app.config.ts'],
    {
      cwd: root,
      env: { ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk
    })
  const code = await new Promise((ended) => child.once('close', ended))
  if (code !== 0)
    throw new StartupError(`The storefront could not be built:\n${said.trim().split('\n').slice(-30).join('\n')}`)
}
