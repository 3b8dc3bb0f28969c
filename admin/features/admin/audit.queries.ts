import { queryOptions } from '@tanstack/react-query'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { searchParser, shared } from '../../platform/search'

export const parseAuditSearch = searchParser({
  actor: shared.text,
  action: shared.text,
  subject: shared.text,
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
})
export type AuditSearch = ReturnType<typeof parseAuditSearch>

export const auditQuery = (api: AdminApi, search: AuditSearch) =>
  queryOptions({ queryKey: ['audit', search], queryFn: () => api.admin.audit(withoutUndefined(search)) })
