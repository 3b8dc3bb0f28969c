import type { Locator, Page } from 'playwright/test'
import { axeViolations } from './axe'
import { openModal, previewDetail } from './conformance-page'
import { expect, test } from './store'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/**
 * The first layer above an element. A pane over the whole window is placed on one layer after the
 * other, and `elementFromPoint` returns the element or the pane, whichever is on top.
 */
async function layerOf(element: Locator): Promise<number> {
  await expect(element).toBeVisible()
  return element.evaluate((target) => {
    const { left, top, width } = target.getBoundingClientRect()
    const [x, y] = [left + Math.min(width / 2, 60), top + 8]
    const pane = document.createElement('div')
    pane.style.cssText = 'position: fixed; inset: 0; opacity: 0; pointer-events: auto'
    document.body.append(pane)
    const isAbove = (layer: number) => {
      pane.style.zIndex = String(layer)
      return target.contains(document.elementFromPoint(x, y))
    }
    const candidates = [1, 99, 100, 999, 1000, 1099, 1100, 1199, 1200, 2_000_000]
    const covered = candidates.find((layer) => !isAbove(layer)) ?? Number.POSITIVE_INFINITY
    pane.remove()
    return covered
  })
}

const menus: { name: string; open: (page: Page) => Promise<Locator> }[] = [
  {
    name: 'the category menu',
    open: async (page) => {
      await page.getByRole('button', { name: 'Browse' }).click()
      return page.getByRole('navigation', { name: 'Categories' })
    },
  },
  {
    name: 'the account menu',
    open: async (page) => {
      await page.getByRole('banner').locator('summary').nth(1).click()
      return page.getByRole('banner').locator('details[open] > div')
    },
  },
  {
    name: 'the language menu',
    open: async (page) => {
      await page.getByRole('banner').locator('summary').first().click()
      return page.getByRole('banner').locator('details[open] > div')
    },
  },
  {
    name: 'the suggestions of the search',
    open: async (page) => {
      await page.getByRole('banner').getByRole('combobox', { name: 'Search the store' }).fill('light')
      return page.getByRole('listbox').locator('..')
    },
  },
]

test('every menu of the header is on layer 1000 and has no axe violations while open', async ({ page, store }) => {
  await store.signIn()
  await page.goto('/products')
  await page.waitForLoadState('networkidle')
  for (const { name, open } of menus) {
    // 1000 is the first layer that covers it: it is above everything up to 999.
    expect(await layerOf(await open(page)), name).toBe(1000)
    expect(await axeViolations(page), name).toEqual([])
    expect(await layerOf(page.getByRole('banner').getByRole('link', { name: 'Aurora' }).first()), name).toBe(1000)
    await page.keyboard.press('Escape')
    await expect.poll(() => layerOf(page.getByRole('banner')), name).toBe(100)
  }
})

test('a modal is on layer 1100, above an open menu', async ({ page }) => {
  await page.goto('/products')
  await page.waitForLoadState('networkidle')
  const detail = await previewDetail(page)
  const menu = await menus[0]!.open(page)
  await expect(menu).toBeVisible()
  const { x, y } = (await menu.boundingBox())!
  await openModal(page, detail)
  const dialog = page.getByRole('dialog')
  expect(await layerOf(dialog)).toBe(1100)
  const covered = await page.evaluate(
    ([left, top]) => !document.elementFromPoint(left!, top!)?.closest('#category-menu'),
    [x + 20, y + 20],
  )
  expect(covered).toBe(true)
})

test('a modal closes the sheets of a narrow screen, which have no axe violations', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto('/products')
  await page.waitForLoadState('networkidle')
  const detail = await previewDetail(page)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.locator('#mobile-menu')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await openModal(page, detail)
  expect(await layerOf(page.getByRole('dialog'))).toBe(1100)
  expect(await axeViolations(page)).toEqual([])
  await expect(page.locator('#mobile-menu')).toBeHidden()
})

test('a menu closes by Escape, which restores the focus, by a press outside and when the focus leaves', async ({
  page,
}) => {
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  const button = page.getByRole('button', { name: 'Browse' })
  const menu = page.getByRole('navigation', { name: 'Categories' })
  await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Tab')
  expect(await menu.evaluate((panel) => panel.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await page.getByRole('main').click({ position: { x: 10, y: 600 } })
  await expect(menu).toBeHidden()
  await button.click()
  await page.getByRole('contentinfo').getByRole('link').first().focus()
  await expect(menu).toBeHidden()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the category menu opens and links to a category', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Browse' }).click()
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/products\?category=/)
  })
})

const unknownModal = { name: 'nothingLikeIt', visible: true }

test('toasts are below the header, equal ones are merged, and they close with their page', async ({ page }) => {
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  const toast = page.locator('[data-scope=toast][data-part=root]')
  for (const scrolled of [0, 300]) {
    await page.evaluate((y) => scrollTo(0, y), scrolled)
    // It closes after three seconds, in which a busy machine may not look. The pointer holds it.
    await expect(async () => {
      await openModal(page, unknownModal)
      await openModal(page, unknownModal)
      await toast.hover({ timeout: 2_000 })
    }).toPass()
    await expect(toast).toHaveCount(1)
    const header = (await page.getByRole('banner').boundingBox())!
    await expect
      .poll(async () => ((await toast.boundingBox())?.y ?? 0) - header.y - header.height, `scrolled ${scrolled}`)
      .toBeGreaterThanOrEqual(8)
  }
  // One region announces it: a live region within another would be read twice.
  expect(
    await toast.evaluate((element) => {
      const live = '[aria-live]:not([aria-live=off]), [role=status], [role=alert]'
      let count = 0
      for (let at: Element | null = element; at; at = at.parentElement) if (at.matches(live)) count++
      return count
    }),
  ).toBe(1)
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('footer a[href="/notices"]')?.click())
  await expect(page).toHaveURL(/\/notices$/)
  await expect(toast).toHaveCount(0)
})
