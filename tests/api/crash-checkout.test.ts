import { expect, test } from 'vitest'
import { buy } from '#tests/support/buying.ts'
import { checkout, crashStores, readLedger } from '#tests/support/crash-store.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { arrange, checkEachKillPoint } = crashStores(api)

test('a process killed during a checkout loses no paid order and charges none twice', {
  timeout: 300_000,
}, async () => {
  const killPoints = await checkEachKillPoint(
    async () => {
      const scenario = await arrange()
      return { scenario, steps: checkout(scenario.tenant, scenario.member, scenario.product) }
    },
    async (scenario, killAt) => {
      const after = await readLedger(scenario)
      expect({ killAt, charges: after.charges, amount: after.amount }).toEqual({
        killAt,
        charges: after.entitlements,
        amount: after.entitlements * 1200,
      })
      expect(after.statuses.filter((status) => status === 'PAYMENT_COMPLETE')).toHaveLength(after.entitlements)
      if (after.entitlements > 0) return
      await buy(api, scenario.tenant, scenario.member, scenario.product)
      expect(await readLedger(scenario)).toMatchObject({ charges: 1, amount: 1200, entitlements: 1 })
    },
  )
  expect(killPoints).toBeGreaterThanOrEqual(8)
})
