import { queryOptions } from '@tanstack/react-query'
import type { AdminApi } from '../../platform/admin-api'
import { listInput, searchParser, shared } from '../../platform/search'

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

export const auditQuery = (api: AdminApi, search: AuditSearch) =>
  queryOptions({ queryKey: ['audit', listInput(search)], queryFn: () => api.admin.audit(listInput(search)) })
