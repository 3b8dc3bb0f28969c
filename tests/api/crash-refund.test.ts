import { expect, test } from 'vitest'
import { buy } from '#tests/support/buying.ts'
import { asMember, books, openCrashStore } from '#tests/support/crash-store.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { stage, atEveryMoment } = openCrashStore(api)

test('A process killed at any moment of a refund: the money goes back once, and what was bought goes with it', {
  timeout: 300_000,
}, async () => {
  const moments = await atEveryMoment(
    async () => {
      const on = await stage()
      const { code } = await buy(api, on.tenant, on.member, on.product)
      const steps = [asMember(on.tenant, on.member, `/orders/${code}/cancel-request`, { reason: 'By mistake' })]
      return { on, steps }
    },
    async (on, killAt) => {
      const { taken, kept, rights, statuses } = await books(on)
      expect({ killAt, taken, rights, kept }).toEqual({ killAt, taken: 1, rights, kept: rights * 1200 })
      expect(statuses).toEqual([rights === 1 ? 'PAYMENT_COMPLETE' : 'CANCEL_COMPLETE'])
    },
  )
  expect(moments).toBeGreaterThanOrEqual(4)
})
