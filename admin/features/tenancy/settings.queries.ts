import { queryOptions } from '@tanstack/react-query'
import type { AdminApi } from '../../platform/admin-api'

export const settingsKey = ['store-settings'] as const

/** Loaded again only when something says so: a form with typed text must not change by itself. */
export const storeSettingsQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: settingsKey,
    queryFn: () => api.admin.settings.read(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
