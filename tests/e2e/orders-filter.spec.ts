import { dateFieldFormat, firstDayOfWeek } from '../../app/platform/constants'
import { axeViolations } from './axe'
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
  expect(await axeViolations(page)).toEqual([])
  await expect(calendar.getByRole('button', { name: 'Wednesday, March 25' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(calendar.getByRole('button', { name: 'Thursday, March 26' })).toBeFocused()
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

  await to.fill('13/45/20')
  await to.blur()
  await expect(page.getByRole('main')).toContainText('Enter the date as month/day/year')
})

test('a date field reads each way in which Koreans write a date, with the year first', async ({ page, store }) => {
  await store.signIn()
  await page.goto('/ko/mypages/order-histories?from=2020-03-25')
  const to = page.getByRole('textbox', { name: '종료일' })
  for (const [typed, read] of [
    ['2020/03/26', '2020-03-26'],
    ['2020.3.27', '2020-03-27'],
    ['2020. 3. 28.', '2020-03-28'],
    ['2020-03-29', '2020-03-29'],
  ] as const) {
    await to.fill(typed)
    await to.press('Enter')
    await expect(page, typed).toHaveURL(new RegExp(`to=${read}`))
    await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
  }
  await page.reload()
  await expect(to).toHaveValue('03/29/20')
})

test('text typed while the list of an earlier date loads stays', async ({ page, store }) => {
  await store.signIn()
  await page.goto('/mypages/order-histories?from=2020-03-25')
  const to = page.getByRole('textbox', { name: 'To' })
  await expect(to).toHaveAttribute('placeholder', dateFieldFormat)
  const gate = Promise.withResolvers<void>()
  await page.route(/_serverFn/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await to.fill('3/27/20')
  await to.press('Enter')
  // The form stays, with the focus in it, however long the list takes.
  await to.fill('')
  await to.pressSequentially('2020.3.2', { delay: 60 })
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toBeVisible()
  gate.resolve()
  await expect(page).toHaveURL(/to=2020-03-27/)
  await expect(page.getByRole('main')).toContainText('No matching orders')
  await expect(to).toHaveValue('2020.3.2')
  await expect(to).toBeFocused()
  await page.keyboard.type('8')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/to=2020-03-28/)
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)

  // A date that comes from elsewhere is shown.
  await page.goBack()
  await expect(to).toHaveValue('03/27/20')
  await to.fill('3/29/20')
  await page.getByRole('link', { name: 'Show all', exact: true }).click()
  await expect(to).toHaveValue('')
})

test('the status filter keeps its focus when its orders are shown', async ({ page, store }) => {
  await store.signIn()
  await page.goto('/mypages/order-histories')
  await page.waitForLoadState('networkidle')
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.focus()
  await status.selectOption({ index: 2 })
  await expect(page).toHaveURL(/status=/)
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
  await expect(status).toBeFocused()
  await page.goBack()
  await expect(status).toHaveValue('')
})
