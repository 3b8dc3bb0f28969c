import { findCard, lockPayer } from '#api/db/queries/cards.ts'
import { chargeUnderWay } from '#api/db/queries/subscription-charges.ts'
import { findSubscription, type SubscriptionRow } from '#api/db/queries/subscriptions.ts'
import { settleCard } from '#api/domain/cards/settle-card.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import type { CardId, PaymentId, SubscriptionId } from '#contract/ids.ts'
import { runCharge, settleCharge } from './charge.ts'
import { end } from './end-subscription.ts'
import { start } from './start.ts'

/**
 * Brings a subscription that has been asked for as far as it will go now: its card is asked about, its first charge run or asked about.
 * Safe to repeat, by the browser that came back and by the sweep at once. Answers it as it stands.
 */
export const advance = async (env: PaymentEnv, id: SubscriptionId): Promise<SubscriptionRow | null> => {
  const read = () => env.inTransaction(({ db, customer }) => findSubscription(db, customer.id, id))
  const asked = await read()
  if (!asked || asked.endedAt !== null) return asked
  const underWay = await env.inTransaction(({ db }) => chargeUnderWay(db, asked))
  if (underWay) await settleCharge(env, underWay.id as PaymentId)
  else if (asked.activatedAt === null) await begin(env, asked)
  return read()
}

const begin = async (env: PaymentEnv, { id, cardId, memberId }: SubscriptionRow) => {
  const card = cardId === null ? null : await settleCard(env, cardId as CardId)
  if (card?.status === 'READY') return
  const begun = await env.inTransaction(async (ctx) => {
    const { db, customer } = ctx
    await lockPayer(db, memberId)
    const waiting = await findSubscription(db, customer.id, id as SubscriptionId)
    if (!waiting || waiting.endedAt !== null || waiting.activatedAt !== null || (await chargeUnderWay(db, waiting)))
      return null
    const usable = cardId === null ? null : await findCard(db, customer.id, cardId as CardId)
    if (usable?.status === 'ACTIVE') return start(ctx, waiting, env.provider.name)
    await end(ctx, waiting, 'FIRST_CHARGE_FAILED')
    return null
  })
  if (begun?.charge) await runCharge(env, begun.charge)
}
