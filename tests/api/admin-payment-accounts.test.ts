import { expect, test } from 'vitest'
import { paymentAccounts } from '#api/modules/tenancy/tenancy.schema.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { openPortOneServer, portOneSecrets } from '#tests/support/portone-server.ts'
import { openStripeServer, stripeSecrets } from '#tests/support/stripe-server.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  return { tenant, owner, accounts: owner.client.admin.paymentAccounts }
}

test('an account is stored without showing its secrets, and recorded with what changed', async () => {
  const { tenant, owner, accounts } = await arrange()
  const before = await accounts.read()
  expect(before).toMatchObject({ takesPayments: 'sandbox', accounts: [] })
  expect(before.providers.find(({ name }) => name === 'stripe')).toEqual({
    name: 'stripe',
    options: [],
    optional: [],
    secrets: ['secretKey', 'webhookSecret'],
    shared: [],
    webhookUrl: `${api.origin}/api/v1/customers/${tenant.code}/webhooks/stripe`,
  })

  const at = (version: string) => owner.withVersion(version).admin.paymentAccounts
  const missing = await failureOf(at(before.version).choose({ provider: 'stripe', secrets: { secretKey: ' ' } }))
  expect(missing.code).toBe('VALIDATION_FAILED')
  expect(Object.keys(missing.problem.errors ?? {})).toEqual(['secrets.secretKey', 'secrets.webhookSecret'])
  for (const name of ['apiUrl', 'pageOrigin']) {
    const options = { [name]: 'http://127.0.0.1:9' }
    const refused = await failureOf(at(before.version).choose({ provider: 'stripe', options, secrets: stripeSecrets }))
    expect([name, refused.code]).toEqual([name, 'VALIDATION_FAILED'])
  }

  const chosen = await at(before.version).choose({ provider: 'stripe', secrets: stripeSecrets })
  expect(chosen).toMatchObject({
    takesPayments: 'stripe',
    accounts: [{ provider: 'stripe', active: true, options: {}, secrets: ['secretKey', 'webhookSecret'] }],
  })
  expect((await failureOf(at(before.version).choose({ provider: 'sandbox' }))).code).toBe('VERSION_CONFLICT')
  expect((await failureOf(accounts.choose({ provider: 'sandbox' }))).code).toBe('VERSION_MISSING')

  // What is left empty stays, and another provider keeps the account for earlier payments.
  const changed = await at(chosen.version).choose({ provider: 'stripe', secrets: { webhookSecret: 'whsec_other' } })
  const sandbox = await at(changed.version).choose({ provider: 'sandbox' })
  expect(sandbox.accounts).toMatchObject([
    { provider: 'sandbox', active: true },
    { provider: 'stripe', active: false, secrets: ['secretKey', 'webhookSecret'] },
  ])
  expect(sandbox.history).toMatchObject([
    { action: 'payment-provider.chosen', changes: { provider: { from: 'stripe', to: 'sandbox' } } },
    { detail: { changedSecrets: ['webhookSecret'] } },
    { changes: { provider: { from: null, to: 'stripe' } }, detail: { changedSecrets: ['secretKey', 'webhookSecret'] } },
  ])
  const rows = await tenant.within((db) => db.select().from(paymentAccounts))
  expect(JSON.stringify([sandbox, rows])).not.toContain(stripeSecrets.secretKey)
})

test('only a confirmed owner changes the account', async () => {
  const { tenant, accounts } = await arrange()
  const { version } = await accounts.read()
  const manager = await tenant.createStaff('MANAGER')
  const change = { provider: 'sandbox' } as const
  expect((await failureOf(manager.withVersion(version).admin.paymentAccounts.choose(change))).code).toBe('FORBIDDEN')
  const unconfirmed = await tenant.createStaff('OWNER', { isConfirmed: false })
  expect((await failureOf(unconfirmed.client.admin.paymentAccounts.check(change))).code).toBe('SECOND_FACTOR_REQUIRED')
  expect((await manager.client.admin.paymentAccounts.read()).version).toBe(version)
})

test('a provider is asked whether it accepts the account', async () => {
  const { tenant, accounts } = await arrange()
  const [stripe, portone] = [await openStripeServer(), await openPortOneServer()]
  const options = { apiUrl: stripe.origin, timeoutSeconds: '1' }
  await payAt(api, tenant, 'stripe', { options, secrets: stripeSecrets })
  expect(await accounts.check({ provider: 'stripe' })).toEqual({ result: 'ACCEPTED' })
  await payAt(api, tenant, 'stripe', { options, secrets: { ...stripeSecrets, secretKey: 'sk_test_wrong' } })
  expect(await accounts.check({ provider: 'stripe' })).toEqual({ result: 'REFUSED' })
  await payAt(api, tenant, 'stripe', { options: { ...options, apiUrl: 'http://127.0.0.1:9' }, secrets: stripeSecrets })
  expect(await accounts.check({ provider: 'stripe' })).toEqual({ result: 'UNAVAILABLE' })

  const korean = { apiUrl: portone.origin, storeId: 'store-1', channelKey: 'channel-1' }
  await payAt(api, tenant, 'portone', { options: korean, secrets: portOneSecrets })
  expect(await accounts.check({ provider: 'portone' })).toEqual({ result: 'ACCEPTED' })
  await payAt(api, tenant, 'portone', { options: korean, secrets: { ...portOneSecrets, apiSecret: 'wrong' } })
  expect(await accounts.check({ provider: 'portone' })).toEqual({ result: 'REFUSED' })
  expect(await accounts.check({ provider: 'sandbox' })).toEqual({ result: 'ACCEPTED' })
})
