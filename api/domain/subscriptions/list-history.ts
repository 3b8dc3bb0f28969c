import type { MemberCtx } from '#api/context.ts'
import { readPlans } from '#api/db/queries/plans.ts'
import { readSubscriptionEvents } from '#api/db/queries/subscriptions.ts'
import { translateRow } from '#api/domain/translations.ts'
import type { Page, PagingQuery } from '#contract/paging.ts'
import type { SubscriptionEvent } from '#contract/plans.ts'
import type { Translations } from '#contract/translations.ts'

/** What happened to the member's subscriptions, latest first. */
export const listHistory = async (ctx: MemberCtx, { page, size }: PagingQuery): Promise<Page<SubscriptionEvent>> => {
  const { db, customer, actor } = ctx
  const range = { limit: size, offset: (page - 1) * size }
  const { rows, total } = await readSubscriptionEvents(db, customer.id, actor.memberId, range)
  const plans = new Map((await readPlans(db, customer.id)).map((plan) => [plan.id, plan]))
  const items = rows.map(({ at, type, planId, amount, detail, planName, planTranslations }) => {
    const present = plans.get(planId)
    const currency = present?.currency ?? customer.settings.base.currency
    // During an upgrade, processes of the release before write events without a name.
    const named = planName
      ? { planName, translations: namesOf(planTranslations) }
      : { planName: present?.name ?? '', translations: namesOf(present?.translations ?? {}) }
    const plan = translateRow(ctx, named, ['planName'])
    return {
      ...{ at, type: type as SubscriptionEvent['type'], detail, ...plan },
      amount: amount === null ? null : { amount, currency },
    }
  })
  return { items, total, page, size }
}

/** The plan's names, under the name that an event has for them. */
const namesOf = (translations: Translations): Translations =>
  Object.fromEntries(Object.entries(translations).map(([locale, texts]) => [locale, { planName: texts?.name ?? '' }]))
