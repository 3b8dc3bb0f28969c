import { expect, test } from './store'

test('a new visitor sees the cart after the first line, also on the next page', async ({ page }) => {
  await page.goto('/products/night-shift')
  const cart = page.getByRole('banner').getByRole('link', { name: /cart/i })
  await page.getByRole('main').getByRole('button', { name: 'Add to cart' }).first().click()
  await expect(cart).toHaveAccessibleName(/1/)
  await page.goto('/')
  await expect(cart).toHaveAccessibleName(/1/)
})

test('a page of a new visitor that the browser has cached shows the cart of another tab', async ({ page, context }) => {
  await page.goto('/')
  const other = await context.newPage()
  await other.goto('/products/night-shift')
  await other.getByRole('main').getByRole('button', { name: 'Add to cart' }).first().click()
  await expect(other.getByRole('banner').getByRole('link', { name: /cart/i })).toHaveAccessibleName(/1/)
  await page.getByRole('main').getByRole('region', { name: 'Films' }).getByRole('link').nth(1).click()
  await expect(page.getByRole('banner').getByRole('link', { name: /cart/i })).toHaveAccessibleName(/1/)
})
