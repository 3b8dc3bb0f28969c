import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, test } from './store'

test('an operator tags members, gives one a partnership, and finds members by the tag', async ({ page, store }) => {
  store.expected.push(/422/)
  const tag = `festival ${Date.now()}`
  // No other test changes these two.
  const email = 'greta@example.com'
  await enterConsole(page, `/members?q=${email}`)
  const table = page.getByRole('table', { name: 'Members' })
  await table.getByRole('link', { name: email }).click()
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

  await tags.getByRole('button', { name: 'Send a password reset' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click()
  // The demo has no mail server.
  await expect(tags.getByText('Not sent: no mail server is set.').first()).toBeVisible()
  await tags.getByRole('link', { name: 'Emails to this member' }).click()
  await expect(page.getByRole('table', { name: 'Emails' }).getByText('Password reset').first()).toBeVisible()
  await page.goBack()

  const partnership = page.getByRole('dialog', { name: 'Partnership' })
  await tags.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Partnership' }).click()
  await partnership.getByLabel('Last day').fill('2099-12-31')
  await partnership.getByLabel('Name').fill('Harbour Ltd')
  await partnership.getByLabel('Reason').fill('A contract')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await partnership.getByRole('button', { name: 'Save' }).click()
  await expect(tags.getByText('Harbour Ltd').first()).toBeVisible()
  await tags.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Partnership' }).click()
  await expect(partnership.getByLabel('Last day')).toHaveValue('2099-12-31')
  await partnership.getByLabel('End it now').check()
  await partnership.getByLabel('Reason').fill('It has ended')
  await partnership.getByRole('button', { name: 'Save' }).click()
  await expect(partnership).toBeHidden()

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Members' }).click()
  await page.getByRole('searchbox').fill('re')
  await page.getByRole('searchbox').press('Enter')
  for (const other of [email, 'teresa@example.com'])
    await page.getByRole('checkbox', { name: `Select: ${other}` }).check()
  await page.getByRole('button', { name: 'Tag 2 members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tag 2 members' })
  await dialog.getByLabel('Add').fill(tag)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Change' }).click()
  await expect(dialog.getByText('1 member was changed. 1 was so already.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: `${tag} (2)` })
  await expect(page).toHaveURL(/tag=festival/)
  await expect(table.getByRole('link')).toHaveCount(2)
  expect(await axeViolationsInBoth(page)).toEqual([])

  // A partnership of both, which is undone.
  await page.getByRole('button', { name: 'Select all of this page' }).click()
  await page.getByRole('button', { name: 'Partnership of 2 members' }).click()
  const many = page.getByRole('dialog', { name: 'Partnership of 2 members' })
  await many.getByLabel('Last day').fill('2099-12-31')
  await many.getByLabel('Name').fill(tag)
  await many.getByLabel('Reason').fill('A contract for both')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await many.getByRole('button', { name: 'Save' }).click()
  await expect(many).toContainText('2 members were changed.')
  await many.getByRole('button', { name: 'Undo' }).click()
  await expect(many).toContainText('Everything is as it was before.')
  await many.getByRole('button', { name: 'Close' }).last().click()

  // All that fit, on more pages than the one that is shown, are a job each.
  await page.addInitScript(() => {
    const send = window.fetch
    window.fetch = async (input, init) => {
      const answer = await send(input, init)
      const url = input instanceof Request ? input.url : String(input)
      if (!/\/admin\/members\?/.test(url)) return answer
      return Response.json({ ...(await answer.json()), nextCursor: 'a'.repeat(24) })
    }
  })
  const main = page.getByRole('main')
  const found = new URL(page.url())
  const begin = async (action: string) => {
    await page.goto(found.pathname + found.search)
    await page.getByRole('button', { name: 'Select all that fit the filters' }).click()
    await page.getByRole('button', { name: action }).click()
  }
  await begin('Tag 2 members')
  await dialog.getByLabel('Add').fill(`${tag} job`)
  await dialog.getByRole('button', { name: 'Change' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tags of members changed' })).toBeVisible()
  await expect(main).toContainText('2 of 2')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await begin('Partnership of 2 members')
  await many.getByLabel('Last day').fill('2099-12-31')
  await many.getByLabel('Name').fill(tag)
  await many.getByLabel('Reason').fill('A contract for all')
  await many.getByRole('button', { name: 'Save' }).click()
  await expect(main).toContainText('2 of 2')
  const job = page.url()
  await main.getByRole('button', { name: 'Undo' }).click()
  await expect(page).not.toHaveURL(job)
  await expect(main).toContainText('2 of 2')
})
