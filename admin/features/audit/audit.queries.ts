import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { AdminApi } from '../../platform/admin-api'
import { given, shared } from '../../platform/search'

const schema = z.object({
  actor: shared.text,
  action: shared.text,
  subject: shared.text,
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
})
export type AuditSearch = Partial<z.output<typeof schema>>
export const parseAuditSearch = (search: Record<string, unknown>): AuditSearch => given(schema.parse(search))

export const auditQuery = (api: AdminApi, search: AuditSearch) =>
  queryOptions({ queryKey: ['audit', search], queryFn: () => api.admin.audit(given(search)) })
