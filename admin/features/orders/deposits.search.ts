import * as z from 'zod/mini'
import { parameter, searchParser, shared } from '../../platform/search'

export const parseDepositsSearch = searchParser({
  /** Without one, the orders that wait for a deposit. */
  list: parameter(z.enum(['received'])),
  q: shared.text,
  from: shared.day,
  to: shared.day,
  min: shared.amount,
  max: shared.amount,
  cursor: shared.cursor,
  /** Pages of money to return. */
  unapplied: shared.cursor,
  refunds: shared.cursor,
  columns: shared.columns,
})
export type DepositsSearch = ReturnType<typeof parseDepositsSearch>
