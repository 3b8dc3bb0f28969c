import type { MemberCtx } from '#api/context.ts'
import { readPlans } from '#api/db/queries/plans.ts'
import { readSubscriptionEvents } from '#api/db/queries/subscriptions.ts'
import type { Page, PagingQuery } from '#contract/paging.ts'
import type { SubscriptionEvent } from '#contract/plans.ts'

/** What happened to the member's subscriptions, latest first. */
export const listHistory = async (
  { db, customer, actor }: MemberCtx,
  { page, size }: PagingQuery,
): Promise<Page<SubscriptionEvent>> => {
  const range = { limit: size, offset: (page - 1) * size }
  const { rows, total } = await readSubscriptionEvents(db, customer.id, actor.memberId, range)
  const plans = new Map((await readPlans(db, customer.id)).map((plan) => [plan.id, plan]))
  const items = rows.map(({ at, type, planId, amount, detail }) => {
    const plan = plans.get(planId)
    const currency = plan?.currency ?? customer.settings.base.currency
    return {
      ...{ at, type: type as SubscriptionEvent['type'], planName: plan?.name ?? '', detail },
      amount: amount === null ? null : { amount, currency },
    }
  })
  return { items, total, page, size }
}
