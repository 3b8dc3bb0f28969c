import type { Locator, Page } from 'playwright/test'
import { expect, test } from './store'

const widths = [375, 768, 1440, 1920, 2560]

async function resizeTo(page: Page, width: number) {
  await page.setViewportSize({ width, height: 1000 })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

const edgesOf = async (element: Locator) => {
  const box = (await element.boundingBox())!
  return { start: Math.round(box.x), end: Math.round(box.x + box.width) }
}

/** Where a block's content begins and ends: its box without its padding. */
const contentEdges = (element: Locator) =>
  element.evaluate((block) => {
    const { left, right } = block.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(block)
    return {
      start: Math.round(left + Number.parseFloat(paddingLeft)),
      end: Math.round(right - Number.parseFloat(paddingRight)),
    }
  })

const pages = {
  '/': 'section ~ div',
  '/products': '> div',
  '/products/the-last-light': '> article',
  '/mypages': '> div',
}

test('header, content and footer share their edges at every width, and rows of cards reach those of the window', async ({
  page,
  store,
}) => {
  await store.signIn()
  await page.goto('/')
  const row = page
    .getByRole('main')
    .locator('section ul')
    .filter({ has: page.locator('article') })
    .first()
  for (const width of [...widths, 3440]) {
    await resizeTo(page, width)
    expect({ width, ...(await edgesOf(row)) }).toEqual({ width, start: 0, end: width })
  }
  for (const [path, block] of Object.entries(pages)) {
    await store.navigate(path)
    for (const width of widths) {
      await resizeTo(page, width)
      const header = await contentEdges(page.getByRole('banner').locator('> div').first())
      const footer = await contentEdges(page.getByRole('contentinfo').locator('> *').first())
      const content = await contentEdges(page.getByRole('main').locator(block).first())
      expect({ path, width, ...content }).toEqual({ path, width, ...header })
      expect({ path, width, ...footer }).toEqual({ path, width, ...header })
      // A wide window shows more, not more margin.
      expect(header.start, `${path} at ${width}`).toBeLessThanOrEqual(56)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path} at ${width}`).toBe(
        0,
      )
    }
  }
})

test('pages of an account share one column and one heading, which names the page', async ({ page, store }) => {
  await store.signIn()
  const headings = {
    '/mypages': 'Your account',
    '/mypages/order-histories': /^Orders \d/,
    '/mypages/subscription': 'Subscription',
    '/mypages/subscription/histories': /^Billing history \d/,
    '/mypages/cards': 'Payment methods',
    '/mypages/inquiries/input': 'Contact support',
    '/mypages/profile': 'Profile',
  }
  await page.goto('/mypages/order-histories')
  const order = await page.getByRole('main').locator('a[href*="/order-histories/2"]').first().getAttribute('href')
  const shapes: { path: string; width: number; size: string; start: number; end: number | null }[] = []
  for (const [path, name] of Object.entries({
    ...headings,
    [order!]: /^Order \W?2/,
    [`${order}/receipt`]: 'Receipt',
  })) {
    await store.navigate(path)
    for (const width of [375, 1920]) {
      await resizeTo(page, width)
      const heading = page.getByRole('main').getByRole('heading', { level: 1 })
      await expect(heading, path).toHaveCount(1)
      await expect(heading, path).toHaveAccessibleName(name)
      const [size, { start, end }] = await Promise.all([
        heading.evaluate((element) => getComputedStyle(element).fontSize),
        contentEdges(page.locator('main nav + div')),
      ])
      // The overview shows rows of pictures, which continue beyond the edge.
      shapes.push({ path, width, size, start, end: path === '/mypages' && width > 375 ? null : end })
    }
  }
  for (const { path, width, ...shape } of shapes) {
    const shared = shapes.find((other) => other.path === '/mypages/profile' && other.width === width)!
    const end = path === '/mypages' && width > 375 ? null : shared.end
    expect({ path, width, ...shape }).toEqual({ path, width, size: shared.size, start: shared.start, end })
  }
})

test('the columns of a list grow with the window, and their number divides a page of 24', async ({ page, store }) => {
  await page.goto(store.at('hangang', '/products'))
  const columns: number[] = []
  for (const width of widths) {
    await resizeTo(page, width)
    const tops = await page
      .getByRole('main')
      .getByRole('article')
      .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().top)))
    columns.push(tops.filter((top) => top === tops[0]).length)
  }
  for (const count of columns) expect(24 % count, `${count} columns`).toBe(0)
  for (const [at, count] of columns.entries())
    if (at > 0) expect(count, String(columns)).toBeGreaterThan(columns[at - 1] ?? 0)
})
