import type { Member } from '#api/context.ts'
import { findCard } from '#api/db/queries/cards.ts'
import { latestCharge } from '#api/db/queries/subscription-charges.ts'
import { findSubscription, type SubscriptionRow } from '#api/db/queries/subscriptions.ts'
import type { CatalogStores } from '#api/domain/catalog/search-products.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import type { CardId, SubscriptionId } from '#contract/ids.ts'
import type { SubscribeConfirmed } from '#contract/plans.ts'
import { advance } from './advance.ts'
import { viewSubscription } from './view-subscription.ts'

/** The browser has come back: brings the subscription as far as it will go, and answers how it stands. */
export const confirmSubscription = async (
  env: PaymentEnv & { actor: Member },
  stores: CatalogStores,
  id: SubscriptionId,
): Promise<{ confirmed: SubscribeConfirmed } | Failure> => {
  const own = await env.inTransaction(({ db, customer }) => findSubscription(db, customer.id, id))
  if (own?.memberId !== env.actor.memberId) return failure('NOT_FOUND')
  const row = (await advance(env, id)) ?? own
  return env.inTransaction(async (ctx) => {
    if (row.activatedAt !== null) {
      const subscription = row.endedAt === null ? await viewSubscription(ctx, stores, row) : null
      return { confirmed: { result: 'ACTIVE' as const, failure: null, subscription } }
    }
    if (row.endedAt === null) return { confirmed: { result: 'WAITING' as const, failure: null, subscription: null } }
    const charge = await latestCharge(ctx.db, row)
    const card = row.cardId === null ? null : await findCard(ctx.db, ctx.customer.id, row.cardId as CardId)
    const why = charge?.failure ?? card?.failure ?? reasonOf(row)
    return { confirmed: { result: 'FAILED' as const, failure: why, subscription: null } }
  })
}

const reasonOf = ({ endReason }: SubscriptionRow) => (endReason === 'REPLACED' ? 'SUPERSEDED' : 'ABANDONED')
