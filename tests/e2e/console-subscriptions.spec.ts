import type { Locator } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { newMember } from './new-member'
import { storedTestCards, subscribe } from './plan-pages'
import { expect, test } from './store'

test('an operator finds a subscription by its state, plan and member, and follows it to the member', async ({
  page,
}) => {
  await enterConsole(page)
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Subscriptions' }).click()
  const table = page.getByRole('table', { name: 'Subscriptions' })
  const rows = table.getByRole('row')
  await expect(table).toBeVisible()
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

test('an operator gives a member free days, refunds a payment in part, and cancels, continues and ends', async ({
  page,
  store,
}) => {
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  // Without a trial: it is paid at once.
  await subscribe(page, at, 'Aurora House', storedTestCards.good)
  await enterConsole(page, `/subscriptions?q=${email}`)
  await page.getByRole('table', { name: 'Subscriptions' }).getByRole('link', { name: email }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Subscription', exact: true })).toBeVisible()
  await expect(main.getByText('Active', { exact: true })).toBeVisible()
  const history = main.getByRole('listitem')
  await main.getByRole('button', { name: 'Extend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Extend this subscription' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  // The new date is shown before anything is changed, and none for days that are refused.
  const newDate = dialog.getByText(/^The next payment is then due on/)
  const before = await newDate.textContent()
  await dialog.getByLabel('Days').fill('0')
  await expect(newDate).toHaveCount(0)
  await dialog.getByLabel('Days').fill('14')
  await expect(newDate).toBeVisible()
  await expect(newDate).not.toHaveText(before ?? '')
  await dialog.getByLabel('Reason').fill('The player failed')
  await dialog.getByRole('button', { name: 'Extend' }).click()
  await expect(dialog).toBeHidden()
  await expect(history.filter({ hasText: 'Subscription extended' })).toContainText('The player failed')

  const charge = history.filter({ hasText: 'First payment' })
  await charge.getByRole('button', { name: /^Refund the payment of / }).click()
  const refund = page.getByRole('dialog', { name: /^Refund the payment of / })
  await refund.getByLabel('Amount').fill('10')
  await expect(refund.getByText('Enter an amount from $0.01 to $9.99.')).toBeVisible()
  await expect(refund.getByRole('button', { name: 'Refund' })).toBeDisabled()
  await refund.getByLabel('Amount').fill('2.5')
  await refund.getByLabel('Reason').fill('Two days without a picture')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await refund.getByRole('button', { name: 'Refund $2.50' }).click()
  await expect(refund).toBeHidden()
  await expect(charge).toContainText('Refunded $2.50')
  await expect(history.filter({ hasText: 'Payment of the subscription refunded' })).toContainText(
    'Two days without a picture',
  )
  // What is left can be refunded as well.
  await charge.getByRole('button', { name: /^Refund the payment of / }).click()
  await expect(refund.getByLabel('Amount')).toHaveAttribute('max', '7.49')
  await refund.getByRole('button', { name: 'Back' }).click()

  await main.getByRole('button', { name: 'Cancel the subscription' }).click()
  const cancel = page.getByRole('dialog', { name: 'Cancel this subscription?' })
  await cancel.getByLabel('Reason').fill('Moves abroad')
  await cancel.getByRole('button', { name: 'Cancel the subscription' }).click()
  await expect(main.getByText(/^Ends on /)).toBeVisible()
  await main.getByRole('button', { name: 'Revoke the cancellation' }).click()
  const revoke = page.getByRole('dialog', { name: 'Revoke the cancellation?' })
  await expect(revoke).toContainText('the member is charged $9.99')
  await revoke.getByLabel('Reason').fill('Stays after all')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await revoke.getByRole('button', { name: 'Revoke the cancellation' }).click()
  await expect(revoke).toBeHidden()
  await expect(main.getByText('Active', { exact: true })).toBeVisible()
  await expect(history.filter({ hasText: 'Cancellation of the subscription revoked' })).toContainText('Stays after all')
  expect(await axeViolationsInBoth(page)).toEqual([])

  const subscriber = page.url()
  await page.goto(`${at}/mypages/subscription/histories`)
  await expect(main.getByRole('listitem').filter({ hasText: 'Refund' }).first()).toContainText(/[-−]\$2\.50/)
  await page.goto(subscriber)
  await main.getByRole('button', { name: 'End now' }).click()
  const end = page.getByRole('dialog', { name: 'End this subscription now?' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await end.getByLabel('Reason').fill('Asked by phone')
  await end.getByRole('button', { name: /^End (now|and refund)/ }).click()
  await expect(history.filter({ hasText: 'Subscription ended' })).toContainText('Asked by phone')
  await expect(main.getByText('Active', { exact: true })).toHaveCount(0)
})

/** The label of the annual plan among the choices of a dialog, which names its price. */
const annualOf = async (dialog: Locator) =>
  (await dialog.getByRole('option', { name: /^Aurora Pass Annual/ }).textContent()) ?? ''

test('an operator changes a plan and pauses a subscription, which its member sees, and resumes it', async ({
  page,
  store,
}) => {
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await subscribe(page, at, 'Aurora Pass', storedTestCards.good)
  await enterConsole(page, `/subscriptions?q=${email}`)
  await page.getByRole('table', { name: 'Subscriptions' }).getByRole('link', { name: email }).click()
  const main = page.getByRole('main')
  const history = main.getByRole('listitem')
  // The list shows the state as well.
  await expect(main.getByRole('heading', { name: 'Subscription', exact: true })).toBeVisible()
  await expect(main.getByText('In trial')).toBeVisible()
  const place = new URL(page.url()).pathname

  await main.getByRole('button', { name: 'Change the plan' }).click()
  const change = page.getByRole('dialog', { name: 'Change the plan' })
  await expect(change.getByRole('button', { name: 'Change the plan' })).toBeDisabled()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await change.getByLabel('Plan').selectOption({ label: await annualOf(change) })
  await expect(change.getByRole('radio', { name: 'At the next renewal' })).toBeChecked()
  await expect(change.getByText(/is charged on .*, and nothing now\./)).toBeVisible()
  await change.getByRole('radio', { name: /^Now/ }).check()
  await expect(change.getByText('Nothing is charged now.')).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await change.getByLabel('Reason').fill('Asked by phone')
  await change.getByRole('button', { name: 'Change the plan' }).click()
  await expect(change).toBeHidden()
  await expect(history.filter({ hasText: 'Plan of the subscription chosen' })).toContainText(
    'Plan: Aurora Pass → Aurora Pass Annual',
  )

  await main.getByRole('button', { name: 'Pause' }).click()
  const pause = page.getByRole('dialog', { name: 'Pause this subscription?' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await pause.getByLabel('Reason').fill('In hospital')
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await pause.getByLabel('Resume on').fill(inDays(3))
  await pause.getByRole('button', { name: 'Pause', exact: true }).click()
  store.expected.push(/422/)
  await expect(pause.getByText('Choose a day after the paid period, and not today.')).toBeVisible()
  await pause.getByLabel('Resume on').fill(inDays(60))
  await pause.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(pause).toBeHidden()
  await expect(main.getByText(/^Paused until/)).toBeVisible()
  await expect(history.filter({ hasText: 'Subscription paused' })).toContainText('In hospital')
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.goto(`${at}/mypages/subscription`)
  await expect(page.getByText(/Your plan is paused until/)).toBeVisible()
  await expect(page.getByText('You won’t be charged until your plan resumes.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Change plan' })).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
  // The member ends the pause without asking anybody, and staff begin another one.
  await page.getByRole('button', { name: 'Resume now' }).click()
  await expect(page.getByText('Your plan is active again.')).toBeVisible()
  await page.goto(place)
  await main.getByRole('button', { name: 'Pause' }).click()
  await pause.getByLabel('Reason').fill('In hospital again')
  await pause.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(pause).toBeHidden()

  await page.goto(place)
  await main.getByRole('button', { name: 'Resume' }).click()
  const resume = page.getByRole('dialog', { name: 'Resume this subscription?' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await resume.getByLabel('Reason').fill('Well again')
  await resume.getByRole('button', { name: 'Resume' }).click()
  await expect(resume).toBeHidden()
  await expect(main.getByText('In trial')).toBeVisible()
  await expect(history.filter({ hasText: 'Subscription resumed' })).toContainText('Well again')
})
