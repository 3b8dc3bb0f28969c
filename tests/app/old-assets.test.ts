import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { removeOldAssets } from '../../scripts/old-assets.ts'

test('a build keeps recent chunks of earlier builds and removes older ones', async () => {
  const root = mkdtempSync(join(tmpdir(), 'marquee-build-'))
  const assets = join(root, 'dist/assets')
  mkdirSync(assets, { recursive: true })
  writeFileSync(join(root, 'entry.js'), 'import("./chunk.js").then(({ text }) => console.log(text))')
  writeFileSync(join(root, 'chunk.js'), 'export const text = "a page"')
  writeFileSync(join(assets, 'recent-AAAA.js'), '')
  writeFileSync(join(assets, 'old-BBBB.js'), '')
  const longAgo = Date.now() / 1000 - 2 * 60 * 60
  utimesSync(join(assets, 'old-BBBB.js'), longAgo, longAgo)
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [removeOldAssets()],
    build: { emptyOutDir: false, rolldownOptions: { input: join(root, 'entry.js') } },
  })
  const remaining = readdirSync(assets)
  expect(remaining).toContain('recent-AAAA.js')
  expect(remaining).not.toContain('old-BBBB.js')
  expect(remaining.some((name) => name.startsWith('chunk-'))).toBe(true)
})
