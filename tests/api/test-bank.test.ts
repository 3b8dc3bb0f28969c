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

test('the test bank finds accounts by their number, names what is wrong, and lets no script in', async () => {
  const { bank, account } = await arrange()
  const page = await bank.read()
  expect(page).toContain('$29.00')
  const wrong = await bank.send({ action: 'deposit', amount: '<script>alert(1)</script>' })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).not.toContain('<script>')
  const unknown = openTestBank(api, '7000-0000-000000')
  expect(await unknown.read()).toContain('Account not found.')
  const plain = openTestBank(api, account.number.replaceAll('-', ''))
  expect(await plain.read()).toContain(account.number)
  // Money goes into an account at the bank, never by its payment's card page.
  expect((await bank.reverse()).status).toBe(409)
})

test('a number is looked for in the books of the store whose it may be, however many stores there are', async () => {
  const { bank, account } = await arrange()
  for (let store = 0; store < 5; store++) await createBankTenant(api)
  const connecting = vi.spyOn(api.deps.pool, 'connect')
  expect(await openTestBank(api, '7000-0000-000000').read()).toContain('Account not found.')
  expect(connecting.mock.calls.length).toBeLessThan(4)
  connecting.mockRestore()
  expect(await bank.read()).toContain(account.number)
})
