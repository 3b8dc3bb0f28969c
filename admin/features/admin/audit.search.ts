import { searchParser, shared } from '../../platform/search'

export const parseAuditSearch = searchParser({
  actor: shared.text,
  action: shared.text,
  subject: shared.text,
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type AuditSearch = ReturnType<typeof parseAuditSearch>
