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
