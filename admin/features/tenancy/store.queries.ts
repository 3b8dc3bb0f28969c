import { queryOptions } from '@tanstack/react-query'
import type { AdminApi } from '../../platform/admin-api'

export const storeStatusQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['store-status'], queryFn: () => api.admin.store.read() })
