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
  expect((await run(tenant, 'charges', 'nobody@example.com')).said).toContain('Nothing was charged.')
  const listed = await run(tenant, 'charges', member.email.toUpperCase())
  expect(listed.said).toMatch(/Night pass +FIRST +PAID +900 +0 +USD/)
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(listed.said)![0]

  const refund = (total: string, ...more: string[]) =>
    run(tenant, 'refund-charge', id, '--total', total, '--reason', 'Could not watch', ...more)
  expect(await refund('901')).toMatchObject({ ok: false, said: expect.stringContaining('from 1 to 900') })
  expect(await refund('9.5')).toMatchObject({ ok: false, said: expect.stringContaining('whole number') })
  expect(await refund('300')).toMatchObject({ ok: true })
  expect((await member.client.accounts.me()).usePlan.regular).toBe(true)
  expect(await refund('900', '--end')).toMatchObject({ ok: true, said: expect.stringContaining('has ended') })
  expect((await member.client.accounts.me()).usePlan.regular).toBe(false)
  const acts = await tenant.within((db) => db.select().from(audit).orderBy(audit.id))
  expect(acts.map(({ actor, action, detail }) => [actor, action, detail.amount])).toEqual([
    ['desk:Jo', 'subscription.refunded', 300],
    ['desk:Jo', 'subscription.refunded', 600],
  ])
})
