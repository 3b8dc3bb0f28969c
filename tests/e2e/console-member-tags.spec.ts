import { axeViolationsInBoth } from './axe'
import { enterConsole, signedOut } from './console'
import { expect, test } from './store'

test('an operator tags members, one and many at once, and finds them by the tag', async ({ page, store }) => {
  store.expected.push(signedOut, /422/)
  const tag = `festival ${Date.now()}`
  await enterConsole(page, '/members')
  const table = page.getByRole('table', { name: 'Members' })
  const email = (await table.getByRole('link').first().textContent()) ?? ''
  await table.getByRole('link').first().click()
  const tags = page.getByRole('main')
  await page.getByLabel('New tag').fill('x'.repeat(41))
  await page.getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByLabel('New tag')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('New tag').fill(`${tag.toUpperCase()}, Guest`)
  await page.getByRole('button', { name: 'Add tag' }).click()
  const remove = page.getByRole('button', { name: `Remove the tag ${tag}` })
  await expect(remove).toBeVisible()
  await expect(tags.getByText('Tags changed').first()).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove the tag guest' }).click()
  await expect(page.getByRole('button', { name: 'Remove the tag guest' })).toHaveCount(0)
  await expect(remove).toBeVisible()

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Members' }).click()
  await page.getByRole('checkbox', { name: `Select: ${email}` }).check()
  await table.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Tag 2 members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tag 2 members' })
  await dialog.getByLabel('Add').fill(tag)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Change' }).click()
  await expect(dialog.getByText('1 member was changed. 1 was so already.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: `${tag} (2)` })
  await expect(page).toHaveURL(/tag=festival/)
  await expect(table.getByRole('link')).toHaveCount(2)
  expect(await axeViolationsInBoth(page)).toEqual([])
})
