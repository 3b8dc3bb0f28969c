import { axeViolationsInBoth, inDialog } from './axe'
import { command } from './command'
import { createStore, enterAsOwner } from './console'
import { newMember } from './new-member'
import { expect, test } from './store'

test('two accounts of one person are merged, and the other one is closed', async ({ page, store, baseURL }, {
  retry,
}) => {
  test.slow()
  store.expected.push(/404|409|422/)
  // A store of its own: other tests open the latest member of the demo's.
  const code = `merging-${retry}`
  await createStore(baseURL!, code, 'Merging')
  await command(baseURL!, ['customer', 'open', code, '--force'])
  const staying = await newMember(page, store.at(code))
  await page.context().clearCookies()
  const other = await newMember(page, store.at(code))
  await page.context().clearCookies()
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: `/admin/members?q=${encodeURIComponent(staying)}` })
  const main = page.getByRole('main')
  await page.getByRole('table', { name: 'Members' }).getByRole('link').first().click()
  await main.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Merge accounts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge another account into this one?' })
  const search = dialog.getByLabel('The other account: name or email address')
  await search.fill(staying)
  await expect(dialog.getByText('No other member fits this search.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Merge accounts' })).toBeDisabled()
  await search.fill(other)
  const choice = dialog.getByRole('radio')
  const background = () => choice.evaluate((element) => getComputedStyle(element).backgroundColor)
  const notChosen = await background()
  await choice.check()
  const otherId = await choice.inputValue()
  await expect.poll(background).not.toBe(notChosen)
  await dialog.getByLabel(`Type ${other} to confirm`).fill(staying)
  await dialog.getByLabel('Reason').fill('Signed up twice')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge accounts' }).click()
  await expect(dialog.getByText('Type the email address of this member.')).toBeVisible()
  await dialog.getByLabel(`Type ${other} to confirm`).fill(other)
  await dialog.getByRole('button', { name: 'Merge accounts' }).click()
  const merged = main.getByRole('listitem').filter({ hasText: 'Accounts merged' })
  await expect(merged).toContainText('Signed up twice')
  // The page of the account that was closed leads to the one that stays.
  await page.goto(store.at(code, `/admin/members/${otherId}`))
  await expect(merged).toContainText('Signed up twice')
  expect(page.url()).not.toContain(otherId)
  await page.goto(store.at(code, `/admin/members?q=${encodeURIComponent(other)}`))
  await expect(main.getByText('No member fits this search.')).toBeVisible()

  // Staff change the address of the account, to one that is free.
  await page.getByLabel('Name, email or phone number').fill(staying)
  await page.getByRole('table', { name: 'Members' }).getByRole('link').first().click()
  await main.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Change the email address' }).click()
  const change = page.getByRole('dialog', { name: 'Change the email address' })
  const address = `moved-${staying}`
  await change.getByLabel('New email address').fill(address)
  await change.getByLabel('Reason').fill('A new mailbox')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await change.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(change).toBeHidden()
  await expect(main.getByRole('listitem').filter({ hasText: 'A new mailbox' })).toBeVisible()
  await expect(main.getByText(address).first()).toBeVisible()

  // The account is deleted once its address was typed.
  await main.getByRole('button', { name: 'Delete the account' }).click()
  const erase = page.getByRole('dialog', { name: 'Delete this account?' })
  await erase.getByLabel(`Type ${address} to confirm`).fill(staying)
  await erase.getByLabel('Reason').fill('Asked by letter')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await erase.getByRole('button', { name: 'Delete the account' }).click()
  await expect(erase.getByText('Type the email address of this member.')).toBeVisible()
  await erase.getByLabel(`Type ${address} to confirm`).fill(address)
  await erase.getByRole('button', { name: 'Delete the account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible()
  await page.getByLabel('Name, email or phone number').fill(address)
  await expect(main.getByText('No member fits this search.')).toBeVisible()
})
