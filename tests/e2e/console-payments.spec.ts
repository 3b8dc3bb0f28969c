import { DEMO_OPERATOR, DEMO_PASSWORD } from '#demo/seed.ts'
import { axeViolationsInBoth } from './axe'
import { command } from './command'
import { fillSignIn, signedOut } from './console'
import { expect, test } from './store'

test('an owner chooses the payment provider, keeps its secrets, and tests the connection', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(signedOut)
  const code = `mole-${retry}`
  const place = ['--host', `${code}.localhost`, '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
  await command(baseURL!, ['customer', 'create', '--code', code, '--name', 'Mole Films', ...place])
  const { stdout } = await command(baseURL!, ['staff', 'invite', DEMO_OPERATOR, '-c', code, '--role', 'OWNER'])
  const link = new URL(/https?:\S+/.exec(stdout)?.[0] ?? '')
  await page.goto(store.at(code, link.pathname + link.search))
  await page.getByLabel('Password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(page.getByRole('link', { name: 'Open the console' })).toBeVisible()
  await page.goto(store.at(code, '/admin/store'))
  await fillSignIn(page)
  await page.getByRole('link', { name: 'Payment provider' }).click()

  const main = page.getByRole('main')
  await expect(main.getByText('Payments are tests')).toBeVisible()
  await main.getByLabel('Payment provider').selectOption('Stripe')
  await main.getByLabel('Secret key').fill('sk_test_of_the_harbour')
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
