/**
 * Takes the README's screenshots from a running demo: `node scripts/screenshots.ts http://aurora.localhost:3000`. The names of the hosts
 * are those of the demo's stores, its port is that of the address.
 */
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { DEMO_EMAIL, DEMO_PASSWORD } from '#demo/seed.ts'
import { ensureChromium } from './chromium.ts'

const { port } = new URL(process.argv[2] ?? 'http://aurora.localhost:3000')
const store = (name: string) => `http://${name}.localhost:${port}`
const folder = join(import.meta.dirname, '../docs/images')
const size = { width: 1440, height: 900 }

const signIn = async (page: Page, origin: string) => {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(DEMO_EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** What each picture shows, by its file's name. */
const pictures: Record<string, (page: Page) => Promise<void>> = {
  home: async (page) => {
    await page.goto(store('aurora'))
  },
  watch: async (page) => {
    await signIn(page, store('aurora'))
    await page.goto(`${store('aurora')}/mypages`)
    await page.locator('a[href*="/watch"]').first().click()
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 4)
  },
  academy: async (page) => {
    await page.goto(`${store('hangang')}/ko/products`)
  },
  subscription: async (page) => {
    await signIn(page, store('aurora'))
    await page.goto(`${store('aurora')}/plans`)
  },
}

const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
for (const [name, show] of Object.entries(pictures)) {
  const page = await browser.newPage({ viewport: size, locale: 'en-US' })
  await show(page)
  await page.waitForLoadState('networkidle')
  await sharp(await page.screenshot())
    .resize(960)
    .webp({ quality: 80 })
    .toFile(join(folder, `${name}.webp`))
  await page.close()
}
await browser.close()
