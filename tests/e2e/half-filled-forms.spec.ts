import type { Page } from 'playwright/test'
import { expect, test } from './store'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave this page?' })
const title = (page: Page) => page.locator('input[name=title]')
const video = (page: Page) => page.locator('header a[href="/videos"]').first()

/** The form, reached from the list, and a property of the window that a reload would remove. */
async function openForm(page: Page) {
  await page.locator('main a[href="/mypages/inquiries/input"]').first().click()
  await expect(page).toHaveURL(/\/inquiries\/input$/)
  await expect(title(page)).toBeVisible()
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
}
const sameDocument = (page: Page) => page.evaluate(() => 'sameDocument' in window)

test.beforeEach(async ({ page, store }) => {
  await store.signIn()
  await page.goto('/mypages/inquiries')
})

test('leaving a half-filled form by a link or Back asks once, and staying keeps the input', async ({ page }) => {
  // The dialog's code arrives after the link is pressed.
  const pressed = Promise.withResolvers<void>()
  await page.route(/\/assets\/dialog[^/]*\.js/, async (route) => {
    await pressed.promise
    await route.continue()
  })
  await openForm(page)
  await title(page).fill('The sound is missing')

  await video(page).click()
  pressed.resolve()
  await expect(question(page)).toContainText('What you typed will be lost.')
  await question(page).getByRole('button', { name: 'Keep editing', exact: true }).click()
  await expect(question(page)).toBeHidden()
  await expect(page).toHaveURL(/\/inquiries\/input$/)
  await expect(title(page)).toHaveValue('The sound is missing')

  await page.evaluate(() => history.back())
  await question(page).getByRole('button', { name: 'Keep editing', exact: true }).click()
  await expect(page).toHaveURL(/\/inquiries\/input$/)
  await expect(title(page)).toHaveValue('The sound is missing')

  await video(page).click()
  await question(page).getByRole('button', { name: 'Leave page', exact: true }).click()
  await expect(page).toHaveURL(/\/videos$/)
  await expect(question(page)).toBeHidden()
  // The address changes first; Back before the form is gone would keep what was typed.
  await expect(title(page)).toHaveCount(0)
  await page.evaluate(() => history.back())
  await expect(title(page)).toHaveValue('')
  expect(await sameDocument(page)).toBe(true)
})

test('an untouched, discarded or sent form does not ask', async ({ page }) => {
  await openForm(page)
  await video(page).click()
  await expect(page).toHaveURL(/\/videos$/)
  await expect(title(page)).toHaveCount(0)
  await page.evaluate(() => history.back())
  await title(page).fill('The sound is missing')
  await page.locator('textarea[name=body]').fill('From the second minute on.')
  await page.locator('main form button[type=submit]').click()
  await expect(page).toHaveURL(/\/mypages\/inquiries\/(?!input)[^/]+$/)
  await video(page).click()
  await expect(page).toHaveURL(/\/videos$/)
  await expect(question(page)).toHaveCount(0)
  expect(await sameDocument(page)).toBe(true)
})

test('closing a modal with a half-filled form asks once by Escape, scrim, X and Back', async ({ page }) => {
  await page.getByRole('main').locator('nav a[href="/mypages/profile"]').click()
  await page.getByLabel('Name (optional)').fill('Somebody else')
  await page.getByRole('button', { name: 'Delete your account' }).click()
  const modal = page.getByRole('dialog', { name: 'Delete your account' })
  const reason = modal.getByLabel('Reason for leaving')
  const discardDialog = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  // The form of the page behind it is not the modal's.
  await expect(reason).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(discardDialog).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete your account' }).click()
  await expect(modal.locator(':focus')).toHaveCount(1)
  await reason.fill('I moved away')
  const waysToClose = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 300),
    () => modal.getByRole('button', { name: 'Close', exact: true }).click(),
  ]
  for (const close of waysToClose) {
    await close()
    await expect(discardDialog).toContainText('What you typed will be lost.')
    await discardDialog.getByRole('button', { name: 'Keep editing', exact: true }).click()
    await expect(discardDialog).toBeHidden()
    await expect(reason).toHaveValue('I moved away')
  }
  await page.evaluate(() => history.back())
  await question(page).getByRole('button', { name: 'Keep editing', exact: true }).click()
  await expect(question(page)).toBeHidden()
  await expect(page).toHaveURL(/\/mypages\/profile$/)
  await expect(reason).toHaveValue('I moved away')

  await page.keyboard.press('Escape')
  await discardDialog.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(modal).toBeHidden()
  await expect(discardDialog).toBeHidden()
  await expect(page.getByLabel('Name (optional)')).toHaveValue('Somebody else')
})

test('leaving an unsaved preference asks; a saved one says so, and does not ask', async ({ page }) => {
  await page.getByRole('main').locator('nav a[href="/mypages/profile"]').click()
  const preferences = page.locator('#preferences')
  const choice = preferences.getByLabel('Email me about new titles')
  const before = await choice.isChecked()
  await choice.click()
  await video(page).click()
  await question(page).getByRole('button', { name: 'Keep editing', exact: true }).click()
  await expect(question(page)).toBeHidden()
  await expect(page).toHaveURL(/\/mypages\/profile$/)

  for (const isChecked of [!before, before]) {
    await choice.setChecked(isChecked)
    await preferences.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(preferences.getByRole('status')).toHaveText('Saved.')
    await expect(preferences.getByText(isChecked ? 'You agreed on' : 'You withdrew your consent on')).toBeVisible()
    await expect(choice).toBeChecked({ checked: isChecked })
  }
  await video(page).click()
  await expect(page).toHaveURL(/\/videos$/)
})

test('a newer build is loaded only after a half-filled form is left', async ({ page }) => {
  await page.route(/\/builds\/latest\.json/, (route) => route.fulfill({ json: { id: 'a-newer-build' } }))
  await openForm(page)
  await title(page).fill('The sound is missing')
  const buildCheck = page.waitForResponse(/\/builds\/latest\.json/)
  // A page that is looked at again asks for the build.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await buildCheck
  await video(page).click()
  await question(page).getByRole('button', { name: 'Keep editing', exact: true }).click()
  await expect(title(page)).toHaveValue('The sound is missing')
  expect(await sameDocument(page)).toBe(true)
  await video(page).click()
  await question(page).getByRole('button', { name: 'Leave page', exact: true }).click()
  await expect(page).toHaveURL(/\/videos$/)
  // The address changes before the page does.
  await expect(page.getByRole('heading', { level: 1, name: 'Videos' })).toBeVisible()
  await page.locator('header a[href="/products"], footer a[href="/products"], a[href^="/products?"]').first().click()
  await expect.poll(() => sameDocument(page).catch(() => true)).toBe(false)
})

test('the browser asks before closing a half-filled form, and only then', async ({ page }) => {
  const requests: string[] = []
  page.on('dialog', (dialog) => {
    requests.push(dialog.type())
    void dialog.dismiss()
  })
  await openForm(page)
  await title(page).fill('The sound is missing')
  await page.evaluate(() => location.reload())
  await expect.poll(() => requests).toEqual(['beforeunload'])
  await expect(title(page)).toHaveValue('The sound is missing')
  await video(page).click()
  await question(page).getByRole('button', { name: 'Leave page', exact: true }).click()
  await expect(page).toHaveURL(/\/videos$/)
  // The address changes before the page does.
  await expect(title(page)).toHaveCount(0)
  await page.evaluate(() => location.reload())
  await expect.poll(() => sameDocument(page).catch(() => true)).toBe(false)
  expect(requests).toEqual(['beforeunload'])
})
