import { expect, test } from 'vitest'
import { buy } from '#tests/support/buying.ts'
import { crashStores, memberRequest, readLedger } from '#tests/support/crash-store.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { arrange, checkEachKillPoint } = crashStores(api)

test('a process killed during a refund refunds once and revokes access only with the refund', {
  timeout: 300_000,
}, async () => {
  const refunded: { killAt: number; isRefunded: boolean }[] = []
  const killPoints = await checkEachKillPoint(
    async () => {
      const scenario = await arrange()
      const { code } = await buy(api, scenario.tenant, scenario.member, scenario.product)
      const steps = [
        memberRequest(scenario.tenant, scenario.member, `/orders/${code}/cancel-request`, { reason: 'By mistake' }),
      ]
      return { scenario, steps }
    },
    async (scenario, killAt) => {
      const { charges, amount, entitlements, statuses } = await readLedger(scenario)
      const isRefunded = entitlements === 0
      expect({ killAt, charges, entitlements, amount, statuses }).toEqual({
        killAt,
        charges: 1,
        entitlements: isRefunded ? 0 : 1,
        amount: isRefunded ? 0 : 1200,
        statuses: [isRefunded ? 'CANCEL_COMPLETE' : 'PAYMENT_COMPLETE'],
      })
      refunded.push({ killAt, isRefunded })
    },
  )
  expect(killPoints).toBeGreaterThanOrEqual(4)
  // Without a crash, and once the request is stored, the refund happens.
  const [whole, ...killed] = refunded
  const firstRefunded = killed.findIndex(({ isRefunded }) => isRefunded)
  expect(whole).toEqual({ killAt: 0, isRefunded: true })
  expect(firstRefunded).toBeGreaterThanOrEqual(0)
  expect(killed.slice(firstRefunded).filter(({ isRefunded }) => !isRefunded)).toEqual([])
})
