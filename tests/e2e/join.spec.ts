import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { axeViolations } from './axe'
import { closeModal, openModal } from './conformance-page'
import { latestMail } from './mailbox'
import { enter, newMember, sixDigits } from './new-member'
import { expect, test } from './store'

const password = 'a lamp beside the river'

const anEmail = () => `e2e-${randomUUID().slice(0, 8)}@example.com`

/** Fills the join form with all it needs. */
async function fillJoin(page: Page, email: string) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Name (optional)').fill('Sora Lee')
  await page.getByLabel('I agree to the Terms of Use.').check()
  await page.getByLabel('I agree to the Privacy Policy.').check()
  await page.getByLabel('I’m 14 or older.').check()
}

const codeOf = async (page: Page, store: string, email: string) =>
  sixDigits(await latestMail(page, store, email, /code/i))

const resetLinkOf = async (page: Page, store: string, email: string) =>
  /\/reset-password\?key=[\w-]+/.exec(await latestMail(page, store, email, /password/i))![0]

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('a sign-up with the mailed code is welcomed once and continues at the previous page', async ({ page, store }) => {
  const at = store.at('aurora', '')
  const email = anEmail()
  await page.goto(`${at}/products/the-last-light`)
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/join\/input\?redirect=/)
  await fillJoin(page, email)
  await expect(page.getByText('Strong', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page).toHaveURL(/\/join\/verify/)
  await expect(page.getByRole('main')).toContainText(email)
  await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(page.getByRole('button', { name: /Resend code in 0:/ })).toBeDisabled()

  store.expected.push(/422/)
  const code = await codeOf(page, at, email)
  await page.getByLabel('Code', { exact: true }).fill(code === '000000' ? '111111' : '000000')
  await page.getByRole('button', { name: 'Verify and sign up' }).click()
  await expect(page.getByText('That’s not the code from our latest email.')).toBeVisible()
  await expect(page.getByText('4 tries left.')).toBeVisible()

  // As it is pasted from a mail: with a blank in between.
  await page.getByLabel('Code', { exact: true }).fill(` ${code.slice(0, 3)} ${code.slice(3)}`)
  await page.getByRole('button', { name: 'Verify and sign up' }).click()
  await expect(heading(page)).toHaveText('Welcome, Sora Lee.')
  await expect(page.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/products/the-last-light')
  expect((await page.context().cookies()).map(({ name }) => name)).toContain('token')
  await page.reload()
  await expect(page).toHaveURL(`${at}/`)
})

test('a step of joining opened out of order redirects to the first incomplete step', async ({ page, store }) => {
  const at = store.at('aurora', '')
  await page.goto(`${at}/join/completed`)
  await expect(page).toHaveURL(/\/join\/input$/)
  await page.goto(`${at}/join/verify`)
  await expect(page).toHaveURL(/\/join\/input$/)
  await fillJoin(page, anEmail())
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.waitForURL(/\/join\/verify/)
  await page.goto(`${at}/join/completed`)
  await expect(page).toHaveURL(/\/join\/verify$/)
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'join')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
})

test('the join pages are for guests only', async ({ page, store }) => {
  await store.signIn('member@example.com', 'aurora')
  for (const step of ['input', 'verify', 'completed']) {
    await page.goto(store.at('aurora', `/join/${step}`))
    await expect(page).toHaveURL(store.at('aurora', '/'))
  }
})

test('each consent has an unchecked box of its own, and the first error receives the focus', async ({
  page,
  store,
}) => {
  await page.goto(store.at('aurora', '/join/input'))
  const consents = page.getByRole('group', { name: 'Terms and consent' }).getByRole('checkbox')
  await expect(consents).toHaveCount(5)
  for (const consent of await consents.all()) await expect(consent).not.toBeChecked()
  const all = page.getByLabel('Agree to all')
  await all.check()
  for (const consent of await consents.all()) await expect(consent).toBeChecked()
  await page.getByLabel('Email me about new titles').uncheck()
  await expect(all).not.toBeChecked()
  await expect(all).toHaveJSProperty('indeterminate', true)
  await page.getByLabel('Email me about new titles').check()
  await expect(all).toBeChecked()
  await all.uncheck()
  for (const consent of await consents.all()) await expect(consent).not.toBeChecked()
  await page.getByLabel('Name (optional)').fill('Sora Lee')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(/name@example\.com/)
  await expect(page.getByText('Agree to the Terms of Use to continue.')).toBeVisible()
  const [terms] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'View Terms of Use' }).click(),
  ])
  await expect(terms).toHaveURL(/\/pages\/terms$/)
  await expect(page.getByLabel('Name (optional)')).toHaveValue('Sora Lee')
})

test('a refused sign-up can be corrected: an invalid phone number and missing consents', async ({ page, store }) => {
  await page.goto(store.at('aurora', '/join/input'))
  await page.getByLabel('Phone (optional)').fill('1')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Enter a valid phone number.')).toBeVisible()
  await expect(page.getByText('You must be 14 or older to create an account.')).toBeVisible()
  await page.getByLabel('Phone (optional)').fill('')
  await fillJoin(page, anEmail())
  await expect(page.getByText('You must be 14 or older to create an account.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page).toHaveURL(/\/join\/verify/)
})

test('the email entered at the login is filled in when joining and resetting the password', async ({ page, store }) => {
  await page.goto(store.at('aurora', '/login'))
  await page.getByLabel('Email', { exact: true }).fill('someone@example.com')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forgot your password?' })
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue('someone@example.com')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('someone@example.com')
})

test('a forgotten password is replaced by a mailed link that works once', async ({ page, store }) => {
  const at = store.at('aurora', '')
  const email = await newMember(page, at)
  await page.context().clearCookies({ name: 'token' })
  await page.goto(`${at}/login`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forgot your password?' })
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog.getByRole('status')).toContainText(email)

  const link = await resetLinkOf(page, at, email)
  await page.goto(at + link)
  await expect(heading(page)).toHaveText('Choose a new password')
  await page.getByLabel('New password', { exact: true }).fill('another lamp, another river')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByText('Your password was changed. Sign in with your new password.')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
  await page.getByLabel('Password', { exact: true }).fill('another lamp, another river')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(`${at}/`)

  // For guests only.
  await page.goto(at + link)
  await expect(page).toHaveURL(`${at}/`)
  await page.context().clearCookies({ name: 'token' })
  await page.goto(at + link)
  await expect(heading(page)).toHaveText('This link has expired')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('we’ve sent a link')
})

test('a profile is changed, with an address from the search', async ({ page, store }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  const at = store.at('hangang', '')
  await newMember(page, at)
  await page.goto(`${at}/en/mypages/profile`)
  await page.getByLabel('Phone (optional)').fill('')
  await page.getByLabel('Phone (optional)').pressSequentially('01087654321')
  await expect(page.getByLabel('Phone (optional)')).toHaveValue('010-8765-4321')
  await page.getByRole('button', { name: 'Find address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Find an address' })
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  await dialog.getByRole('searchbox').fill('세종대로')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toContainText('found')
  await page.keyboard.press('ArrowDown')
  const chosen = dialog.getByRole('listitem').first()
  await expect(chosen.getByRole('button')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Postal code')).toHaveValue(/^\d{5}$/)
  await expect(page.getByLabel('Street address')).toHaveValue(/세종대로/)
  await expect(page.getByLabel('Apartment, floor, unit')).toBeFocused()
  await page.keyboard.type('3층')
  await page.locator('#details').getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#details').getByRole('status')).toHaveText('Saved.')

  const consent = page.locator('#preferences dl')
  await expect(consent).toHaveText('Consent to marketing emailsNo')
  await page.locator('#preferences').getByLabel('Email me about new titles').check()
  await page.locator('#preferences').getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#preferences')).toContainText('You agreed on')
  await expect(consent).toHaveText('Consent to marketing emailsYes')
  await page.locator('#preferences').getByLabel('Language').selectOption('ja')
  await page.locator('#preferences').getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await expect(consent.getByRole('definition')).toHaveText('はい')
  await page.goto(`${at}/en/mypages/profile`)
  await expect(page.locator('#preferences').getByLabel('Language')).toHaveValue('ja')
  await expect(page.getByLabel('Phone (optional)')).toHaveValue('010-8765-4321')
  await expect(page.getByLabel('Apartment, floor, unit')).toHaveValue('3층')
  await expect(page.locator('#preferences').getByLabel('Email me about new titles')).toBeChecked()
})

test('a new password ends other sessions, and the account data can be exported', async ({ page, store, browser }) => {
  const at = store.at('aurora', '')
  const email = await newMember(page, at)
  const elsewhere = await browser.newPage()
  const sessions = page.locator('#sessions').getByRole('listitem')
  for (const end of ['Sign out Chrome on Linux', 'Sign out all other devices']) {
    await enter(elsewhere, at, email)
    await page.goto(`${at}/mypages/profile`)
    await expect(sessions).toHaveCount(2)
    await page.getByRole('button', { name: end }).click()
    await expect(sessions).toHaveCount(1)
    await expect(sessions).toContainText('This device')
  }
  await enter(elsewhere, at, email)
  await page.goto(`${at}/mypages/profile`)
  await expect(sessions).toHaveCount(2)
  store.expected.push(/422/)
  const form = page.locator('#password')
  await form.getByLabel('Current password').fill('not this one')
  await form.getByLabel('New password', { exact: true }).fill('a third lamp by the sea')
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(form.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true')
  await expect(form.getByLabel('Current password')).toBeFocused()
  await form.getByLabel('Current password').fill(password)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(form.getByText('Saved.')).toBeVisible()
  await expect(sessions).toHaveCount(1)
  await elsewhere.goto(`${at}/mypages`)
  await expect(elsewhere).toHaveURL(/\/login/)
  await elsewhere.close()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('my-data-aurora.json')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const data = JSON.parse(Buffer.concat(chunks).toString())
  expect(data.member).toMatchObject([{ email, marketing: false }])
  expect(data.summary).toMatchObject({
    Email: email,
    'Consent to marketing emails': 'No',
    Subscription: 'No',
    Partnership: 'No',
  })
})

test('an account with pending money cannot be deleted, and the modal links to what is pending', async ({
  page,
  store,
}) => {
  const at = store.at('hangang', '')
  await newMember(page, at)
  await page.goto(`${at}/payments?product=grid-basics`)
  await page.getByRole('radio', { name: 'Bank transfer' }).check()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay ₩/ }).click()
  await page.waitForURL(/\/payments\/result/)
  const code = new URL(page.url()).searchParams.get('order')!
  await page.goto(`${at}/mypages/profile`)
  await page.getByRole('button', { name: 'Delete your account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account' })
  await expect(dialog).toContainText('You can’t delete your account')
  await expect(dialog.getByLabel('Your password', { exact: true })).toHaveCount(0)
  await dialog.getByRole('link', { name: code }).click()
  await expect(page).toHaveURL(`${at}/mypages/order-histories/${code}`)
})

test('an account is deleted with its password', async ({ page, store }) => {
  const at = store.at('aurora', '')
  const email = await newMember(page, at)
  await page.goto(`${at}/mypages/profile`)
  await page.getByRole('button', { name: 'Delete your account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account' })
  await expect(dialog.getByRole('heading', { name: 'Data you’ll lose' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Data we keep' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByLabel('Your password', { exact: true })).toBeFocused()
  // 401 is for signing in again below.
  store.expected.push(/422/, /401/)
  await dialog.getByLabel('Your password', { exact: true }).fill('not this one')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText('Confirm to continue.')).toBeVisible()
  await expect(dialog.getByLabel('I want to delete my account')).toBeFocused()
  await dialog.getByLabel('I want to delete my account').check()
  await expect(dialog.getByText('Confirm to continue.')).toBeHidden()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByLabel('Your password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Your password', { exact: true }).fill(password)
  const refused: string[] = []
  page.on('response', (answer) => void (answer.status() === 401 && refused.push(answer.url())))
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL(`${at}/`)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('token')
  await expect(dialog).toBeHidden()
  expect(refused).toEqual([])

  await page.goto(`${at}/login`)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Incorrect email or password')
})

const accountModals = [
  ['findPassword', 'Forgot your password?'],
  ['searchAddress', 'Find an address'],
  ['accountWithdrawal', 'Delete your account'],
] as const

test('the modals of an account open by their events, are 440 px wide and have no axe violations', async ({
  page,
  store,
}) => {
  await store.signIn('second@example.com', 'salon')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(store.at('salon', '/mypages/profile'))
  for (const [name, title] of accountModals) {
    await openModal(page, { name, visible: true })
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog.getByRole('button').nth(1)).toBeVisible()
    expect((await dialog.boundingBox())?.width, name).toBe(440)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page, { within: '[role=dialog]' }), `${name}, ${colorScheme}`).toEqual([])
    }
    await closeModal(page, name)
    await expect(dialog).toHaveCount(0)
  }
})

test('the pages of joining have no axe violations and fit the width of a phone', async ({ page, store }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  const check = async () => {
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  await page.goto(store.at('salon', '/join/input'))
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Agree to the Terms of Use to continue.')).toBeVisible()
  await check()
  const email = anEmail()
  await fillJoin(page, email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.waitForURL(/\/join\/verify/)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await check()
  await page.getByLabel('Code', { exact: true }).fill(await codeOf(page, store.at('salon', ''), email))
  await page.getByRole('button', { name: 'Verify and sign up' }).click()
  await page.waitForURL(/\/join\/completed/)
  await check()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a member joins, resets the password and changes the profile', async ({ page, store }) => {
    store.expected.push(/422/)
    const at = store.at('aurora', '')
    const email = anEmail()
    await page.goto(`${at}/join/input`)
    await page.getByLabel('Email', { exact: true }).fill('nobody')
    await page.getByLabel('Name (optional)').fill('Sora Lee')
    await page.getByRole('button', { name: 'Send code' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Name (optional)')).toHaveValue('Sora Lee')
    await fillJoin(page, email)
    await page.getByRole('button', { name: 'Send code' }).click()
    await expect(page).toHaveURL(/\/join\/verify/)
    const code = await codeOf(page, at, email)
    await page.getByLabel('Code', { exact: true }).fill(code === '000000' ? '111111' : '000000')
    await page.getByRole('button', { name: 'Verify and sign up' }).click()
    await expect(page.getByText('That’s not the code from our latest email.')).toBeVisible()
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.getByRole('button', { name: 'Verify and sign up' }).click()
    await expect(heading(page)).toHaveText('Welcome, Sora Lee.')

    await page.goto(`${at}/mypages/profile`)
    await page.getByLabel('Name (optional)').fill('Sora Kim')
    await page.locator('#details').getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(/saved=details/)
    await expect(page.getByLabel('Name (optional)')).toHaveValue('Sora Kim')
    await expect(page.locator('#details').getByRole('status')).toHaveText('Saved.')

    await page.context().clearCookies({ name: 'token' })
    await page.goto(`${at}/login`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByRole('main').getByRole('status')).toContainText(email)
    const link = await resetLinkOf(page, at, email)
    await page.goto(at + link)
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Reset password' }).click()
    await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('New password', { exact: true }).fill('a fourth lamp, up the hill')
    await page.getByRole('button', { name: 'Reset password' }).click()
    await expect(page.getByText('Your password was changed.')).toBeVisible()
  })
})
