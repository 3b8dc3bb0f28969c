import type { Page } from 'playwright/test'
import { pageRules } from '../support/pages'
import { command } from './command'
import { newMember } from './new-member'
import { expect, test } from './store'

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
  { close: ['close'], page: '/customer/coming-soon' },
  { close: ['suspend'], page: '/customer/site-disabled' },
  { close: ['suspend', '--contract'], page: '/customer/contract-expired' },
]

/**
 * The answers to a browser at each path, after redirects, with its cookies; one after the other,
 * as capacity is limited.
 */
const answersAt = (page: Page, paths: readonly string[]) =>
  page.evaluate(async (paths) => {
    const answers = []
    for (const path of paths) {
      const answer = await fetch(path, { headers: { accept: 'text/html' } })
      const header = (name: string) => answer.headers.get(name) ?? ''
      answers.push({
        path,
        at: new URL(answer.url).pathname,
        status: answer.status,
        html: await answer.text(),
        retryAfter: header('retry-after'),
        robots: header('x-robots-tag'),
      })
    }
    return answers
  }, paths)

test('a closed store answers every path with its closed page and 503, for guests and members', async ({
  page,
  browser,
  store,
  baseURL,
}, { retry }) => {
  // Several commands are run beside a store that draws hundreds of pages.
  test.setTimeout(300_000)
  const code = `closed-${retry}`
  const customer = (...args: string[]) => command(baseURL!, ['customer', ...args])
  const place = ['--host', `${code}.localhost`, '--currency', 'USD', '--timezone', 'UTC']
  await customer('create', '--code', code, '--name', 'Closed Films', ...place)
  await customer('open', code, '--force')
  await newMember(page, store.at(code))
  await page.goto(store.at(code))
  store.expected.push(/503/, /404/)
  const guest = await (await browser.newContext()).newPage()
  await guest.goto(store.at(code))

  const closedPages = states.map((state) => state.page)
  for (const visitor of [guest, page]) {
    for (const { at, status, path } of await answersAt(visitor, closedPages))
      expect([at, status], `${path} of an open store`).toEqual(['/', 200])
    expect(await answersAt(visitor, ['/customer/nowhere', '/customer'])).toMatchObject([
      { status: 404 },
      { status: 404 },
    ])
  }

  for (const state of states) {
    await customer(...state.close, code)
    for (const [who, visitor] of Object.entries({ guest, member: page })) {
      for (const { path, at, status, retryAfter, robots, html } of await answersAt(visitor, paths)) {
        const label = `${who} at ${path} of a store after ${state.close.join(' ')}`
        expect([at.replace(/^\/en/, ''), status], label).toEqual([state.page, 503])
        expect(retryAfter, label).toBeTruthy()
        expect(robots, label).toContain('noindex')
        expect(html.match(/<main/g), label).toHaveLength(1)
        expect(html, label).not.toMatch(/href="[^"]*\/(?:login|join|carts|mypages)/)
        expect(html, label).toContain('Closed Films')
      }
    }
    await customer('open', code, '--force')
  }
  await guest.context().close()
})

test('a preview link shows a store before its opening, with draft pages, only to its holder', async ({
  page,
  browser,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(/503/, /404/)
  const code = `soon-${retry}`
  const place = ['--host', `${code}.localhost`, '--currency', 'USD', '--timezone', 'UTC']
  const { stdout } = await command(baseURL!, ['customer', 'create', '--code', code, '--name', 'Soon Films', ...place])
  const preview = /\/\?preview=\S+/.exec(stdout)?.[0] ?? ''

  await page.goto(store.at(code, '/products'))
  await expect(page.getByRole('heading', { level: 1, name: 'Coming soon' })).toBeVisible()
  await expect(page.getByText('Soon Films').first()).toBeVisible()
  await expect(page.getByRole('link', { name: /Sign in|Join/ })).toHaveCount(0)

  await page.goto(store.at(code, preview))
  expect(new URL(page.url()).search).toBe('')
  await expect(page.getByText('Preview: this store isn’t open yet.')).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of use' }).click()
  await expect(page.getByRole('main')).toContainText('[DRAFT]')

  await command(baseURL!, ['customer', 'open', code, '--force'])
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(store.at(code, '/'))
  await expect(visitor.getByRole('contentinfo').getByRole('link', { name: 'Terms of use' })).toHaveCount(0)
  expect((await visitor.goto(store.at(code, '/pages/terms')))?.status()).toBe(404)
  await visitor.goto(store.at(code, '/join/input'))
  await expect(visitor.getByRole('link', { name: 'Read the terms' })).toHaveCount(0)
  await visitor.context().close()
})
