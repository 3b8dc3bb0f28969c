import { expect, test } from 'vitest'
import { crashStores, deposit, readLedger } from '#tests/support/crash-store.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { arrange, checkEachKillPoint } = crashStores(api)

test('a process killed during a deposit keeps the money only for a completed order', {
  timeout: 300_000,
}, async () => {
  const killPoints = await checkEachKillPoint(
    async () => {
      const scenario = await arrange()
      return { scenario, steps: deposit(scenario.tenant, scenario.member, scenario.product) }
    },
    async (scenario, killAt) => {
      const { amount, entitlements, statuses } = await readLedger(scenario)
      expect({ killAt, amount }).toEqual({ killAt, amount: entitlements * 1200 })
      expect(statuses.filter((status) => status === 'PAYMENT_COMPLETE')).toHaveLength(entitlements)
    },
  )
  expect(killPoints).toBeGreaterThanOrEqual(6)
})
