import { expect, test } from 'vitest'
import { books, deposit, openCrashStore } from '#tests/support/crash-store.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { stage, atEveryMoment } = openCrashStore(api)

test('A process killed at any moment of a deposit: what was paid in is had, or goes back', {
  timeout: 300_000,
}, async () => {
  const moments = await atEveryMoment(
    async () => {
      const on = await stage()
      return { on, steps: deposit(on.tenant, on.member, on.product) }
    },
    async (on, killAt) => {
      const { kept, rights, statuses } = await books(on)
      expect({ killAt, kept }).toEqual({ killAt, kept: rights * 1200 })
      expect(statuses.filter((status) => status === 'PAYMENT_COMPLETE')).toHaveLength(rights)
    },
  )
  expect(moments).toBeGreaterThanOrEqual(6)
})
