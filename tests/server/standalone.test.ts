import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { buildWhatIsStale } from '#server/build.ts'
import { freePort } from '#tests/support/free-port.ts'
import { writeStandalone } from '../../scripts/standalone.ts'

// Far from node_modules, so that every package must be in the folder itself.
const folder = mkdtempSync(join(tmpdir(), 'marquee-standalone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

const run = promisify(execFile)

test.runIf(process.platform === 'linux')(
  'the standalone folder creates a store and serves it with Node alone',
  async () => {
    await buildWhatIsStale()
    // The database may run as another user.
    chmodSync(folder, 0o755)
    const app = join(folder, 'app')
    const programs = readdirSync(join(import.meta.dirname, '../../dist/node'))
    mkdirSync(join(app, 'data'), { recursive: true })
    for (const file of ['.env', 'data/secret', 'old.js']) writeFileSync(join(app, file), '')
    writeStandalone(app, programs)
    // A build replaces the programs, never the settings and data of a store that runs there.
    expect(readdirSync(app)).toEqual(expect.arrayContaining(['.env', 'data']))
    expect(readdirSync(join(app, 'data'))).toEqual(['secret'])
    expect(readdirSync(app)).not.toContain('old.js')
    const port = await freePort()
    // No PATH: nothing of the machine is used.
    const env = { MARQUEE_DATA: join(folder, 'data'), PORT: String(port), DEFAULT_CUSTOMER_CODE: 'acme' }
    const command = (...args: string[]) => run(process.execPath, ['cli.mjs', ...args], { cwd: app, env })
    const store = ['--code', 'acme', '--name', 'Acme', '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
    await command('customer', 'create', ...store, '--new-database')
    await command('customer', 'open', 'acme', '--force')

    const server = spawn(process.execPath, ['server.mjs'], { cwd: app, env, stdio: 'ignore' })
    const ended = once(server, 'exit')
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })
    const page = await vi.waitFor(() => get('/'), { timeout: 60_000, interval: 50 })
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(html).toContain('Acme')
    expect((await get(/src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? '/no script')).status).toBe(200)
    const settings = await get('/api/v1/customers/acme/site-settings')
    expect(await settings.json()).toMatchObject({ base: { name: 'Acme' } })
    expect((await get('/admin')).status).toBe(200)
    // A file of a package.
    expect((await get('/api/v1/docs/swagger-ui.css')).status).toBe(200)
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
  180_000,
)
