import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { signedOut } from './console'
import { newMember, password } from './new-member'
import { expect, secondsPlayed, test } from './store'

// The storefront as a Worker, apart from the API it reaches over HTTP.

/** The store without the Worker, which does not show the demo's mailbox: one port below. */
const directly = (worker: string) => {
  const url = new URL(worker)
  url.port = String(Number(url.port) - 1)
  return url.origin
}

test('a guest browses, fills the cart, signs in, and still has the cart', async ({ page, store }) => {
  const email = await newMember(page, directly(store.at('aurora')))
  await page.context().clearCookies()
  await page.goto('/')
  await expect(page).toHaveTitle(/Aurora/)
  await page.getByRole('link', { name: 'The Last Light', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'The Last Light' })).toBeVisible()

  await page.goto('/products')
  await page.getByRole('checkbox', { name: /^Free/ }).check()
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(12)

  await page.goto('/products/turning-tiles')
  await page.getByRole('button', { name: 'Add to cart' }).first().click()
  await expect(page.getByRole('link', { name: /In your cart/ }).first()).toBeVisible()

  await store.signInByForm(email, '/login', password)
  await page.goto('/carts')
  const remove = page.getByRole('button', { name: 'Remove Turning Tiles from cart' })
  await expect(remove).toBeVisible()
  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  // The provider's page comes from the API, by the address the visitor knows.
  await page.waitForURL(new RegExp(`^${new URL(page.url()).origin}/sandbox/`))
  await expect(page.getByLabel('Card number')).toBeVisible()

  await page.goto('/carts')
  await remove.click()
  await expect(remove).toHaveCount(0)
})

test('each host shows its own store with its pictures and films', async ({ page, store }) => {
  await page.goto(store.at('hangang'))
  await expect(page.locator('html')).toHaveAttribute('lang', /en|ko/)
  await expect(page).toHaveTitle(/Hangang/)
  await page.goto('/products/the-last-light')
  const picture = page.getByRole('main').locator('img').first()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await page
    .getByRole('button', { name: /Preview/ })
    .first()
    .click()
  await expect.poll(() => secondsPlayed(page.getByRole('dialog'))).toBeGreaterThan(0.5)
})

test('concurrent guests each receive a complete page', async ({ page }) => {
  await page.goto('/faq')
  const answers = await page.evaluate(() =>
    Promise.all(
      Array.from({ length: 18 }, async () => {
        const response = await fetch('/products?page=2', { headers: { accept: 'text/html' } })
        const html = await response.text()
        return `${response.status} ${html.endsWith('</html>')} ${html.includes('</article>')}`
      }),
    ),
  )
  expect(answers).toEqual(Array(18).fill('200 true true'))
})

test('the console of a store is served, with its own policy', async ({ page, store }) => {
  store.expected.push(signedOut)
  const answer = await page.goto('/admin')
  expect(answer?.headers()['content-security-policy']).toMatch(/script-src 'self';/)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

test('an unknown URL answers 404, and a refused sign-in shows an error in the form', async ({ page, store }) => {
  store.expected.push(/404/, /401/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('main')).toContainText('Page not found: /no/such/page')

  await page.goto('/login')
  await page.getByLabel('Email', { exact: false }).fill('member@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
})

test('the Worker bundle contains no Node-only code', () => {
  // What Cloudflare's own Node compatibility provides, and React, the router and the cache ask for.
  const provided = ['async_hooks', 'buffer', 'diagnostics_channel', 'module', 'process', 'timers'].map(
    (name) => `node:${name}`,
  )
  const folder = join(import.meta.dirname, '../../.output/cloudflare/server')
  const files = globSync('**/*.mjs', { cwd: folder })
  expect(files.length).toBeGreaterThan(50)
  const outside = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const { module } = parseSync(file, text)
    const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1))
    return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...lazy]
      .filter((specifier) => !specifier.startsWith('.') && !provided.includes(specifier))
      .map((specifier) => `${file} → ${specifier}`)
  })
  expect(outside).toEqual([])
})
