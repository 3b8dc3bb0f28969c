import { axeViolationsInBoth } from './axe'
import { enterConsole, signedOut } from './console'
import { newMember } from './new-member'
import { storedTestCards, subscribe } from './plan-pages'
import { expect, test } from './store'

test('an operator finds a subscription by its state, plan and member, and follows it to the member', async ({
  page,
  store,
}) => {
  store.expected.push(signedOut)
  await enterConsole(page)
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Subscriptions' }).click()
  const table = page.getByRole('table', { name: 'Subscriptions' })
  const rows = table.getByRole('row')
  await expect(table).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  // The heading is a row as well.
  const all = await rows.count()
  expect(all).toBeGreaterThan(1)
  const link = table.getByRole('link').first()
  const email = (await link.textContent()) ?? ''
  const plan = await page.getByLabel('Plan').getByRole('option').nth(1).textContent()
  await page.getByLabel('Plan').selectOption({ label: plan ?? '' })
  await expect(page).toHaveURL(/plan=/)
  await page.getByLabel('Plan').selectOption({ label: 'All' })
  await page.getByLabel('Sort').selectOption({ label: 'Next payment first' })
  await expect(page).toHaveURL(/sort=NEXT_CHARGE/)
  await page.getByLabel('Sort').selectOption({ label: 'Latest first' })
  await page.getByLabel('Email').fill('nobody-has-this')
  await expect(page.getByText('No subscription fits these filters.')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByLabel('Email').fill(email.slice(0, 8))
  await expect(link).toHaveText(email)
  const exported = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as CSV' }).click()
  expect((await exported).suggestedFilename()).toMatch(/^subscriptions-\d{4}-\d\d-\d\d\.csv$/)
  await link.click()
  await expect(page.getByRole('heading', { name: 'Subscription', exact: true })).toBeVisible()
})

test('an operator gives a member free days, and later ends the subscription', async ({ page, store }) => {
  store.expected.push(signedOut)
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await subscribe(page, at, 'Aurora Pass', storedTestCards.good)
  await enterConsole(page, `/subscriptions?q=${email}`)
  await page.getByRole('table', { name: 'Subscriptions' }).getByRole('link', { name: email }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Subscription', exact: true })).toBeVisible()
  await expect(main.getByText('In trial')).toBeVisible()
  await main.getByRole('button', { name: 'Extend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Extend this subscription' })
  expect(await axeViolationsInBoth(page)).toEqual([])
  await dialog.getByLabel('Days').fill('14')
  await dialog.getByLabel('Reason').fill('The player failed')
  await dialog.getByRole('button', { name: 'Extend' }).click()
  await expect(dialog).toBeHidden()
  await expect(main.getByRole('listitem').filter({ hasText: 'Subscription extended' })).toContainText(
    'The player failed',
  )

  await main.getByRole('button', { name: 'End now' }).click()
  const end = page.getByRole('dialog', { name: 'End this subscription now?' })
  expect(await axeViolationsInBoth(page)).toEqual([])
  await end.getByLabel('Reason').fill('Asked by phone')
  await end.getByRole('button', { name: 'End now' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Subscription ended' })).toContainText('Asked by phone')
  await expect(main.getByText('In trial')).toHaveCount(0)
})
