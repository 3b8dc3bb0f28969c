import { expect, test, vi } from 'vitest'
import { beginToDeposit, createBankTenant, openTestBank } from '#tests/support/bank.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const deposit = await beginToDeposit(api, tenant, member, product)
  return { tenant, ...deposit }
}

test('the test bank finds accounts by their number, names errors, and runs no scripts', async () => {
  const { bank, account } = await arrange()
  const page = await bank.read()
  expect(page).toContain('$29.00')
  const wrong = await bank.send({ action: 'deposit', amount: '<script>alert(1)</script>' })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).not.toContain('<script>')
  for (const amount of ['12.345', '12.', '0']) {
    expect((await bank.send({ action: 'deposit', amount })).status).toBe(422)
  }
  const unknown = openTestBank(api, '7000-0000-000000')
  expect(await unknown.read()).toContain('Account not found.')
  const plain = openTestBank(api, account.number.replaceAll('-', ''))
  expect(await plain.read()).toContain(account.number)
  // A deposit is made at the bank's page, never at its payment's card page.
  expect((await bank.reverse()).status).toBe(409)
})

test('the test bank finds a number in the ledger of the store it belongs to, however many stores there are', async () => {
  const { bank, account } = await arrange()
  for (let store = 0; store < 5; store++) await createBankTenant(api)
  const connecting = vi.spyOn(api.deps.pool, 'connect')
  expect(await openTestBank(api, '7000-0000-000000').read()).toContain('Account not found.')
  expect(connecting.mock.calls.length).toBeLessThan(4)
  connecting.mockRestore()
  expect(await bank.read()).toContain(account.number)
})
