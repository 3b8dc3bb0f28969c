import { subscriptionSort, subscriptionState } from '#contract/enumerations.ts'
import { planCode } from '#contract/ids.ts'
import { parameter, searchParser, shared } from '../../platform/search'

export const parseSubscriptionsSearch = searchParser({
  q: shared.text,
  state: parameter(subscriptionState),
  plan: parameter(planCode),
  sort: parameter(subscriptionSort),
  cursor: shared.cursor,
  columns: shared.columns,
})
export type SubscriptionsSearch = ReturnType<typeof parseSubscriptionsSearch>
