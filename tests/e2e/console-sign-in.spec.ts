import { TOTP } from 'otpauth'
import type { Page } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { createStaff, enterConsole, signedOut } from './console'
import { latestMail } from './mailbox'
import { expect, test } from './store'

/** Gives the page an authenticator of the platform, whose owner is always verified. */
const addAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether the owner passes the verification that the authenticator asks for. */
    verifies: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

const password = 'a long password'

test('a passkey is added, signs in, confirms a password, and is removed', async ({ page, store, baseURL }, {
  retry,
}) => {
  store.expected.push(signedOut, /422/)
  const email = `passkey-${retry}@example.com`
  await createStaff(page, baseURL!, email, password)
  const authenticator = await addAuthenticator(page)
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true })
  const withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' })
  const account = page.getByRole('heading', { level: 1, name: 'Your account' })
  const fillPassword = async () => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await signIn.click()
  }
  const signOut = async () => {
    await page.getByRole('button', { name: /Kim/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }

  await page.goto('/admin/account')
  await withPasskey.click()
  await expect(page.getByRole('alert')).toContainText('No passkey was used.')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await fillPassword()
  await expect(account).toBeVisible()

  const passkeys = page.getByRole('heading', { level: 2, name: 'Passkeys' }).locator('xpath=../..')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await passkeys.getByLabel('Name').fill('Phone')
  await passkeys.getByLabel('Password', { exact: true }).fill('wrong')
  await passkeys.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(passkeys.getByText(/incorrect/i)).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await passkeys.getByLabel('Password', { exact: true }).fill(password)
  await passkeys.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(passkeys.getByText('Save these recovery codes')).toBeVisible()
  await expect(passkeys.getByRole('listitem')).toHaveCount(10)
  await passkeys.getByRole('button', { name: 'I have saved them' }).click()
  await expect(passkeys.getByRole('listitem')).toContainText(['Phone'])
  await expect(page.getByText('Passkey added', { exact: true })).toBeHidden()
  // So that the header lies on no button.
  await page.evaluate(() => window.scrollTo(0, 0))
  expect(await axeViolationsInBoth(page)).toEqual([])

  await signOut()
  await withPasskey.click()
  await expect(account).toBeVisible()

  await signOut()
  await fillPassword()
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm your sign-in' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await authenticator.verifies(false)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('No passkey was used.')
  await authenticator.verifies(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(account).toBeVisible()

  await passkeys.getByRole('button', { name: 'Remove' }).click()
  await passkeys.getByLabel('Password', { exact: true }).fill(password)
  await passkeys.getByRole('button', { name: 'Remove' }).click()
  // The form of the removal, which shows no passkeys, stays until the passkey is removed.
  await expect(passkeys.getByRole('button', { name: 'Add a passkey' })).toBeVisible()
  await expect(passkeys.getByRole('listitem')).toHaveCount(0)
  await signOut()
  // The device still offers it.
  await withPasskey.click()
  await expect(page.getByRole('alert')).toContainText('This passkey does not work here.')
  await fillPassword()
  await expect(account).toBeVisible()
})

test('an authenticator app is set up by its QR code or key, asked for at the sign-in, and removed', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  store.expected.push(signedOut, /422/)
  const email = `app-${retry}@example.com`
  await createStaff(page, baseURL!, email, password)
  const fillPassword = async () => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.goto('/admin/account')
  await fillPassword()
  const app = page.getByRole('heading', { level: 2, name: 'Authenticator app' }).locator('xpath=../..')
  await app.getByLabel('Password', { exact: true }).fill(password)
  await app.getByRole('button', { name: 'Set up' }).click()
  await expect(app.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  const secret = await app.getByLabel('Key', { exact: true }).inputValue()
  await app.getByLabel('Code of the app').fill('000000')
  await app.getByRole('button', { name: 'Turn on' }).click()
  await expect(app.getByRole('alert')).toBeVisible()
  await app.getByLabel('Code of the app').fill(new TOTP({ secret }).generate())
  await app.getByRole('button', { name: 'Turn on' }).click()
  await expect(app.getByText('Save these recovery codes')).toBeVisible()
  const recoveryCode = await app.getByRole('listitem').first().innerText()
  await app.getByRole('button', { name: 'I have saved them' }).click()

  await page.getByRole('button', { name: /Kim/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await fillPassword()
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm your sign-in' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeHidden()
  // The code that completed the setup was used.
  await page.getByLabel('Code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(app.getByText('Recovery codes left: 9')).toBeVisible()
  await app.getByLabel('Password', { exact: true }).fill(password)
  await app.getByRole('button', { name: 'Remove the app' }).click()
  await expect(app.getByRole('button', { name: 'Set up' })).toBeVisible()
})

test('an owner resets the second factor that a colleague has lost, who signs in with the password alone', async ({
  page,
  store,
  browser,
  baseURL,
}, { retry }) => {
  store.expected.push(signedOut)
  const email = `lost-${retry}-${Date.now().toString(36)}@example.com`
  await createStaff(page, baseURL!, email, password)
  const colleague = await (await browser.newContext({ baseURL: baseURL!, locale: 'en-US' })).newPage()
  const heading = colleague.getByRole('heading', { level: 1 })
  const app = colleague.getByRole('heading', { level: 2, name: 'Authenticator app' }).locator('xpath=../..')
  await enterConsole(colleague, '/account', { email, password })
  await app.getByLabel('Password', { exact: true }).fill(password)
  await app.getByRole('button', { name: 'Set up' }).click()
  const secret = await app.getByLabel('Key', { exact: true }).inputValue()
  await app.getByLabel('Code of the app').fill(new TOTP({ secret }).generate())
  await app.getByRole('button', { name: 'Turn on' }).click()
  await app.getByRole('button', { name: 'I have saved them' }).click()

  await enterConsole(page, '/staff')
  const main = page.getByRole('main')
  const person = main.getByRole('listitem').filter({ hasText: email })
  await expect(person).toContainText('Authenticator app')
  await person.getByRole('button', { name: `Reset the second factor of ${email}` }).click()
  const dialog = page.getByRole('dialog', { name: `Reset the second factor of ${email}?` })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByLabel('Reason').fill('The phone fell into the sea')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await expect(dialog).toBeHidden()
  await expect(person).not.toContainText('Authenticator app')
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Audit log' }).click()
  await expect(main.getByRole('row').filter({ hasText: email }).first()).toContainText('The phone fell into the sea')
  expect(await latestMail(page, baseURL!, email, /authenticator app was removed/)).toContain('set up a new app')

  // Sessions end with it, and the password is enough.
  await colleague.reload()
  await expect(heading).toHaveText(/^Sign in to /)
  await colleague.getByLabel('Email').fill(email)
  await colleague.getByLabel('Password', { exact: true }).fill(password)
  await colleague.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(app.getByRole('button', { name: 'Set up' })).toBeVisible()
  await colleague.context().close()
})
