import type { Page, Route } from 'playwright/test'
import { expect, test } from './store'

/** Holds back what the server answers to the pages' own calls, from now on until it is released. */
async function holdAnswers(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = async (route: Route) => {
    await promise
    await route.continue().catch(() => {})
  }
  await page.route(/_serverFn/, hold)
  return resolve
}

test('a tap on a product is seen within 100 ms, and after 150 ms its page begins with poster, title and price', async ({
  page,
}) => {
  await page.goto('/products')
  await page.waitForLoadState('networkidle')
  const card = page.getByRole('main').getByRole('article').filter({ hasText: 'Night Shift' })
  const price = await card.getByText(/\$\d/).first().textContent()
  // What is hovered is fetched ahead: here the answer is late all the same.
  const release = await holdAnswers(page)
  const link = card.getByRole('link')
  // In frames, for a machine that is busy draws each of them late.
  const framesUntilSeen = link.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const stage = element.closest('article')!.querySelector('div')!
        element.addEventListener('click', () => {
          let frames = 0
          const look = () => {
            frames++
            if (getComputedStyle(stage).scale !== 'none' || frames > 60) resolve(frames)
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        })
      }),
  )
  await link.click()
  // Six frames are 100 ms.
  expect(await framesUntilSeen).toBeLessThanOrEqual(6)

  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Night Shift' })).toBeVisible({ timeout: 2_000 })
  const begun = main
    .locator('[aria-busy]')
    .filter({ has: page.getByRole('heading', { level: 1, name: 'Night Shift' }) })
  await expect(begun.locator('img')).toBeVisible()
  await expect(begun.getByText(price!.trim()).first()).toBeVisible()
  release()
  await expect(main.getByRole('button', { name: 'Add to cart' }).first()).toBeVisible()
  await expect(main.locator('[aria-busy=true]')).toHaveCount(0)
})

test('a loading list shows its skeleton after 150 ms', async ({ page }) => {
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  const release = await holdAnswers(page)
  await page.getByRole('banner').getByRole('link', { name: 'Videos' }).click()
  await expect(page.getByRole('main').locator('[aria-busy]').first()).toBeVisible({ timeout: 2_000 })
  release()
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 800 }, hasTouch: true })

  test('the search icon opens the field with the focus in it, over recent and popular titles', async ({ page }) => {
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    const icon = page.getByRole('button', { name: 'Search', exact: true })
    await icon.tap()
    const sheet = page.getByRole('dialog', { name: 'Search' })
    const field = sheet.getByRole('combobox', { name: 'Search the store' })
    await expect(field).toBeFocused()
    await expect(sheet.getByRole('group', { name: 'Popular now' }).getByRole('option')).toHaveCount(5)
    await expect(sheet.getByRole('group', { name: 'Categories' }).getByRole('option').first()).toBeVisible()
    await field.fill('saturn')
    await expect(sheet.getByRole('option', { name: /Eleven Years to Saturn/ })).toBeVisible()
    await field.press('Enter')
    await expect(page).toHaveURL(/\/products\?q=saturn/)
    await expect(sheet).toBeHidden()

    await icon.tap()
    await field.fill('')
    await expect(
      sheet.getByRole('group', { name: 'Recent searches' }).getByRole('option', { name: 'saturn' }),
    ).toBeVisible()
    await sheet.getByRole('group', { name: 'Popular now' }).getByRole('option').first().tap()
    await expect(page).toHaveURL(/\/products\/[a-z-]+$/)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await page.waitForLoadState('networkidle')

    await icon.tap()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(icon).toBeFocused()
  })
})
