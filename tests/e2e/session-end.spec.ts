import type { Page } from 'playwright/test'
import { newMember, password } from './new-member'
import { callAs } from './requests'
import { expect, test } from './store'

const film = '/products/the-last-light'
const signedOut = 'You’re signed out. Sign in to continue.'

const main = (page: Page) => page.getByRole('main')
const toast = (page: Page) => page.locator('[data-scope=toast][data-part=root]')

/** Signs the member's other devices out, as another device does. */
async function endSession(page: Page, email: string) {
  const { token } = await callAs(page, null, '/login', { email, password })
  const status = await page.evaluate(async (bearer) => {
    const headers = { authorization: `Bearer ${bearer}` }
    const url = '/api/v1/customers/aurora/me/sessions'
    return (await fetch(url, { method: 'DELETE', headers, credentials: 'omit' })).status
  }, token)
  expect(status).toBe(204)
}

/** The page says at its place that the session has ended, and the header follows. */
async function expectSignedOut(page: Page, where = main(page).getByText(signedOut)) {
  await expect(where).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in', exact: true })).toBeVisible()
}

/** Fills in the sign-in form, which returns to the page. */
async function signInAgain(page: Page, email: string, secret = password) {
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await main(page).getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).not.toHaveURL(/\/login/)
}

const followLink = (page: Page) => main(page).getByRole('link', { name: 'Sign in to continue.' }).click()

test.beforeEach(({ store }) => {
  store.expected.push(/status of 401/)
})

test('a comment survives the end of the session, for its member alone', async ({ page, store }) => {
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto(film)
  const field = page.getByLabel('Your comment')
  await field.fill('Saw it twice')
  await endSession(page, email)
  await page.getByRole('button', { name: 'Post comment' }).click()
  await expect(toast(page)).toContainText('SESSION_EXPIRED')
  await expectSignedOut(page)
  await expect(field).toHaveValue('Saw it twice')
  // What is typed after the refusal counts too.
  await field.fill('Saw it twice already')
  await followLink(page)
  await signInAgain(page, email)
  await expect(page).toHaveURL(new RegExp(`${film}$`))
  await expect(field).toHaveValue('Saw it twice already')
  await endSession(page, email)
  await page.getByRole('button', { name: 'Post comment' }).click()
  await expectSignedOut(page)

  // Another member of the same browser does not see it.
  await followLink(page)
  await signInAgain(page, 'second@example.com', 'marquee-demo')
  await expect(field).toHaveValue('')
  expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
})

test('a reply survives the end of the session', async ({ page, store }) => {
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto('/products/blue-hour')
  await main(page).getByRole('button', { name: 'Reply', exact: true }).first().click()
  const field = page.getByLabel(/^Your reply to/)
  const text = 'So did I'
  await field.fill(text)
  await endSession(page, email)
  const send = main(page).locator('form').filter({ has: field }).getByRole('button', { name: 'Reply', exact: true })
  await send.click()
  await expectSignedOut(page)
  await followLink(page)
  await signInAgain(page, email)
  await expect(field).toHaveValue(text)
  expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
})

test('an inquiry survives the end of the session with its fields', async ({ page, store }) => {
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto('/mypages/inquiries/input?product=the-last-light')
  await page.getByLabel('Topic').selectOption('ETC')
  await page.getByLabel('Subject').fill('The sound is missing')
  await page.getByLabel('How can we help?').fill('From the second minute on.')
  await endSession(page, email)
  await page.getByRole('button', { name: 'Send inquiry' }).click()
  await expectSignedOut(page)
  await followLink(page)
  await signInAgain(page, email)
  await expect(page).toHaveURL(/\/inquiries\/input\?product=the-last-light$/)
  await expect(page.getByLabel('Topic')).toHaveValue('ETC')
  await expect(page.getByLabel('Subject')).toHaveValue('The sound is missing')
  await expect(page.getByLabel('How can we help?')).toHaveValue('From the second minute on.')
  await page.getByRole('button', { name: 'Send inquiry' }).click()
  await expect(page).toHaveURL(/\/mypages\/inquiries\/(?!input)[^/]+$/)
})

test('a file that is added after the end of the session leads to sign in', async ({ page, store }) => {
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto('/mypages/inquiries/input')
  await page.getByLabel('Subject').fill('The sound is missing')
  await endSession(page, email)
  const file = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.alloc(1_000, 7) }
  await page.getByLabel('Add files').setInputFiles(file)
  await expectSignedOut(page)
  await followLink(page)
  await signInAgain(page, email)
  await expect(page.getByLabel('Subject')).toHaveValue('The sound is missing')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a form sent after the end of the session leads to sign in and back', async ({ page, store }) => {
    await store.signIn('second@example.com')
    await page.goto('/mypages/inquiries/input?product=the-last-light')
    await page.getByLabel('How can we help?').fill('From the second minute on.')
    await page.context().clearCookies({ name: 'token' })
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await signInAgain(page, 'second@example.com', 'marquee-demo')
    await expect(page).toHaveURL(/\/inquiries\/input\?product=the-last-light$/)
  })
})

test('a checkout goes on after the end of the session, with its choices', async ({ page, store }) => {
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto('/payments?product=the-last-light')
  const method = main(page).getByRole('radio', { name: /transfer/i })
  await method.check({ force: true })
  await main(page).getByRole('checkbox').check()
  await endSession(page, email)
  await page.getByRole('button', { name: /^Pay / }).click()
  await expectSignedOut(page)
  await followLink(page)
  await signInAgain(page, email)
  await expect(page).toHaveURL(/\/payments\?product=the-last-light$/)
  await expect(method).toBeChecked()
  // Consent is given anew.
  await expect(main(page).getByRole('checkbox')).not.toBeChecked()
})

test('profile fields survive the end of the session, and passwords do not', async ({ page, store }) => {
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto('/mypages/profile')
  const name = page.getByLabel('Name (optional)')
  await name.fill('Somebody else')
  await page.getByLabel('Current password').fill(password)
  await endSession(page, email)
  await page.locator('#details').getByRole('button', { name: 'Save' }).click()
  await expectSignedOut(page)
  await followLink(page)
  await signInAgain(page, email)
  await expect(name).toHaveValue('Somebody else')
  await expect(page.getByLabel('Current password')).toHaveValue('')
  await page.locator('#details').getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#details').getByRole('status')).toHaveText('Saved.')
})

test('a press on the wish list without the session cookie leads to sign in', async ({ page, store }) => {
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto(film)
  await page.context().clearCookies({ name: 'token' })
  await main(page)
    .getByRole('button', { name: /^Wish list/ })
    .click()
  // It closes after three seconds, unless the pointer holds it.
  await toast(page).hover()
  await expectSignedOut(page, toast(page).getByText('UNAUTHORIZED'))
  await toast(page).getByRole('button', { name: 'Sign in' }).click()
  await signInAgain(page, email)
  await expect(page).toHaveURL(new RegExp(`${film}$`))
  await main(page)
    .getByRole('button', { name: /^Wish list/ })
    .click()
  await expect(main(page).getByRole('button', { name: /wish list/i, pressed: true })).toBeVisible()
})

test('a page opened after the end of the session leads to sign in', async ({ page, store }) => {
  store.expected.push(/could not be shown/)
  const email = await newMember(page, store.at('aurora', ''))
  await page.goto('/faq')
  await endSession(page, email)
  await store.navigate('/mypages/order-histories')
  await signInAgain(page, email)
  await expect(page).toHaveURL(/\/mypages\/order-histories$/)
})
