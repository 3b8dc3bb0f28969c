import { moveTo, plays } from './player'
import { expect, test } from './store'

test('a sentence is found in captions and opens at its time, by keyboard alone', async ({ page }) => {
  await page.goto('/products?q=no+larger+than+a+snowball')
  const spoken = page.getByRole('region', { name: 'Spoken in videos' })
  await expect(spoken.locator('mark')).toHaveText('no larger than a snowball')
  const link = spoken.getByRole('link')
  await expect(link).toContainText('0:07')
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/products\/postcards-from-saturn\/watch\?lesson=[0-9a-f-]+&t=7$/)
  await plays(page, 'time').toBeGreaterThan(7)

  // The position is saved although the page is left at once.
  await moveTo(page, 15)
  await plays(page, 'time').toBeGreaterThan(15)
  const address = new URL(page.url())
  address.searchParams.delete('t')
  await page.goto('about:blank')
  await page.goto(address.href)
  await plays(page, 'time').toBeGreaterThan(14)
})

test('caption matches are suggested while typing, and locked ones show how to watch', async ({ page, store }) => {
  await page.goto('/')
  const field = page.getByRole('combobox', { name: 'Search the store' })
  await field.click()
  await field.fill('eleven years to get here')
  await expect(page.getByRole('option', { name: /0:04 · Postcards from Saturn/ })).toBeVisible()
  await field.press('ArrowUp')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/watch\?lesson=[0-9a-f-]+&t=4$/)

  // A guest sees that a film for sale has the spoken words, but not where.
  await page.goto('/products?q=eleven+years&tag=science')
  const spoken = page.getByRole('region', { name: 'Spoken in videos' })
  const sold = spoken.getByRole('link', { name: /Watch from \$/ })
  await expect(sold).toContainText('eleven years')
  await expect(spoken).not.toContainText('no larger than a snowball')
  await sold.click()
  await expect(page.getByRole('heading', { name: /^Available from/ })).toBeVisible()
  await page.goto(store.at('hangang', `/products?q=${encodeURIComponent('첫번째 함수')}`))
  await expect(page.locator('mark').first()).toHaveText('첫 번째 함수')
})
