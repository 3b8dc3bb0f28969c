import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { createStaticFiles } from '#server/static-files.ts'
import { compressAssets, removeOldAssets } from '../../scripts/old-assets.ts'

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

test('a script is sent as the build has compressed it, and the compressed file has no address', async () => {
  const root = mkdtempSync(join(tmpdir(), 'marquee-build-'))
  writeFileSync(join(root, 'entry.js'), `console.log(${JSON.stringify('a page of the store '.repeat(100))})`)
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [removeOldAssets(), compressAssets()],
    build: { rolldownOptions: { input: join(root, 'entry.js') } },
  })
  const assets = join(root, 'dist/assets')
  const script = readdirSync(assets).find((name) => name.endsWith('.js')) ?? ''
  const compressed = readFileSync(join(assets, `${script}.br`))
  const content = readFileSync(join(assets, script))
  expect(brotliDecompressSync(compressed)).toEqual(content)

  const files = createStaticFiles(join(root, 'dist'))
  // A newer build removes them while the process runs.
  rmSync(assets, { recursive: true })
  const server = createServer(async (request, response) => {
    if (!(await files(request, response))) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const read = async (path: string, encoding: string) => {
    const answer = await new Promise<IncomingMessage>((resolve) =>
      get({ port, path, agent: false, headers: { 'accept-encoding': encoding } }, resolve),
    )
    const parts: Buffer[] = []
    for await (const part of answer) parts.push(part)
    return { status: answer.statusCode, encoding: answer.headers['content-encoding'], body: Buffer.concat(parts) }
  }
  const path = `/assets/${script}`
  expect(await read(path, 'gzip, br')).toEqual({ status: 200, encoding: 'br', body: compressed })
  expect(await read(path, 'identity')).toEqual({ status: 200, encoding: undefined, body: content })
  const gzipped = await read(path, 'gzip')
  expect(gzipped.encoding).toBe('gzip')
  expect(gunzipSync(gzipped.body)).toEqual(content)
  expect(await read(`${path}.br`, 'br')).toMatchObject({ status: 404 })
  await new Promise((resolve) => server.close(resolve))
})
