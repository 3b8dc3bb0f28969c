import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the build writes, and the sources of it. */
const parts = {
  pages: {
    built: 'dist/server/server.js',
    sources: [
      'app',
      'admin',
      'contract',
      'public',
      'app.config.ts',
      'admin.config.ts',
      'lingui.config.ts',
      'admin.lingui.config.ts',
      'package-lock.json',
    ],
  },
  programs: {
    built: 'dist/node/service.js',
    sources: [
      'api',
      'cli',
      'contract',
      'demo/content',
      'demo/seed',
      'demo/seed.ts',
      'server',
      'scripts',
      'package-lock.json',
    ],
  },
} as const
type Part = keyof typeof parts

const newestIn = (path: string): number => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}

/** Whether a part has to be built, because it never was or its sources are newer. */
export const isBuildStale = (part: Part): boolean => {
  const { built, sources } = parts[part]
  const path = join(root, built)
  // The route tree is written by the build itself.
  return !existsSync(path) || sources.some((source) => newestIn(join(root, source)) > statSync(path).mtimeMs)
}

/**
 * Builds the parts whose sources are newer than they are. The output of the build is shown only
 * when it fails.
 *
 * @param onBuild Called before a build begins
 */
export const buildWhatIsStale = async (onBuild: () => void | Promise<void> = () => {}): Promise<void> => {
  const pages = isBuildStale('pages')
  if (!pages && !isBuildStale('programs')) return
  await onBuild()
  // A build that a test starts must not differ from others.
  const { VITEST: _, ...env } = process.env
  const child = spawn(process.execPath, ['scripts/build.ts', ...(pages ? [] : ['--programs'])], {
    cwd: root,
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const code = await new Promise((ended) => child.once('close', ended))
  if (code !== 0) throw new Error(`The build failed:\n${output.trim().split('\n').slice(-30).join('\n')}`)
}
