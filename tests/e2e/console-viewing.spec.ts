import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, hydrated, test } from './store'

test('staff see the store as a member, cannot change anything, and come back to the console', async ({
  page,
  store,
  context,
}, { retry }) => {
  store.expected.push(/403/)
  const reason = `Cannot find film ${retry + 1}`
  await enterConsole(page, '/members?q=member@example.com')
  await page.getByRole('main').getByRole('table').getByRole('link').first().click()
  await page.getByRole('button', { name: 'See the store as this member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  const opening = context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'Open the store' }).click()
  const shop = await opening
  await hydrated(shop)
  const strip = shop.getByText('You see the store as')
  await expect(strip).toContainText('You can’t change anything.')
  expect(await axeViolationsInBoth(shop)).toEqual([])
  await shop.goto('/mypages/order-histories')
  await expect(
    shop
      .getByRole('main')
      .getByText(/\d{8}-[A-Z0-9]{6}/)
      .first(),
  ).toBeVisible()
  await shop.goto('/mypages/profile')
  await hydrated(shop)
  await shop.getByRole('textbox', { name: 'Name' }).fill('Somebody else')
  await shop.getByRole('button', { name: 'Save' }).first().click()
  await expect(shop.getByRole('main').getByText('You don’t have permission to do this.')).toBeVisible()
  await shop.goto('/products/night-shift')
  await hydrated(shop)
  await shop.getByRole('button', { name: 'Add to cart' }).first().click()
  await expect(shop.getByText('READ_ONLY')).toBeVisible()
  await expect(shop.getByText('Added to cart.')).toBeHidden()
  await shop.getByRole('link', { name: 'Leave' }).click()
  await expect(shop.getByText('Store seen as the member').first()).toBeVisible()
  await expect(shop.getByText(reason)).toBeVisible()
  await shop.goto('/')
  await expect(shop.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
})
