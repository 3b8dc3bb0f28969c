/**
 * Takes the screenshots of the README and the console’s guide from a running demo: `npm run
 * screenshots -- http://aurora.localhost:3000`, or only the named ones: `… console-order phone`.
 * The names of the hosts are those of the demo's stores, its port is that of the address.
 */
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { DEMO_EMAIL, DEMO_OPERATOR, DEMO_PASSWORD, SECOND_EMAIL } from '#demo/seed.ts'
import { ensureChromium } from './chromium.ts'

const { port } = new URL(process.argv[2] ?? 'http://aurora.localhost:3000')
const store = (name: string) => `http://${name}.localhost:${port}`
const folder = join(import.meta.dirname, '../docs/images')
const desktop = { width: 1440, height: 900 }
const phone = { width: 375, height: 812 }

const signIn = async (page: Page, origin: string, email: string) => {
  await page.goto(`${origin}/login`)
  const form = page.getByRole('main').locator('form')
  await form.locator('[name=email]').fill(email)
  await form.locator('[name=password]').fill(DEMO_PASSWORD)
  await form.locator('[type=submit]').click()
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
}

const openFirstProduct = async (page: Page) => {
  await page.getByRole('main').locator('a[href*="/products/"]').first().click()
  await page.locator('#buy').waitFor()
}

/** Opens a page of the console. */
const openConsole = async (page: Page, path: string, host = 'aurora') => {
  await page.goto(`${store(host)}/admin/${path}`)
  await page.locator('[type=email]').fill(DEMO_OPERATOR)
  await page.locator('[type=password]').fill(DEMO_PASSWORD)
  await page.locator('form [type=submit]').click()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
}

/** Opens a list of the console, and from it what its first link in the table leads to. */
const openInConsole = async (page: Page, list: 'members' | 'orders' | 'products', search = '') => {
  await openConsole(page, list + search)
  await page.getByRole('main').locator(`a[href*="/admin/${list}/"]:not([href$="/new"])`).first().click()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
}

interface Picture {
  show: (page: Page) => Promise<unknown>
  viewport: { width: number; height: number }
  /** The picture's width in pixels. */
  width: number
}

/** The pictures by their file's name. */
const pictures: Record<string, Picture> = {
  home: {
    show: (page) => page.goto(store('aurora')),
    viewport: desktop,
    width: 960,
  },
  product: {
    show: async (page) => {
      await page.goto(`${store('hangang')}/ko/products`)
      await openFirstProduct(page)
    },
    viewport: desktop,
    width: 960,
  },
  watch: {
    show: async (page) => {
      await signIn(page, store('aurora'), DEMO_EMAIL)
      await page.goto(`${store('aurora')}/mypages`)
      await page.locator('a[href*="/watch"]').first().click()
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 4)
    },
    viewport: desktop,
    width: 960,
  },
  checkout: {
    show: async (page) => {
      await signIn(page, store('hangang'), SECOND_EMAIL)
      await page.goto(`${store('hangang')}/ko/products`)
      await openFirstProduct(page)
      await page.locator('#buy a[href*="/payments"]').first().click()
      await page.waitForURL(/\/payments/)
      await page.locator('[name=consent]').waitFor()
    },
    viewport: desktop,
    width: 960,
  },
  'console-analytics': {
    show: (page) => openConsole(page, 'analytics'),
    viewport: desktop,
    width: 960,
  },
  'console-member': {
    show: (page) => openInConsole(page, 'members', `?q=${encodeURIComponent(DEMO_EMAIL)}`),
    viewport: desktop,
    width: 960,
  },
  'console-store': {
    show: (page) => openConsole(page, 'store'),
    viewport: desktop,
    width: 960,
  },
  'console-stores': {
    show: (page) => openConsole(page, 'stores', 'admin'),
    viewport: desktop,
    width: 960,
  },
  'console-product': {
    show: (page) => openInConsole(page, 'products'),
    viewport: desktop,
    width: 960,
  },
  'console-order': {
    show: (page) => openInConsole(page, 'orders'),
    viewport: desktop,
    width: 960,
  },
  phone: {
    show: async (page) => {
      await page.goto(`${store('aurora')}/products`)
      await openFirstProduct(page)
    },
    viewport: phone,
    width: 375,
  },
  'phone-korean': {
    show: (page) => page.goto(`${store('hangang')}/ko/products`),
    viewport: phone,
    width: 375,
  },
}

const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
const names = process.argv.slice(3)
for (const [name, { show, viewport, width }] of Object.entries(pictures)) {
  if (names.length > 0 && !names.includes(name)) continue
  const page = await browser.newPage({ viewport, locale: 'en-US', deviceScaleFactor: 2 })
  // The console's stream of changes never ends, so that its network would never be idle.
  await page.route('**/admin/changes*', (route) => route.abort())
  await show(page)
  await page.waitForLoadState('networkidle')
  await sharp(await page.screenshot())
    .resize(width)
    .webp({ quality: 80 })
    .toFile(join(folder, `${name}.webp`))
  await page.close()
}
await browser.close()
