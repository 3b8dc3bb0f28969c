import type { Page } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { pass } from './clock'
import { enterConsole } from './console'
import { enter, newMember } from './new-member'
import { leaveCard, storedTestCards, subscribe } from './plan-pages'
import { expect, test } from './store'

/** Days a month has beyond four weeks, and one to spare. */
const longestRest = 4

/**
 * Four weeks, then day by day until the renewal has been tried once: a month is as long as it is.
 */
async function untilOverdue(page: Page, store: string, look: () => Promise<void>): Promise<void> {
  for (let week = 0; week < 4; week++) await pass(page, store, 'One week')
  const overdue = page.getByRole('main').getByText('Your last renewal payment failed.')
  for (let day = 0; day < longestRest; day++) {
    await pass(page, store, 'One day')
    await look()
    if (await overdue.isVisible()) return
  }
  await expect(overdue).toBeVisible()
}

// The time moves for every store of the server, so these tests run one after the other.
test.describe.configure({ mode: 'serial' })

// A month of background work is done day by day.
test.beforeEach(() => test.slow())

test('a plan renews on time, is declined, becomes overdue, and is paid later', async ({ page, store }) => {
  // The refusal of a second try.
  store.expected.push(/409/)
  const at = store.at('aurora', '')
  const main = page.getByRole('main')
  const email = await newMember(page, at)
  const look = async (path: string) => {
    await enter(page, at, email)
    await page.goto(at + path)
  }
  await subscribe(page, at, 'Aurora House', storedTestCards.recovers)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re subscribed. Enjoy!')

  await untilOverdue(page, at, () => look('/mypages/subscription'))
  await expect(main).toContainText('This card has insufficient funds.')
  await expect(main).toContainText(/You can keep watching until/)
  await page.goto(`${at}/plans/subscription-products`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Included in your plan')

  await page.goto(`${at}/mypages/subscription`)
  // The second try is declined as the first was. The third, by staff, goes through.
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect(main.getByRole('alert')).toContainText('Your bank declined the card.')
  await enterConsole(page, `/subscriptions?q=${encodeURIComponent(email)}`)
  await main.getByRole('link', { name: email }).click()
  await expect(main.getByText(/Overdue/).first()).toBeVisible()
  await main.getByRole('button', { name: 'Charge now' }).click()
  const charge = page.getByRole('dialog', { name: 'Charge the overdue payment now?' })
  await charge.getByLabel('Reason').fill('Asked by phone')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await charge.getByRole('button', { name: /^Charge/ }).click()
  await expect(charge).toBeHidden()
  await expect(main.getByRole('listitem').filter({ hasText: 'Asked by phone' })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Charge now' })).toHaveCount(0)

  await pass(page, at, '31 days')
  await look('/mypages/subscription')
  await expect(main).toContainText('Active')
  await page.goto(`${at}/mypages/subscription/histories`)
  const events = main.locator('ol').last().getByRole('listitem')
  await expect(events.filter({ hasText: 'Overdue payment received' })).toHaveCount(1)
  await expect(events.filter({ hasText: 'Renewed' })).not.toHaveCount(0)

  await page.goto(`${at}/mypages/subscription?step=cancel`)
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(main).toContainText(/Your plan ends on/)
  await pass(page, at, '31 days')
  await look('/mypages/subscription')
  await expect(main).toContainText('You don’t have a plan yet.')
  await page.goto(`${at}/subscription-products`)
  await expect(page).toHaveURL(/\/plans\?notice=PLAN_NEEDED/)
})

test('an overdue renewal is declined again, and paid with a replacement card', async ({ page, store }) => {
  // The refusal of the second try.
  store.expected.push(/409/)
  const at = store.at('aurora', '')
  const main = page.getByRole('main')
  const email = await newMember(page, at)
  await subscribe(page, at, 'Ambient', storedTestCards.onlyFirst)
  await untilOverdue(page, at, async () => {
    await enter(page, at, email)
    await page.goto(`${at}/mypages/subscription`)
  })
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect(main.getByRole('alert')).toContainText('Your bank declined the card.')
  await expect(main).toContainText('Your last renewal payment failed.')
  // What is not paid ends with its cancellation.
  await page.getByRole('link', { name: 'Cancel plan' }).click()
  await expect(main).toContainText('Your plan ends at once. You can’t undo this.')
  await expect(main).not.toContainText('You can undo this here')
  await page.getByRole('link', { name: 'Keep my plan' }).click()

  await page.getByRole('link', { name: 'Replace card' }).click()
  await page.getByRole('button', { name: 'Replace Visa ending in 0705' }).click()
  await leaveCard(page, storedTestCards.good)
  await expect(main).toContainText('Your plan is now paid with this card.')
  await page.getByRole('link', { name: 'Back to subscription' }).click()
  await expect(main).toContainText('Visa ending in 4242')
  // The background work charges the new card as well, and may be first.
  const active = main.getByText('Active', { exact: true })
  const again = page.getByRole('button', { name: 'Try again now' })
  await expect(again.or(active)).toBeVisible()
  if (await again.isVisible()) {
    await again.click()
    await expect(main).toContainText('Payment complete. Your plan continues.')
  }
  await page.goto(`${at}/mypages/subscription`)
  await expect(active).toBeVisible()
})
