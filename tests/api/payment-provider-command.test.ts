import { expect, test } from 'vitest'
import { paymentAccounts } from '#api/modules/tenancy/tenancy.schema.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const timeout = 60_000

const run = (tenant: Tenant, args: string[], env: Record<string, string> = {}) =>
  quickCommandOf(api, { env })(['payment-provider', '-c', tenant.code, '--by', 'Jo', ...args])

const keys = { MY_KEY: 'sk_test_of_hangang', MY_HOOK: 'whsec_of_hangang' }
const secrets = ['--secret', 'secretKey=MY_KEY', '--secret', 'webhookSecret=MY_HOOK']

test(
  'a wrong provider, option or secret is refused in a sentence, and changes nothing',
  async () => {
    const tenant = await createTenant(api)
    expect((await run(tenant, [])).out).toContain('In production no payments are accepted')
    const wrong = [
      { args: ['paypal'], says: 'There is no payment provider named paypal. Use one of: sandbox, stripe, portone.' },
      { args: ['stripe'], says: 'stripe is not fully configured. Missing: secretKey, webhookSecret.' },
      { args: ['stripe', '--option', 'shop=1'], says: 'stripe has no option named shop.' },
      { args: ['stripe', '--secret', 'password=MY_KEY'], says: 'stripe has no secret named password.' },
      { args: ['stripe', '--secret', 'secretKey=EMPTY'], says: 'The environment variable EMPTY is missing or empty' },
      { args: ['portone', '--option', 'storeId'], says: 'Enter a name and a value' },
    ]
    for (const { args, says } of wrong) {
      const { code, err } = await run(tenant, args, keys)
      expect(err).toContain(says)
      expect(code).not.toBe(0)
    }
    expect(await tenant.within((db) => db.select().from(paymentAccounts))).toEqual([])
  },
  timeout,
)

test(
  'a payment account is stored with encrypted secrets, shown without them, and recorded in the audit',
  async () => {
    const tenant = await createTenant(api)
    const chosen = await run(tenant, ['stripe', '--option', 'pageOrigin=https://pay.example.com', ...secrets], keys)
    expect(chosen).toMatchObject({ code: 0, err: '' })
    expect(chosen.out).toContain('Stored secrets: secretKey, webhookSecret.')
    expect(chosen.out).toContain(`/customers/${tenant.code}/webhooks/stripe`)
    const { order } = await tenant.guest.tenancy.siteSettings()
    expect(order).toMatchObject({ methods: ['CARD'], paymentOrigins: ['https://pay.example.com'] })

    const shown = await run(tenant, [])
    expect(shown.out).toMatch(
      /stripe\s+new payments\s+pageOrigin=https:\/\/pay\.example\.com\s+secretKey webhookSecret/,
    )
    // One option is changed; the secrets stay.
    expect(await run(tenant, ['stripe', '--option', 'pageOrigin=https://checkout.example.com'])).toMatchObject({
      code: 0,
    })
    expect((await tenant.guest.tenancy.siteSettings()).order.paymentOrigins).toEqual(['https://checkout.example.com'])
    const stored = await tenant.within(async (db) => ({
      accounts: await db.select().from(paymentAccounts),
      acts: await db.select().from(audit),
    }))
    expect(stored.acts).toMatchObject([
      { actor: 'admin:Jo', action: 'payment-provider.chosen', detail: { secrets: ['secretKey', 'webhookSecret'] } },
      { actor: 'admin:Jo' },
    ])
    for (const secret of Object.values(keys)) {
      expect(JSON.stringify(stored)).not.toContain(secret)
      expect(chosen.out + shown.out).not.toContain(secret)
    }
  },
  timeout,
)

test(
  'a store without its own secrets uses those of the installation',
  async () => {
    const tenant = await createTenant(api)
    const env = { PAYMENT_STRIPE_SECRET_KEY: 'sk_test_of_all', PAYMENT_STRIPE_WEBHOOK_SECRET: 'whsec_of_all' }
    expect(await run(tenant, ['stripe'], env)).toMatchObject({ code: 0 })
    expect((await run(tenant, [], env)).out).toMatch(/stripe\s+new payments\s+secretKey webhookSecret/)
    expect(await tenant.within((db) => db.select().from(paymentAccounts))).toMatchObject([{ secrets: null }])
    const malformed = await run(tenant, ['stripe'], { PAYMENT_STRIPE_SECRET_KEY: 'hunter2' })
    expect(malformed.err).toContain('PAYMENT_STRIPE_SECRET_KEY must be a secret or restricted key of Stripe')
  },
  timeout,
)
