import { expect, test } from './store'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

for (const [tenant, width] of [
  ['aurora', 375],
  ['hangang', 1440],
] as const)
  test(`going back to ${tenant}'s home page at ${width} px restores its place exactly`, async ({ page, store }) => {
    await page.setViewportSize({ width, height: 320 })
    await page.goto(store.at(tenant))
    await page.waitForLoadState('networkidle')
    const rows = page.getByRole('main').locator('section', { has: page.locator('ul a[href*="/products/"]') })
    const link = rows.last().locator('ul a[href*="/products/"]').first()
    await link.scrollIntoViewIfNeeded()
    await expect(page.locator('html')).toHaveAttribute('data-whole')
    const place = async () => (await link.boundingBox())?.y ?? Number.NaN
    // Measured in the task of the press: what loads before it may still move the page.
    const left = await link.evaluate((card: HTMLElement) => {
      const { y } = card.getBoundingClientRect()
      card.click()
      return y
    })
    await expect(page).toHaveURL(/\/products\//)
    await page.goBack()
    await expect(rows.last()).toBeVisible()
    await expect.poll(async () => Math.abs((await place()) - left)).toBeLessThanOrEqual(1)
  })

test('the arrows of a row outside the window scroll it once it is reached', async ({ page, store }) => {
  await page.setViewportSize({ width: 1920, height: 320 })
  await page.goto(store.at('aurora'))
  await page.waitForLoadState('networkidle')
  // Its height is as estimated, so that nothing but its cards changes when it is reached.
  const row = page
    .getByRole('main')
    .locator('section', { has: page.locator('ul a[href*="/products/"]') })
    .last()
  await row.scrollIntoViewIfNeeded()
  await expect(row.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await row.getByRole('button', { name: 'Next' }).click()
  await expect(row.getByRole('button', { name: 'Previous' })).toBeEnabled()
})
