import type { Member } from '#api/context.ts'
import { chargeUnderWay, latestCharge } from '#api/db/queries/subscription-charges.ts'
import { standingSubscription } from '#api/db/queries/subscriptions.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import type { PaymentId, SubscriptionId } from '#contract/ids.ts'
import { settleCharge } from './charge.ts'
import { retryNow } from './renew.ts'

/** Tries an overdue renewal again now, with the card of today. One that is not overdue is left as it is. */
export const retryCharge = async (env: PaymentEnv & { actor: Member }): Promise<Failure | undefined> => {
  const { memberId } = env.actor
  const read = () =>
    env.inTransaction(async ({ db, customer }) => {
      const row = await standingSubscription(db, customer.id, memberId)
      return row && { row, underWay: await chargeUnderWay(db, row), latest: await latestCharge(db, row) }
    })
  const before = await read()
  if (!before?.row.activatedAt) return failure('NOT_FOUND')
  const outcome = before.underWay
    ? await settleCharge(env, before.underWay.id as PaymentId)
    : await retryNow(env, before.row.id as SubscriptionId)
  if (outcome === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  if (outcome === 'FAILED')
    return failure('CARD_REFUSED', { data: { failure: (await read())?.latest?.failure ?? null } })
  return undefined
}
