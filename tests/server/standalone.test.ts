import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { buildWhatIsStale } from '#server/build.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { writeStandalone } from '../../scripts/standalone.ts'

// Far from node_modules, so that every package must be in the folder itself.
const folder = mkdtempSync(join(tmpdir(), 'marquee-standalone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

const run = promisify(execFile)

test.runIf(process.platform === 'linux')(
  'the standalone folder creates a store with Node alone, where a visitor joins, signs in and fills the cart',
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
    const mails = await startMailServer()
    const env = {
      MARQUEE_DATA: join(folder, 'data'),
      PORT: String(port),
      DEFAULT_CUSTOMER_CODE: 'acme',
      SMTP_URL: mails.url,
      MAIL_FROM: 'store@example.com',
    }
    const command = (...args: string[]) => run(process.execPath, ['cli.mjs', ...args], { cwd: app, env })
    const store = ['--code', 'acme', '--name', 'Acme', '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
    await command('customer', 'create', ...store, '--new-database')
    await command('customer', 'open', 'acme', '--force')
    await command('catalog', 'import', join(import.meta.dirname, '../../docs/example-store'), '-c', 'acme')

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
    const product = await get('/products/K100')
    const productHtml = await product.text()
    const picture = await get(/src="(\/p\/[^"]+|\/media\/[^"]+)"/.exec(productHtml)?.[1] ?? '/no picture')
    expect([picture.status, picture.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image'])

    const cookies = new Map<string, string>()
    const send = async (path: string, value: object | URLSearchParams) => {
      const isForm = value instanceof URLSearchParams
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          origin: `http://127.0.0.1:${port}`,
          cookie: [...cookies].map(([name, text]) => `${name}=${text}`).join('; '),
          ...(!isForm && { 'content-type': 'application/json' }),
        },
        body: isForm ? value : JSON.stringify(value),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', text = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, text)
      }
      return answer
    }
    const base = '/api/v1/customers/acme'
    const account = { email: 'sora@example.com', password: 'a lamp beside the river' }
    const person = { name: 'Sora Lee', phone: '+12133734253', agreeTerms: true, agreePrivacy: true, isOldEnough: true }
    const { token } = await (await send(`${base}/join/verifications`, { ...account, ...person })).json()
    const mail = await vi.waitFor(
      () => {
        const [first] = mails.received
        if (!first) throw new Error('No email has arrived')
        return first
      },
      { timeout: 30_000, interval: 50 },
    )
    const code = /\b\d{6}\b/.exec(mail.text)?.[0]
    expect((await send(`${base}/join/verifications/confirm`, { token, code })).status).toBe(200)
    expect((await send(`${base}/join`, { token })).status).toBeLessThan(300)
    const session = await send(`${base}/login`, account)
    expect((await send('/api/approval', await session.json())).status).toBeLessThan(300)
    const form = productHtml.split('<form').find((part) => part.split('>', 1)[0]?.includes('action="/carts"')) ?? ''
    const fields = new URLSearchParams()
    for (const [tag] of (form.split('</form>', 1)[0] ?? '').matchAll(/<(?:input|button)[^>]*\sname="[^>]*>/g)) {
      const [name, text] = ['name', 'value'].map((key) => new RegExp(`\\s${key}="([^"]*)"`).exec(tag)?.[1])
      if (name) fields.append(name, text ?? '')
    }
    expect((await send('/carts', fields)).status).toBe(303)
    const cart = await fetch(`http://127.0.0.1:${port}/carts`, {
      headers: { accept: 'text/html', cookie: [...cookies].map(([name, text]) => `${name}=${text}`).join('; ') },
    })
    expect(await cart.text()).toContain('Drawing with one line')
    // A file of a package.
    expect((await get('/api/v1/docs/swagger-ui.css')).status).toBe(200)
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await mails.close()
  },
  180_000,
)
