import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, test } from './store'

test('a role is made, a person is invited with it, and a token is created and revoked', async ({ page }) => {
  await enterConsole(page, '/staff')
  const main = page.getByRole('main')
  const name = `Moderator ${Date.now()}`
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('checkbox', { name: 'See comments' }).check()
  // Who changes something sees its pages.
  const [see, upload] = ['See videos', 'Upload videos'].map((label) => page.getByRole('checkbox', { name: label }))
  await upload!.check()
  await expect(see!).toBeChecked()
  await see!.uncheck()
  await expect(upload!).not.toBeChecked()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: name })).toContainText('See comments')

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Staff' }).click()
  const email = `staff-${Date.now()}@example.com`
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption({ label: name })
  await page.getByRole('button', { name: 'Invite' }).click()
  const invitation = main.getByRole('listitem').filter({ hasText: email })
  await expect(invitation).toContainText(name)
  await invitation.getByRole('button', { name: 'Revoke' }).click()
  await expect(invitation).toHaveCount(0)

  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('checkbox', { name: 'Upload videos' }).check()
  await page.getByRole('button', { name: 'Create token' }).click()
  const created = page.getByRole('alertdialog', { name: 'Token created' })
  await expect(created.getByRole('button', { name: 'Copy the token' })).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await created.getByRole('button', { name: 'I have saved it' }).click()
  expect(await axeViolationsInBoth(page)).toEqual([])
  const token = main.getByRole('listitem').filter({ hasText: name })
  await token.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(token).toContainText('Revoked')
  // What has no page of its own has its history in the log.
  await token.getByRole('link', { name: `History of ${name}` }).click()
  await expect(main.getByRole('row').filter({ hasText: 'Token created' })).toContainText('videos:write')
  await expect(main.getByRole('row').filter({ hasText: 'Token revoked' })).toContainText('videos:write')
})
