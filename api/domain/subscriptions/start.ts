import type { Ctx } from '#api/context.ts'
import { findPlan } from '#api/db/queries/plans.ts'
import { insertCharge } from '#api/db/queries/subscription-charges.ts'
import {
  appendSubscriptionEvent,
  hasHadTrial,
  type SubscriptionRow,
  updateSubscription,
} from '#api/db/queries/subscriptions.ts'
import { newId } from '#api/db/uuid.ts'
import { dayOfMonth, firstCharges, periodEnd } from '#api/domain/plans/period.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { MemberId, PaymentId, PlanId } from '#contract/ids.ts'
import { mailTrialStarted } from './mails.ts'

/**
 * Begins a subscription whose card is there, under the payer's lock: its trial at once, or its first charge, which is written down here
 * and run after the transaction. Answers the charge to run; null where nothing is charged now.
 */
export const start = async (
  ctx: Ctx,
  subscription: SubscriptionRow,
  provider: string,
): Promise<{ charge: PaymentId | null }> => {
  const { db, customer } = ctx
  const { timeZone } = customer.settings.base
  const now = ctx.clock.now()
  const plan = await findPlan(db, customer.id, subscription.planId as PlanId)
  const cycle = subscription.cycle as PlanCycle
  const trialDays = plan?.trialDays ?? 0
  if (trialDays > 0 && !(await hasHadTrial(db, customer.id, subscription.memberId as MemberId))) {
    const { first } = firstCharges({ cycle, trialDays }, true, now, timeZone)
    const begun = await updateSubscription(db, subscription, {
      ...{ status: 'PROCEEDING', activatedAt: now.toISOString(), trialEndsAt: first.toISOString() },
      ...{ periodStart: now.toISOString(), periodEnd: first.toISOString(), anchorDay: dayOfMonth(first, timeZone) },
    })
    await appendSubscriptionEvent(db, subscription, { type: 'TRIAL_STARTED', at: now })
    await mailTrialStarted(ctx, begun)
    return { charge: null }
  }
  const charge = await insertCharge(db, {
    ...{ customerId: customer.id, id: newId(), subscriptionId: subscription.id, memberId: subscription.memberId },
    ...{ planId: subscription.planId, kind: 'FIRST', periodStart: now.toISOString() },
    periodEnd: periodEnd(now, cycle, dayOfMonth(now, timeZone), timeZone).toISOString(),
    ...{ amount: subscription.priceAmount, currency: subscription.currency },
    ...{ provider, createdAt: now.toISOString() },
  })
  return { charge: charge.id as PaymentId }
}
