import { expect, test } from './store.ts'

test.use({ viewport: { width: 375, height: 812 } })

test('on phones the next step and its price stay at the bottom edge until the offer is visible', async ({
  page,
  store,
}) => {
  await page.goto(store.at('aurora', '/products/the-last-light'))
  const bar = page.getByRole('link', { name: 'Choose an option' })
  await expect(bar).toBeInViewport()
  await expect(bar.locator('..').getByText('From $1.29')).toBeInViewport()
  await bar.click()
  await expect(page.getByRole('link', { name: /^Buy now/ }).first()).toBeInViewport()
  await expect(bar).toBeHidden()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect(bar).toBeVisible()
  // Nothing at the end of the page stays behind it.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const last = await page.getByRole('contentinfo').evaluate((footer) => footer.getBoundingClientRect().bottom)
  const top = await bar.evaluate((link) => link.parentElement!.getBoundingClientRect().top)
  expect(last).toBeLessThanOrEqual(top)
})

test('a free lesson is shown before the price of a course', async ({ page, store }) => {
  await page.goto(store.at('hangang', '/en/products/all-round-beginner'))
  const free = await page.getByRole('link', { name: /free/i }).first().boundingBox()
  const price = await page.getByRole('radio').first().boundingBox()
  expect(free!.y).toBeLessThan(price!.y)
})

test('the access filter counts the products it then lists, and a single length has no filter', async ({
  page,
  store,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(store.at('aurora', '/products'))
  const plan = page.getByRole('checkbox', { name: /With a plan/ })
  const label = await page.locator('label', { has: plan }).innerText()
  const count = /(\d+)\s*$/.exec(label)![1]
  await plan.check()
  await expect(page.getByText(`${count} products`, { exact: true })).toBeVisible()
  await page.goto(store.at('aurora', '/products?access=PURCHASE_OR_PLAN'))
  await expect(page.getByRole('link', { name: 'Remove With a plan' })).toBeVisible()
  // Every film of this store is shorter than a minute: a filter of one length narrows nothing.
  await expect(page.getByRole('group', { name: 'Length' })).toHaveCount(0)
})
