import { memberMarketing, memberSort, memberState } from '#contract/enumerations.ts'
import { planCode } from '#contract/ids.ts'
import { parameter, searchParser, shared } from '../../platform/search'

export const parseMembersSearch = searchParser({
  q: shared.text,
  tag: shared.text,
  state: parameter(memberState),
  plan: parameter(planCode),
  partner: shared.text,
  marketing: parameter(memberMarketing),
  from: shared.day,
  to: shared.day,
  sort: parameter(memberSort),
  cursor: shared.cursor,
  columns: shared.columns,
})
export type MembersSearch = ReturnType<typeof parseMembersSearch>
