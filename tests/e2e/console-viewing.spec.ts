import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { playing } from './player'
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

  // A film that the member owns and has not begun plays, and is not begun by it.
  const film = '/products/blue-hour/watch'
  await shop.goto(film)
  await shop.getByRole('button', { name: 'Start watching' }).click()
  await expect.poll(async () => (await playing(shop)).time).toBeGreaterThan(0.2)
  expect((await playing(shop)).height).toBeGreaterThan(0)
  await expect(shop.getByText('You see the store as')).toBeVisible()
  await shop.goto(film)
  await expect(shop.getByRole('button', { name: 'Start watching' })).toBeVisible()

  await shop.goto('/mypages/profile')
  await hydrated(shop)
  await shop.getByRole('textbox', { name: 'Name' }).fill('Somebody else')
  await shop.getByRole('button', { name: 'Save' }).first().click()
  const refusal = 'This isn’t available while you only look at the store.'
  await expect(shop.getByRole('main').getByText(refusal)).toBeVisible()
  await shop.goto('/products/night-shift')
  await hydrated(shop)
  await shop.getByRole('button', { name: 'Add to cart' }).first().click()
  await expect(shop.getByText(refusal).first()).toBeVisible()
  await expect(shop.getByText('READ_ONLY')).toHaveCount(0)
  await expect(shop.getByText('Added to cart.')).toBeHidden()
  await shop.getByRole('link', { name: 'Leave' }).click()
  await expect(shop.getByText('Store seen as the member').first()).toBeVisible()
  await expect(shop.getByText(reason)).toBeVisible()
  await shop.goto('/')
  await expect(shop.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
})
