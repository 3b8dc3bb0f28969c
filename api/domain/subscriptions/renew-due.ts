import { findCard, lockPayer } from '#api/db/queries/cards.ts'
import { staleCharges, updateCharge } from '#api/db/queries/subscription-charges.ts'
import {
  abandonedSubscriptions,
  dueSubscriptions,
  endingTrials,
  findSubscription,
} from '#api/db/queries/subscriptions.ts'
import { askAgainAt } from '#api/domain/payments/ask-again.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import type { CardId, SubscriptionId } from '#contract/ids.ts'
import { advance } from './advance.ts'
import { settleCharge } from './charge.ts'
import { end } from './end-subscription.ts'
import { giveBackCharges } from './give-back-charges.ts'
import { mailTrialEnding } from './mails.ts'
import { renewOne } from './renew.ts'

const atOnce = 200
/** A charge is left to whoever runs it for so long; then the provider is asked how it stands. */
const staleAfter = 60_000
/** A renewal that nobody answers for is asked about this often at least: access hangs on it. */
const longestPause = 3_600_000
/** After so long a first try that waits for its card counts as left. */
const abandonedAfter = 30 * 60_000
/** A trial's end is told of so long before. */
const trialNotice = 3 * 86_400_000

/**
 * Does what is due to one tenant's subscriptions: charges under way are asked about, those that were asked for are begun or closed,
 * periods renewed, tried again or ended, ends of trials told of, and what came too late is given back. Bounded, and safe to run twice,
 * in several processes, and after a crash at any step: what is charged is written down before the provider is asked, under the id the
 * provider knows it by. One that fails is logged, and holds up no other.
 */
export const renewDue = async (env: PaymentEnv): Promise<void> => {
  const now = env.clock.now()
  const stale = await env.inTransaction(({ db, customer }) =>
    staleCharges(db, customer.id, new Date(now.getTime() - staleAfter), now, atOnce),
  )
  for (const { id, createdAt } of stale) {
    await apart(env, { chargeId: id }, () => settleCharge(env, id))
    const askAt = askAgainAt(env.clock.now(), createdAt, longestPause)
    await env.inTransaction(({ db, customer }) => updateCharge(db, { customerId: customer.id, id }, { askAt }))
  }

  const waiting = await env.inTransaction(({ db, customer }) =>
    abandonedSubscriptions(db, customer.id, new Date(now.getTime() - staleAfter), atOnce),
  )
  for (const id of waiting) await apart(env, { subscriptionId: id }, () => tendWaiting(env, id))

  const due = await env.inTransaction(({ db, customer }) => dueSubscriptions(db, customer.id, now, atOnce))
  for (const id of due) await apart(env, { subscriptionId: id }, () => renewOne(env, id))

  await env.inTransaction(async (ctx) => {
    const until = new Date(now.getTime() + trialNotice)
    for (const row of await endingTrials(ctx.db, ctx.customer.id, now, until, atOnce)) await mailTrialEnding(ctx, row)
  })
  await giveBackCharges(env)
}

/** Begun if its card is there by now; closed when it was left too long ago. */
const tendWaiting = async (env: PaymentEnv, id: SubscriptionId) => {
  const row = await advance(env, id)
  const age = env.clock.now().getTime() - Date.parse(row?.createdAt ?? '')
  if (!row || row.endedAt !== null || row.activatedAt !== null || age < abandonedAfter) return
  await env.inTransaction(async (ctx) => {
    await lockPayer(ctx.db, row.memberId)
    const left = await findSubscription(ctx.db, ctx.customer.id, id)
    const card = left?.cardId ? await findCard(ctx.db, ctx.customer.id, left.cardId as CardId) : null
    if (left?.endedAt === null && left.activatedAt === null && card?.status !== 'ACTIVE')
      await end(ctx, left, 'FIRST_CHARGE_FAILED')
  })
}

const apart = async (env: PaymentEnv, about: Record<string, string>, work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    env.log.error({ err: error, ...about }, 'What was due to a subscription could not be done')
  }
}
