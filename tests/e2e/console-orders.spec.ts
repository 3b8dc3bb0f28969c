import { axeViolationsInBoth, inDialog } from './axe'
import { addToCart, buyFilm } from './buy-film'
import { enterConsole } from './console'
import { newMember } from './new-member'
import { expect, test } from './store'

test('an order is found, refunded by title, and refused to the second of two people who refund it at once', async ({
  page,
  store,
  context,
}) => {
  store.expected.push(/409|412|422.*receipt/)
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await page.goto(`${at}/products/the-last-light`)
  await addToCart(page)
  const code = await buyFilm(page, at, 'blue-hour')

  await enterConsole(page, '/orders')
  await page.getByLabel('Order number, name or email').fill(email.slice(0, 12))
  await expect(page).toHaveURL(/[?&]q=e2e-/)
  const table = page.getByRole('table', { name: 'Orders' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(page.getByText('1 result', { exact: true })).toBeVisible()
  await page.getByLabel('Status').selectOption({ label: 'Awaiting deposit' })
  await expect(page.getByText('No order fits these filters.')).toBeVisible()
  await page.getByLabel('Status').selectOption({ label: 'Paid' })
  // The rest of the filters, kept by the address, and the columns that are not shown at first.
  const filters = page.getByRole('search', { name: 'Filters' })
  await filters.getByLabel('Way of payment').selectOption({ label: 'Complimentary' })
  await expect(page.getByText('No order fits these filters.')).toBeVisible()
  await filters.getByLabel('Way of payment').selectOption({ label: 'Card' })
  await filters.getByRole('button', { name: 'Product' }).click()
  const products = page.getByRole('dialog', { name: 'Choose a product' })
  await products.getByLabel('Find a product').fill('last light')
  await expect(products.getByRole('button', { name: 'Choose The Last Light' })).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await products.getByRole('button', { name: 'Choose The Last Light' }).click()
  await expect(products).toBeHidden()
  await expect(filters.getByRole('button', { name: 'Product: The Last Light' })).toBeVisible()
  await filters.getByLabel('Total from').fill('1.50')
  await filters.getByLabel('Total from').press('Enter')
  await filters.getByLabel('Sort by').selectOption({ label: 'Highest total first' })
  await expect(page).toHaveURL(/way=CARD.*product=the-last-light.*min=150.*sort=TOTAL/)
  await expect(table.getByRole('link', { name: code })).toBeVisible()
  // A range that ends before it begins is told at its field, and filters nothing.
  await filters.getByLabel('Total to').fill('1')
  await filters.getByLabel('Total to').press('Enter')
  await expect(filters.getByText('Enter $1.50 or more.')).toBeVisible()
  await filters.getByLabel('Total to').fill('')
  await filters.getByLabel('Total to').press('Enter')
  await filters.getByLabel('From', { exact: true }).fill('2026-01-01')
  await expect(page).toHaveURL(/from=2026-01-01/)
  await filters.getByLabel('To', { exact: true }).fill('2025-12-31')
  await expect(filters.getByText(/^Enter .* or later\.$/)).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await expect(page).not.toHaveURL(/to=/)
  await filters.getByLabel('From', { exact: true }).fill('')
  await expect(table.getByRole('columnheader', { name: 'Provider' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Provider' }).click()
  await page.keyboard.press('Escape')
  await expect(table.getByRole('columnheader', { name: 'Provider' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Export as CSV' })).toHaveAttribute(
    'href',
    /columns=.*provider.*sort=TOTAL|sort=TOTAL.*columns=.*provider/,
  )
  expect(await axeViolationsInBoth(page)).toEqual([])
  await expect(table.getByRole('link', { name: code })).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await expect(table.getByRole('link', { name: code })).toBeFocused()
  // On a phone one button has the filters. What is chosen stays as chips.
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  const folded = filters.getByRole('button', { name: /^Filters\s*4\s*applied$/ })
  await expect(folded).toBeVisible()
  await expect(filters.getByLabel('Way of payment')).toBeHidden()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await filters.getByRole('button', { name: 'Remove Product: The Last Light' }).click()
  await expect(filters.getByRole('button', { name: /^Filters\s*3\s*applied$/ })).toBeFocused()
  await expect(page).not.toHaveURL(/product=/)
  await page.keyboard.press('Enter')
  await expect(filters.getByLabel('Way of payment')).toHaveValue('CARD')
  await expect(filters.getByRole('button', { name: /^Remove/ })).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.setViewportSize(size)
  await table.getByRole('link', { name: code }).click()

  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1, name: code })).toBeVisible()
  await expect(main).toContainText('The Last Light')
  await expect(main.getByRole('listitem').filter({ hasText: /^Paid/ }).first()).toBeVisible()
  await page.getByLabel('Note').fill('Bought by <b>mistake</b>')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Bought by <b>mistake</b>' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByRole('button', { name: 'Send receipt again' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Receipt sent again' })).toBeVisible()
  // Again, in case the minute has just passed: the notification says why it is refused.
  await expect(async () => {
    await page.getByRole('button', { name: 'Send receipt again' }).click()
    await expect(page.getByText('It was sent a moment ago. Wait a minute.')).toBeVisible({ timeout: 2000 })
  }).toPass()

  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog', { name: `Refund ${code}` })
  await expect(dialog).toContainText(/The refund rule gives \$/)
  expect(await dialog.evaluate(({ offsetWidth }: HTMLElement) => offsetWidth)).toBe(440)
  expect(await axeViolationsInBoth(page)).toEqual([])

  // Another person is faster.
  const other = await context.newPage()
  await other.goto(`/admin/orders/${code}`)
  await other.getByRole('button', { name: 'Refund' }).click()
  await other.getByRole('checkbox', { name: /Blue Hour/ }).uncheck()
  await other.getByLabel('Reason').fill('The picture stops')
  await other.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(other.getByRole('main')).toContainText('Partly refunded')
  await other.close()

  await page.getByLabel('Reason').fill('A wish of the member')
  await dialog.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(dialog.getByRole('alert')).toContainText('It has changed since you opened it.')
  // What has changed since then, and nothing older.
  await expect(dialog.getByRole('alert').getByRole('listitem')).toHaveText([/Refunded by the store.*The picture stops/])
  await dialog.getByRole('button', { name: 'Load the latest state' }).click()
  await expect(dialog.getByRole('checkbox', { name: /The Last Light/ })).toHaveCount(0)

  // A part of the price, and the title stays. This is done on a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await dialog.getByLabel('Amount').fill('1')
  await expect(dialog).toContainText('The member keeps the title.')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Refund $1.00' }).click()
  await expect(dialog).toBeHidden()
  await expect(main.getByText('Refunded $1.00', { exact: true })).toBeVisible()
  await page.setViewportSize(size)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel('Reason').fill('A wish of the member')

  // What the rule does not give needs a second decision.
  const refusal = {
    code: 'REFUND_AGAINST_RULE',
    message: 'The rule refunds less.',
    errors: {},
    requestId: 'e2e-refusal',
  }
  await page.route('**/refund', (route) => route.fulfill({ status: 409, json: refusal }), { times: 1 })
  await dialog.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(dialog.getByRole('alert')).toContainText('The rule refunds less.')
  await dialog.getByRole('checkbox', { name: 'Refund against the rule' }).check()
  await dialog.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(dialog).toBeHidden()
  await expect(main.getByText('Refunded', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  await expect(main).toContainText('A wish of the member')
})
