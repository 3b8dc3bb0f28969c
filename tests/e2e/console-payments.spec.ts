import { startMailServer } from '#tests/support/mail-server.ts'
import { axeViolationsInBoth } from './axe'
import { createStore, enterAsOwner } from './console'
import { expect, test } from './store'

test('an owner chooses the payment provider, keeps its secrets, and tests the connection', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(/422.*payment/)
  const code = `mole-${retry}`
  await createStore(baseURL!, code, 'Mole Films')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/store' })
  await page.getByRole('link', { name: 'Payment provider' }).click()

  const main = page.getByRole('main')
  await expect(main.getByText('Payments are tests')).toBeVisible()
  await main.getByLabel('Payment provider').selectOption('Stripe')
  await main.getByLabel('Secret key').fill(' ')
  await main.getByLabel('Secret of the webhook').fill(' ')
  await main.getByRole('button', { name: 'Save' }).click()
  const refusal = main.getByText('Some fields are not valid.')
  await expect(refusal).toBeVisible()
  await main.getByLabel('Payment provider').selectOption('PortOne')
  await expect(refusal).toBeHidden()
  await main.getByLabel('Payment provider').selectOption('Stripe')
  await main.getByLabel('Secret key').fill('sk_testMailof_the_harbour')
  await main.getByLabel('Secret of the webhook').fill('whsec_of_the_harbour')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('Payments are tests')).toBeHidden()
  await expect(main.getByText(`/api/v1/customers/${code}/webhooks/stripe`)).toBeVisible()
  await expect(main.getByLabel('Secret key')).toHaveValue('')
  await expect(main.getByLabel('Secret key')).toHaveAccessibleDescription('Stored. Leave it empty to keep it.')
  expect(await axeViolationsInBoth(page)).toEqual([])

  await main.getByLabel('Payment provider').selectOption('Test payments (no money is transferred)')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('Payments are tests')).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: /^Stripe$/ })).toBeVisible()
  await main.getByRole('button', { name: 'Test the connection' }).click()
  await expect(main.getByText('The provider accepts the account.')).toBeVisible()
})

test('an owner lets the store send through its own mail server, and sends emails again', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(/422.*mail-server/)
  const refusal = { code: 554, message: '5.7.1 This sender is not allowed' }
  const account = { username: 'heron', password: 'post-of-the-heron' }
  const server = await startMailServer([refusal, null, refusal], { account })
  const code = `heron-${retry}`
  await createStore(baseURL!, code, 'Heron Films')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/store' })
  await page.getByRole('link', { name: 'Mail server' }).click()

  const main = page.getByRole('main')
  await expect(main.getByText('there is no mail server')).toBeVisible()
  await main.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await main.getByLabel('Encryption').selectOption('None (for tests on the same machine)')
  await main.getByLabel('Port').fill(String(server.port))
  await main.getByLabel('User name').fill(account.username)
  await main.getByLabel('Password').fill('another')
  await main.getByLabel('Sender’s address').fill('post@heron.example')
  const save = main.getByRole('button', { name: 'Test the connection and save' })
  await save.click()
  await expect(main.getByText('The server refuses the user name or the password: Invalid login')).toBeVisible()
  await main.getByLabel('Password').fill(account.password)
  await save.click()
  await expect(main.getByLabel('Password')).toHaveAccessibleDescription('Stored. Leave it empty to keep it.')
  await expect(main.getByLabel('Password')).toHaveValue('')
  const testMail = main.getByRole('button', { name: 'Send a test email' })
  await testMail.click()
  await expect(main.getByText('5.7.1 This sender is not allowed')).toBeVisible()
  await testMail.click()
  await expect(main.getByText('The server has taken the email')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // An email that was refused is sent again, and then a copy of it.
  await page.getByRole('link', { name: 'Emails' }).click()
  await main.getByRole('button', { name: 'Send a test email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a test email' })
  await dialog.getByLabel('Email').fill('kim@example.com')
  await dialog.getByRole('button', { name: 'Send' }).click()
  const row = page.getByRole('row').filter({ hasText: 'kim@example.com' })
  await expect(row).toContainText('Failed')
  await row.getByRole('button', { name: 'Send again' }).click()
  await expect(row).toContainText('Sent')
  await row.getByRole('link', { name: 'kim@example.com' }).click()
  const first = page.url()
  await main.getByRole('button', { name: 'Send again' }).click()
  const again = page.getByRole('alertdialog', { name: 'Send this email again?' })
  await again.getByRole('button', { name: 'Send again' }).click()
  await expect(again).toBeHidden()
  await expect(page).not.toHaveURL(first)
  await expect(main.getByText('Sent', { exact: true }).first()).toBeVisible()
  await expect.poll(() => server.received.filter(({ to }) => to.includes('kim@example.com')).length).toBe(2)

  // Without it the demo sends none.
  await page.goto(store.at(code, '/admin/store/mail-server'))
  await main.getByRole('button', { name: 'Remove the mail server' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(main.getByText('there is no mail server')).toBeVisible()
  await server.close()
})
