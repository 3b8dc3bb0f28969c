import { expect, test, vi } from 'vitest'
import { quickCommandOf } from '#tests/support/command.ts'
import { asMember } from '#tests/support/media.ts'
import { pageRules } from '#tests/support/pages.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { openStoreServer } from '#tests/support/store-server.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)

/** Every page of the route tree, and paths that are none. */
const paths = [
  ...Object.keys(pageRules).map((path) => path.replace('$code', 'K100').replace('$type', 'terms').replace('$id', '1')),
  '/nowhere',
  '/customer',
  '/customer/nowhere',
  '/products/a/b/c',
  '/en/products',
  '/wp-login.php',
]

const states = [
  { close: ['close'], page: '/customer/site-disabled' },
  { close: ['suspend'], page: '/customer/site-disabled' },
  { close: ['suspend', '--contract'], page: '/customer/contract-expired' },
]

test('a closed store answers every path with its closed page and 503, for guests and members', async () => {
  // The storefront logs that a closed store ends no session.
  for (const level of ['log', 'info'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  const settings = plainSettings()
  settings.base.name = 'Closed Films'
  const tenant = await createTenant(api, { settings })
  const server = await openStoreServer(api, `${tenant.code}.test`)
  const visitors = { guest: {}, member: asMember((await tenant.createMember()).token) }
  const customer = (...args: string[]) => run(['customer', ...args])
  const landing = async (path: string, headers: Record<string, string>) => {
    const answer = await server.visit(path, { headers })
    return { ...answer, at: new URL(answer.path, 'http://store.test').pathname.replace(/^\/en(?=\/)/, '') }
  }

  for (const [who, headers] of Object.entries(visitors)) {
    for (const page of ['/customer/coming-soon', ...states.map((state) => state.page)]) {
      const { at, status } = await landing(page, headers)
      expect([at, status], `${who} at ${page} of an open store`).toEqual(['/', 200])
    }
    for (const path of ['/customer/nowhere', '/customer']) expect((await landing(path, headers)).status).toBe(404)
  }

  for (const [state, { close, page }] of states.entries()) {
    await customer(...close, tenant.code)
    // Who visits and why the store is closed do not depend on each other.
    for (const [who, headers] of Object.entries(visitors).slice(0, state === 0 ? 2 : 1))
      for (const path of paths) {
        const label = `${who} at ${path} of a store after ${close.join(' ')}`
        const { at, status, headers: sent, body } = await landing(path, headers)
        expect([at, status], label).toEqual([page, 503])
        expect(sent['retry-after'], label).toBeTruthy()
        expect(sent['x-robots-tag'], label).toContain('noindex')
        expect(body.match(/<main/g), label).toHaveLength(1)
        expect(body, label).not.toMatch(/href="[^"]*\/(?:login|join|carts|mypages)/)
        expect(body, label).toContain('Closed Films')
      }
    await customer('open', tenant.code, '--force')
  }
}, 180_000)
