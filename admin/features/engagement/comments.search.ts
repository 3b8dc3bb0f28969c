import * as z from 'zod/mini'
import { commentState } from '#contract/enumerations.ts'
import { memberId, productCode } from '#contract/ids.ts'
import { parameter, searchParser, shared } from '../../platform/search'

export const parseCommentsSearch = searchParser({
  q: shared.text,
  state: parameter(commentState),
  reported: parameter(z.enum(['OPEN', 'ANY'])),
  product: parameter(productCode),
  memberId: parameter(memberId),
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type CommentsSearch = ReturnType<typeof parseCommentsSearch>
