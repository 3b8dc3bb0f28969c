import type { Page } from 'playwright/test'
import { type AxeOptions, axeViolations, rulesOfThemeAndWidth } from './axe'
import { createStore, enterAsOwner, enterConsole, signedOut } from './console'
import { expect, test } from './store'

/** The lists of the console, whose requests can be held and fail. */
const lists = [
  '/',
  '/analytics',
  '/orders',
  '/deposits',
  '/subscriptions',
  '/products',
  '/categories',
  '/plans',
  '/videos',
  '/videos/library',
  '/jobs',
  '/content',
  '/content/faq',
  '/content/pages',
  '/content/banners',
  '/members',
  '/comments',
  '/inquiries',
  '/saved-replies',
  '/cases',
  '/mails',
  '/suppressed-addresses',
  '/staff',
  '/staff/roles',
  '/staff/tokens',
  '/webhooks',
  '/audit',
]

const forms = [
  '/account',
  '/imports',
  '/products/new',
  '/plans/new',
  '/content/notices/new',
  '/content/faq/new',
  '/content/pages/new',
  '/content/banners/new',
  '/content/home',
  '/content/menu',
  '/store',
  '/store/domains',
  '/store/payments',
  '/settings',
]

/** Lists whose first row leads to the page of an object. */
const withObjects = [
  '/orders',
  '/products',
  '/plans',
  '/videos/library',
  '/content',
  '/content/faq',
  '/content/pages',
  '/content/banners',
  '/members',
]

/** Screenshots are taken where somebody wants to look at them. */
const shots = process.env.CONSOLE_SHOTS

const settled = async (page: Page) => {
  await expect(page.locator('main h1:not([data-left])')).toBeVisible()
  await expect(
    page.locator('main [aria-busy=true]').or(page.locator('main').getByText(/^(Loading|불러오는 중)$/)),
  ).toHaveCount(0)
}

/** Begins to open another page as a link does, and marks the present one. */
const leaveFor = (page: Page, path: string) =>
  page.evaluate((to) => {
    document.querySelector('main h1')?.setAttribute('data-left', '')
    history.pushState({}, '', to)
  }, `/admin${path}`)

const open = async (page: Page, path: string) => {
  await leaveFor(page, path)
  await settled(page)
}

const drawIn = (page: Page, theme: 'light' | 'dark') =>
  page.evaluate((chosen) => document.documentElement.setAttribute('data-theme', chosen), theme)

interface Variant {
  theme: 'light' | 'dark'
  /** The page must fit each of them. axe runs at the last one. */
  widths: number[]
  /** Options of the axe run. */
  options?: AxeOptions
}

/** What is wrong with the page that is shown: in each width, and to axe. */
const faultsOf = async (page: Page, name: string, { theme, widths, options }: Variant) => {
  const faults: string[] = []
  await drawIn(page, theme)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (excess > 0) faults.push(`${name}: ${excess} px too wide at ${width}`)
  }
  const at = `${theme}, ${widths.at(-1)} px`
  for (const violation of await axeViolations(page, options)) faults.push(`${name}: ${violation} (${at})`)
  if (shots)
    await page.screenshot({
      path: `${shots}/${name.replaceAll('/', '_')}-${widths.at(-1)}-${theme}.png`,
      fullPage: true,
    })
  return faults
}

const firstObject = async (page: Page): Promise<string | undefined> => {
  const links = await page
    .locator('main table tbody a, main li a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const here = new URL(page.url()).pathname
  const link = links.find(
    (each) => each.startsWith(here.replace('/library', '')) || each.startsWith('/admin/content/notices/'),
  )
  return link?.replace('/admin', '')
}

// The second language has the same elements: only what theme and width change is checked once more.
for (const { language, ...variant } of [
  { language: 'en', theme: 'light', widths: [390, 1024, 1920, 1440] },
  { language: 'ko', theme: 'dark', widths: [1024, 390], options: { rules: rulesOfThemeAndWidth } },
] satisfies (Variant & { language: string })[])
  test(`every page of the console fits its widths and is accessible: ${language}, ${variant.theme}`, async ({
    page,
    store,
  }) => {
    test.slow()
    // Other tests delete members, products and videos that a list has just shown.
    store.expected.push(signedOut, /404.*\/admin\/(?:members|products|videos)\//)
    await page.addInitScript((chosen) => localStorage.setItem('console-language', chosen), language)
    await page.goto('/admin/account')
    await page.locator('input[type=email]').fill('operator@example.com')
    await page.locator('input[type=password]').fill('marquee-demo')
    await page.locator('button[type=submit]').click()
    await settled(page)
    const faults: string[] = []
    for (const path of [...lists, ...forms]) {
      await open(page, path)
      let object: string | undefined
      if (withObjects.includes(path))
        await expect.poll(async () => (object = await firstObject(page)), path).toBeDefined()
      faults.push(...(await faultsOf(page, path, variant)))
      if (!object) continue
      await open(page, object)
      faults.push(...(await faultsOf(page, `${path}/object`, variant)))
    }
    expect(faults).toEqual([])
  })

test('every list of the console says that it is empty, and each is accessible', async ({ page, store, baseURL }, {
  retry,
}) => {
  const code = `walk-${retry}`
  await createStore(baseURL!, code, 'Empty')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/account' })
  await settled(page)
  const faults: string[] = []
  for (const path of lists) {
    await open(page, path)
    faults.push(
      ...(await faultsOf(page, `empty${path}`, { theme: 'light', widths: [1024, 390], options: { within: 'main' } })),
    )
  }
  expect(faults).toEqual([])
})

test('every list of the console shows that it loads, and offers to try again where it fails', async ({
  page,
  store,
}) => {
  store.expected.push(/503/)
  const failure = { code: 'UNAVAILABLE', message: 'The store is unavailable.', errors: {}, requestId: 'e2e' }
  // No change of another test loads a list again.
  await page.route('**/admin/changes', (route) => route.fulfill({ status: 503, json: failure }))
  await enterConsole(page, '/account')
  await settled(page)
  const main = page.locator('main')
  const faults: string[] = []
  let held = Promise.resolve()
  await page.route('**/api/v1/customers/**', async (route) => {
    await held
    await route.fulfill({ status: 503, json: failure })
  })
  for (const path of lists) {
    const { promise, resolve: release } = Promise.withResolvers<void>()
    held = promise
    await leaveFor(page, path)
    // The page before has a button to try again as well.
    await expect(main.locator('[data-left]')).toHaveCount(0)
    await expect(main).toContainText(/\S/)
    for (const violation of await axeViolations(page, { within: 'main' })) faults.push(`loading ${path}: ${violation}`)
    release()
    await expect(main.getByRole('button', { name: 'Try again' }).first(), path).toBeVisible()
    await expect(main.getByText('Loading…'), path).toHaveCount(0)
    for (const violation of await axeViolations(page, { within: 'main' })) faults.push(`failing ${path}: ${violation}`)
  }
  await page.unrouteAll({ behavior: 'wait' })
  expect(faults).toEqual([])
})
