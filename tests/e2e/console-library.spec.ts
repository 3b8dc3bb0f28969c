import { axeViolationsInBoth } from './axe'
import { enterConsole, signedOut } from './console'
import { expect, test } from './store'

test('a video of the store is found in the library and shown by a second product', async ({ page, store }, {
  retry,
}) => {
  store.expected.push(signedOut)
  await enterConsole(page, '/videos/library')
  const main = page.getByRole('main')
  const table = page.getByRole('table', { name: 'Videos' })
  await page.getByLabel('File, title or code').fill('the-last-light')
  await expect(table.getByRole('row')).toHaveCount(2)
  // The films of the demo share their videos, so that it is named after any of them.
  await expect(table.getByRole('row').nth(1).getByRole('link').first()).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Products' }).click()
  await page.getByRole('link', { name: 'New product' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'New product' })).toBeVisible()
  const title = `Shared film ${retry}`
  await main.getByLabel('Title').fill(title)
  await main.getByLabel('Code').fill(`shared-film-${retry}`)
  await main.getByRole('button', { name: 'Create' }).click()
  await expect(main.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await main.getByRole('button', { name: 'Choose from the library' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose a video of the store' })
  await choice.getByLabel('File, title or code').fill('the-last-light')
  await expect(choice.getByRole('button', { name: /^Use / })).toHaveCount(1)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await choice.getByRole('button', { name: /^Use / }).click()
  await expect(choice).toBeHidden()
  await expect(main.getByText(/^Length: /)).toBeVisible()
  // Another one takes its place only when that is confirmed.
  await main.getByRole('button', { name: 'Choose from the library' }).click()
  const use = choice.getByRole('button', { name: /^Use / })
  await expect(use.first()).toBeEnabled()
  const search = Promise.withResolvers<void>()
  await page.route(/admin\/videos\?.*q=blue-hour/, async (route) => {
    await search.promise
    await route.continue()
  })
  await choice.getByLabel('File, title or code').fill('blue-hour')
  // The rows of the search before are replaced soon: nothing is chosen from them by mistake.
  await expect(choice.getByRole('button', { name: /^Use /, disabled: false })).toHaveCount(0)
  search.resolve()
  await expect(use).toHaveCount(1)
  await use.click()
  const replace = choice.getByRole('button', { name: 'Replace the present video' })
  await expect(replace).toBeFocused()
  await choice.getByRole('button', { name: 'Back' }).click()
  await expect(replace).toHaveCount(0)
  await choice.getByRole('button', { name: 'Close' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Video of another product shown' })).toBeVisible()
  await main.getByRole('link', { name: 'Captions and chapters' }).click()
  await expect(main).toContainText(title)
})
