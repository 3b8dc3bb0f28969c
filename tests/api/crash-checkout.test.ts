import { expect, test } from 'vitest'
import { buy } from '#tests/support/buying.ts'
import { books, checkout, openCrashStore } from '#tests/support/crash-store.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { stage, atEveryMoment } = openCrashStore(api)

test('A process killed at any moment of a checkout: no paid order is lost, none is charged twice', {
  timeout: 300_000,
}, async () => {
  const moments = await atEveryMoment(
    async () => {
      const on = await stage()
      return { on, steps: checkout(on.tenant, on.member, on.product) }
    },
    async (on, killAt) => {
      const after = await books(on)
      expect({ killAt, taken: after.taken, kept: after.kept }).toEqual({
        killAt,
        taken: after.rights,
        kept: after.rights * 1200,
      })
      expect(after.statuses.filter((status) => status === 'PAYMENT_COMPLETE')).toHaveLength(after.rights)
      if (after.rights > 0) return
      await buy(api, on.tenant, on.member, on.product)
      expect(await books(on)).toMatchObject({ taken: 1, kept: 1200, rights: 1 })
    },
  )
  expect(moments).toBeGreaterThanOrEqual(8)
})
