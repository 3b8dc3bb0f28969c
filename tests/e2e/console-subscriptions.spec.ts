import { axeViolationsInBoth } from './axe'
import { enterConsole, signedOut } from './console'
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
