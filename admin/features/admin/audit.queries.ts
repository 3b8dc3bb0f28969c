import { queryOptions } from '@tanstack/react-query'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { listInput } from '../../platform/search'
import type { AuditSearch } from './audit.search'

export const auditQuery = (api: AdminApi, search: AuditSearch) =>
  queryOptions({ queryKey: ['audit', listInput(search)], queryFn: () => api.admin.audit(listInput(search)) })

export const auditCountQuery = (api: AdminApi, search: AuditSearch) =>
  countQuery(['audit'], listInput(search), (filters) => api.admin.counts.audit(filters))
