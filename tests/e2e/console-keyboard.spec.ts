import type { Locator, Page } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { buyFilm } from './buy-film'
import { enterConsole } from './console'
import { newMember, password } from './new-member'
import { callAs } from './requests'
import { expect, test } from './store'

/** A picture of 32 pixels in width. */
const picture = (height: number) =>
  import('sharp').then(({ default: sharp }) =>
    sharp({ create: { width: 32, height, channels: 3, background: '#226644' } })
      .png()
      .toBuffer(),
  )

/** More controls than any page has. */
const maxPresses = 200

/** Presses Tab or Shift+Tab until the control has the focus, and shows it. */
const tabTo = async (page: Page, control: Locator) => {
  await control.waitFor()
  const nextKey = () =>
    control.evaluate((element) => {
      const { activeElement } = document
      if (element === activeElement) return null
      const isBefore = element.compareDocumentPosition(activeElement ?? element) & Node.DOCUMENT_POSITION_FOLLOWING
      return isBefore ? 'Shift+Tab' : 'Tab'
    })
  for (let presses = 0; presses < maxPresses; presses++) {
    const key = await nextKey()
    if (!key) break
    await page.keyboard.press(key)
  }
  await expect(control).toBeFocused()
  // Chromium shows it within a field for times.
  const shown = ':focus-visible, [type=datetime-local]'
  expect(await control.evaluate((element, selector) => element.matches(selector), shown)).toBe(true)
}

/** Whoever uses the keyboard goes on where they were. */
const keepsFocus = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName.toLowerCase())).not.toBe('body')

test('an operator refunds, answers, prices, schedules, illustrates and publishes by the keyboard alone', async ({
  page,
  store,
}) => {
  test.slow()
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  const code = await buyFilm(page, at, 'blue-hour')
  const main = page.getByRole('main')
  const menu = page.getByRole('navigation', { name: 'Console' })
  const press = async (control: Locator, key = 'Enter') => {
    await tabTo(page, control)
    await page.keyboard.press(key)
  }
  const type = async (control: Locator, text: string) => {
    await tabTo(page, control)
    await page.keyboard.type(text)
  }
  const button = (name: string, within: Page | Locator = main) => within.getByRole('button', { name, exact: true })

  // A refund.
  await enterConsole(page, '/orders')
  await page.keyboard.press('/')
  await page.keyboard.type(email)
  await expect(main.getByRole('row')).toHaveCount(2)
  await press(main.getByRole('link', { name: code }))
  await expect(page.getByRole('heading', { level: 1, name: code })).toBeVisible()
  await press(main.getByRole('button', { name: /^Refund/ }).first())
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await type(dialog.getByLabel('Reason'), 'Bought by mistake')
  await press(dialog.getByRole('button', { name: /^Refund/ }))
  await expect(dialog).toBeHidden()
  await expect(main.getByRole('listitem').filter({ hasText: 'Bought by mistake' }).first()).toBeVisible()
  await keepsFocus(page)

  // An answer.
  const { token } = await callAs(page, null, '/login', { email, password })
  const title = `Keyboard ${email}`
  await callAs(page, token, '/inquiries', { type: 'ETC', title, body: 'When is the next one?' })
  await press(menu.getByRole('link', { name: 'Inquiries' }))
  await press(main.getByRole('link', { name: title }))
  await expect(main).toContainText('When is the next one?')
  await type(main.getByLabel('Answer', { exact: true }), 'In spring.')
  await press(button('Send answer'))
  await expect(main.getByRole('listitem').filter({ hasText: 'In spring.' })).toBeVisible()
  await keepsFocus(page)

  // A product with its price, a discount that begins later, and a poster.
  await press(menu.getByRole('link', { name: 'Products' }))
  await press(main.getByRole('link', { name: 'New product' }))
  const name = `Keyboard harbour ${Date.now()}`
  // The list that is left has a field “Title or code”.
  await type(main.getByLabel('Title', { exact: true }), name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await keepsFocus(page)
  await press(button('Add option'))
  const created = main.getByRole('group', { name: 'New option' })
  await type(created.getByLabel('Price', { exact: true }), '12')
  await type(created.getByLabel('Name', { exact: true }), 'Own')
  await press(button('Save prices'))
  await expect(main.getByRole('listitem').filter({ hasText: 'Own: Price: $12.00' })).toBeVisible()
  // The form is drawn anew.
  await expect(button('Save prices')).toBeFocused()
  const option = main.getByRole('group', { name: 'Own', exact: true })
  await press(button('Schedule a discount', option))
  const scheduled = option.getByRole('group', { name: 'Scheduled prices' })
  const typeTime = async (control: Locator, day: string) => {
    await type(control, day)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0900A')
  }
  // Backwards, the last part of the time would be the first.
  await tabTo(page, option.getByLabel('On sale'))
  await typeTime(scheduled.getByLabel('From').first(), '01012199')
  await type(scheduled.getByLabel('Price', { exact: true }).first(), '9')
  await typeTime(scheduled.getByLabel('Until, then the regular price'), '02012199')
  await press(button('Save prices'))
  await expect(main.getByText(/Own: Scheduled prices: From: 2199\S+ \S+, Price: \$9\.00/)).toBeVisible()
  const upload = async (label: string, height: number) => {
    const chooser = page.waitForEvent('filechooser')
    await press(main.getByLabel(label, { exact: true }))
    await (await chooser).setFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: await picture(height) })
    await keepsFocus(page)
  }
  await upload('Upload a poster', 18)
  await expect(button('Remove the poster')).toBeVisible()
  await upload('Upload an upright poster', 48)
  await expect(main.getByAltText('The upright poster')).toBeVisible()
  await upload('Add pictures', 20)
  await expect(main.getByRole('link', { name: 'Picture 1' })).toBeVisible()
  await upload('Add pictures', 30)
  const second = main.getByRole('link', { name: 'Picture 2' })
  const address = await second.getAttribute('href')
  await press(button('Move up: Picture 2'))
  await expect(main.getByRole('link', { name: 'Picture 1' })).toHaveAttribute('href', address ?? '')
  await press(button('Describe Picture 1'))
  const described = page.getByRole('dialog', { name: 'What the picture shows' })
  await type(described.getByLabel('Description', { exact: true }), 'The pier at noon')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await press(button('Save', described))
  await expect(main.getByText('The pier at noon', { exact: true })).toBeVisible()
  await keepsFocus(page)
  await press(button('Remove Picture 1'))
  await press(button('Remove', page.getByRole('alertdialog')))
  // The page is hidden as long as the dialog is open.
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(second).toBeHidden()
  await keepsFocus(page)
  expect(await axeViolationsInBoth(page)).toEqual([])

  // A notice, from a draft to what visitors see.
  await press(menu.getByRole('link', { name: 'Content' }))
  await press(main.getByRole('link', { name: 'New notice' }))
  const notice = `Keyboard notice ${Date.now()}`
  await type(main.getByLabel('Title').first(), notice)
  await type(main.getByRole('textbox', { name: 'Text', exact: true }).first(), 'Closed on Friday.')
  await press(button('Save draft'))
  await expect(page.getByRole('heading', { level: 1, name: notice })).toBeVisible()
  await press(button('Publish'))
  await expect(main.getByText('Published', { exact: true })).toBeVisible()
  await keepsFocus(page)
  await press(button('Delete'))
  const question = page.getByRole('alertdialog')
  await type(question.getByLabel('Type delete to confirm'), 'delete')
  await press(button('Delete', question))
  await expect(page.getByRole('heading', { level: 1, name: 'Content' })).toBeVisible()
  await keepsFocus(page)
})
