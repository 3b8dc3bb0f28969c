import { axeViolationsInBoth } from './axe'
import { enterConsole } from './console'
import { expect, test } from './store'

test('a discount is shown before it begins, refused at a wrong time, and kept with the option', async ({
  page,
  store,
}, { retry }) => {
  store.expected.push(/422/)
  await enterConsole(page, '/products/new')
  const main = page.getByRole('main')
  await page.getByLabel('Title').fill('Autumn Harbour')
  await page.getByLabel('Code').fill(`autumn-harbour-${retry}`)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('button', { name: 'Add option' }).click()
  const created = page.getByRole('group', { name: 'New option' })
  await created.getByLabel('Price', { exact: true }).fill('12')
  await created.getByLabel('Price before the discount').fill('10')
  await created.getByLabel('Name', { exact: true }).fill('Own')
  const save = page.getByRole('button', { name: 'Save prices' })
  await save.click()
  const option = page.getByRole('group', { name: 'Own', exact: true })
  const before = option.getByLabel('Price before the discount')
  await expect(before).toHaveAccessibleDescription(/not below the price/)
  await before.fill('')
  await save.click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Own: Price: $12.00' })).toBeVisible()

  await option.getByRole('button', { name: 'Schedule a discount' }).click()
  const scheduled = option.getByRole('group', { name: 'Scheduled prices' })
  const [from, price] = [scheduled.getByLabel('From'), scheduled.getByLabel('Price', { exact: true })]
  const until = scheduled.getByLabel('Until, then the regular price')
  await expect(scheduled.getByLabel('Price before the discount').first()).toHaveValue('12.00')
  await expect(price.last()).toHaveValue('12.00')
  await from.first().fill('2020-01-01T00:00')
  await price.first().fill('9')
  await until.fill('2199-02-01T00:00')
  await save.click()
  await expect(from.first()).toHaveAccessibleDescription('Enter a time in the future.')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await from.first().fill('2199-01-01T00:00')
  await save.click()
  await expect(main.getByText(/Own: Scheduled prices: From: 2199\S+ \S+, Price: \$9\.00/)).toBeVisible()
  await page.reload()
  await expect(price.first()).toHaveValue('9.00')
  await expect(until).toHaveValue('2199-02-01T00:00')
  await page.getByRole('button', { name: 'Remove scheduled price 2' }).click()
  await save.click()
  await expect(from).toHaveCount(1)
  await expect(main.getByText(/Own: Scheduled prices: .+ → /)).toBeVisible()

  // An option that was added by mistake is removed, and the next one gets the focus.
  await page.getByRole('button', { name: 'Add option' }).click()
  await page.getByRole('button', { name: 'Remove: New option' }).click()
  await expect(created).toHaveCount(0)
  await expect(option.getByRole('button', { name: 'Move up: Own' })).toBeFocused()

  // A rental above it, which begins within some days.
  await page.getByRole('button', { name: 'Add option' }).click()
  await created.getByLabel('Type').selectOption({ label: 'Rental' })
  await created.getByLabel('Begin within (days)').fill('30')
  await created.getByLabel('Price', { exact: true }).fill('4')
  await created.getByLabel('Name', { exact: true }).fill('Two days')
  await page.getByRole('button', { name: 'Move up: Two days' }).click()
  await save.click()
  await expect(main.getByText('Two days: Begin within (days): 30')).toBeVisible()
  const names = main.getByRole('group', { name: /^(Own|Two days)$/ })
  await expect(names.first()).toHaveAccessibleName('Two days')

  // It was never sold. Until it is saved, it can be kept.
  const rental = main.getByRole('group', { name: 'Two days', exact: true })
  await page.getByRole('button', { name: 'Remove: Two days' }).click()
  await expect(page.getByRole('button', { name: 'Keep: Two days' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rental.getByLabel('Begin within (days)')).toHaveValue('30')
  await page.getByRole('button', { name: 'Remove: Two days' }).click()
  await expect(rental).toContainText('It is removed when you save.')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await save.click()
  await expect(rental).toHaveCount(0)
  await expect(option.getByLabel('Price', { exact: true }).first()).toHaveValue('12.00')
})
