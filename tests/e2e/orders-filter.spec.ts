import { dateFieldFormat, firstDayOfWeek } from '../../app/platform/constants'
import { axeFinds } from './axe'
import { expect, test } from './store'

test('a date field reads mm/dd/yy, and its calendar begins on Sunday', async ({ page, store }) => {
  await store.signIn()
  await page.goto('/mypages/order-histories?from=2020-03-25')
  const from = page.getByRole('textbox', { name: 'From' })
  const to = page.getByRole('textbox', { name: 'To' })
  const calendar = page.getByRole('dialog', { name: 'Choose a date' })
  await expect(from).toHaveValue('03/25/20')
  await expect(to).toHaveAttribute('placeholder', dateFieldFormat)

  await page.getByRole('button', { name: 'Choose a date' }).first().click()
  const sunday = new Date(Date.UTC(2023, 0, 1 + firstDayOfWeek))
  await expect(calendar.locator('th').first()).toHaveAttribute(
    'aria-label',
    sunday.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }),
  )
  expect(await axeFinds(page)).toEqual([])
  await expect(calendar.getByRole('button', { name: 'Wednesday, March 25' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=2020-03-26/)
  await expect(calendar).toHaveCount(0)
  await expect(from).toHaveValue('03/26/20')

  await to.fill('3/27/20')
  await to.press('Enter')
  await expect(page).toHaveURL(/to=2020-03-27/)
  await expect(page.getByRole('main')).toContainText('No matching orders')

  // The order in which the page itself writes dates is read too.
  await to.fill('2020/03/28')
  await to.press('Enter')
  await expect(page).toHaveURL(/to=2020-03-28/)
  // The list of these dates replaces what is typed before it arrives.
  await page.waitForLoadState('networkidle')

  await to.fill('13/45/20')
  await to.blur()
  await expect(page.getByRole('main')).toContainText('Enter the date as month/day/year')
})
