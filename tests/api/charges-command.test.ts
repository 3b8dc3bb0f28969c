import { expect, test } from 'vitest'
import { audit } from '#api/platform/db/platform.schema.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import type { Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const command = quickCommandOf(api)
const run = async (tenant: Tenant, ...args: string[]) => {
  const { code, out, err } = await command([...args, '-c', tenant.code, '--by', 'Jo'])
  return { ok: code === 0, output: out + err }
}

test('an operator lists charges, refunds one in full, and ends its subscription', {
  timeout: 180_000,
}, async () => {
  const tenant = await createPlanTenant(api)
  const { member } = await subscriber(api, tenant, await createPlan(tenant, { name: 'Night pass' }))
  const unknown = await run(tenant, 'charges', 'nobody@example.com')
  expect(unknown).toMatchObject({ ok: false, output: expect.stringContaining('has no member nobody@example.com.') })
  const listed = await run(tenant, 'charges', member.email.toUpperCase())
  expect(listed.output).toMatch(/Night pass +FIRST +PAID +9\.00 USD +0\.00 USD/)
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(listed.output)![0]

  const refund = (total: string, ...more: string[]) =>
    run(tenant, 'refund-charge', id, '--total', total, '--reason', 'Could not watch', ...more)
  expect(await refund('9.01')).toMatchObject({ ok: false, output: expect.stringContaining('at most 9.00 USD') })
  expect(await refund('0')).toMatchObject({ ok: false, output: expect.stringContaining('more than 0') })
  expect(await refund('9.005')).toMatchObject({ ok: false, output: expect.stringContaining('2 decimals at most') })
  expect(await refund('$3')).toMatchObject({ ok: false, output: expect.stringContaining('an amount of USD') })
  expect(await refund('3')).toMatchObject({ ok: true, output: expect.stringContaining('Total refunded: 3.00 USD.') })
  expect((await member.client.identity.me()).usePlan.regular).toBe(true)
  expect(await refund('9.00', '--end')).toMatchObject({ ok: true, output: expect.stringContaining('has ended') })
  expect((await member.client.identity.me()).usePlan.regular).toBe(false)
  const entries = await tenant.within((db) => db.select().from(audit).orderBy(audit.id))
  expect(entries.map(({ actor, action, detail }) => [actor, action, detail.amount])).toEqual([
    ['admin:Jo', 'subscription.refunded', 300],
    ['admin:Jo', 'subscription.refunded', 600],
  ])
  const { output } = await run(tenant, 'audit')
  for (const money of ['"amount":"6.00 USD"', '"total":"9.00 USD"', '"total":"3.00 USD"'])
    expect(output).toContain(money)
})
