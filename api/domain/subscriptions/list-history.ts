import type { MemberCtx } from '#api/context.ts'
import { type PlanRow, readPlans } from '#api/db/queries/plans.ts'
import { readSubscriptionEvents } from '#api/db/queries/subscriptions.ts'
import { translateRow } from '#api/domain/translations.ts'
import type { Page, PagingQuery } from '#contract/paging.ts'
import type { SubscriptionEvent } from '#contract/plans.ts'

/** What happened to the member's subscriptions, latest first. */
export const listHistory = async (ctx: MemberCtx, { page, size }: PagingQuery): Promise<Page<SubscriptionEvent>> => {
  const { db, customer, actor } = ctx
  const range = { limit: size, offset: (page - 1) * size }
  const { rows, total } = await readSubscriptionEvents(db, customer.id, actor.memberId, range)
  const plans = new Map((await readPlans(db, customer.id)).map((plan) => [plan.id, plan]))
  const items = rows.map(({ at, type, planId, amount, detail }) => {
    const plan = plans.get(planId)
    const currency = plan?.currency ?? customer.settings.base.currency
    return {
      ...{ at, type: type as SubscriptionEvent['type'], detail },
      ...nameOf(ctx, plan),
      amount: amount === null ? null : { amount, currency },
    }
  })
  return { items, total, page, size }
}

const nameOf = (ctx: MemberCtx, plan: PlanRow | undefined): Pick<SubscriptionEvent, 'planName' | 'languages'> => {
  if (!plan) return { planName: '' }
  const { name, languages } = translateRow(ctx, plan, ['name'])
  return { planName: name, ...(languages && { languages: { planName: languages.name! } }) }
}
