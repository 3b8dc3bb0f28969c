import type { MemberCtx } from '#api/context.ts'
import { lockPayer } from '#api/db/queries/cards.ts'
import {
  appendSubscriptionEvent,
  type SubscriptionRow,
  standingSubscription,
  updateSubscription,
} from '#api/db/queries/subscriptions.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { end } from './end-subscription.ts'
import { mailCancelled } from './mails.ts'

/** The member's subscription that has begun, under their lock. */
const standing = async ({ db, customer, actor }: MemberCtx): Promise<SubscriptionRow | null> => {
  await lockPayer(db, actor.memberId)
  const row = await standingSubscription(db, customer.id, actor.memberId)
  return row?.activatedAt ? row : null
}

/** Stops at the end of what is paid for; an overdue one, for which nothing is paid, stops at once. Safe to repeat. */
export const cancelSubscription = async (ctx: MemberCtx, reason: string | undefined): Promise<Failure | undefined> => {
  const row = await standing(ctx)
  if (!row) return failure('NOT_FOUND')
  if (row.cancelAt !== null) return undefined
  const now = ctx.clock.now()
  const cancelReason = reason || null
  await appendSubscriptionEvent(ctx.db, row, { type: 'CANCEL_SET', at: now })
  const cancelled = await updateSubscription(ctx.db, row, {
    ...{ cancelAt: row.status === 'PENDING' ? now.toISOString() : row.periodEnd, cancelReason },
  })
  await mailCancelled(ctx, cancelled)
  if (row.status === 'PENDING') await end(ctx, cancelled, 'CANCELLED')
  return undefined
}

/** Takes the cancelling back, as long as it has not happened. Safe to repeat. */
export const resumeSubscription = async (ctx: MemberCtx): Promise<Failure | undefined> => {
  const row = await standing(ctx)
  if (!row) return failure('NOT_FOUND')
  if (row.cancelAt === null) return undefined
  const now = ctx.clock.now()
  if (Date.parse(row.cancelAt) <= now.getTime()) return failure('CONFLICT')
  await updateSubscription(ctx.db, row, { cancelAt: null, cancelReason: null })
  await appendSubscriptionEvent(ctx.db, row, { type: 'CANCEL_UNDONE', at: now })
  return undefined
}
