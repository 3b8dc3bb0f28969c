import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { audit } from '#api/db/schema/desk.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import type { Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-cli-'))

/** The operators' command, as a shell runs it. */
const run = (tenant: Tenant, ...args: string[]) =>
  new Promise<{ ok: boolean; said: string }>((resolve) => {
    const env = {
      ...{ PATH: process.env.PATH, MARQUEE_DATA: dataFolder, DATABASE_URL: inject('database').url },
      MARQUEE_SECRET: api.deps.secret,
    }
    const command = ['cli/main.ts', ...args, '-c', tenant.code, '--by', 'Jo']
    execFile(process.execPath, command, { env }, (error, out, err) => resolve({ ok: !error, said: out + err }))
  })

test('The desk lists what was charged and gives it back, once, with the subscription', {
  timeout: 120_000,
}, async () => {
  const tenant = await createPlanTenant(api)
  const { member } = await subscriber(api, tenant, await createPlan(tenant, { name: 'Night pass' }))
  const nobody = await run(tenant, 'charges', 'nobody@example.com')
  expect(nobody).toMatchObject({ ok: false, said: expect.stringContaining('has no member nobody@example.com.') })
  const listed = await run(tenant, 'charges', member.email.toUpperCase())
  expect(listed.said).toMatch(/Night pass +FIRST +PAID +9\.00 USD +0\.00 USD/)
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(listed.said)![0]

  const refund = (total: string, ...more: string[]) =>
    run(tenant, 'refund-charge', id, '--total', total, '--reason', 'Could not watch', ...more)
  expect(await refund('9.01')).toMatchObject({ ok: false, said: expect.stringContaining('9.00 USD at most') })
  expect(await refund('0')).toMatchObject({ ok: false, said: expect.stringContaining('more than 0') })
  expect(await refund('9.005')).toMatchObject({ ok: false, said: expect.stringContaining('2 decimals at most') })
  expect(await refund('$3')).toMatchObject({ ok: false, said: expect.stringContaining('an amount of USD') })
  expect(await refund('3')).toMatchObject({ ok: true, said: expect.stringContaining('Given back in all: 3.00 USD.') })
  expect((await member.client.accounts.me()).usePlan.regular).toBe(true)
  expect(await refund('9.00', '--end')).toMatchObject({ ok: true, said: expect.stringContaining('has ended') })
  expect((await member.client.accounts.me()).usePlan.regular).toBe(false)
  const acts = await tenant.within((db) => db.select().from(audit).orderBy(audit.id))
  expect(acts.map(({ actor, action, detail }) => [actor, action, detail.amount])).toEqual([
    ['desk:Jo', 'subscription.refunded', 300],
    ['desk:Jo', 'subscription.refunded', 600],
  ])
})
