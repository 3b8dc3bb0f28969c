import { queryOptions } from '@tanstack/react-query'
import type { CustomerCode } from '#contract/ids.ts'
import { managedStoreProcedures } from '#contract/procedures/admin-installation.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { useClient } from '../../platform/client'
import { countQuery } from '../../platform/list-count'
import type { StoresSearch } from './stores.search'

const procedures = { stores: managedStoreProcedures }

/** The client of these pages alone: only the installation's console has them. */
export const useStoresApi = () => useClient(procedures).stores

export type StoresApi = ReturnType<typeof useStoresApi>

/** What a write of a store changes in the console. */
export const storeChanges = [['stores']] as const

export const storesQuery = (api: StoresApi, search: StoresSearch) =>
  queryOptions({
    queryKey: ['stores', 'list', search],
    queryFn: () => api.list({ size: 50, ...withoutUndefined(search) }),
  })

export const storesCountQuery = (api: StoresApi, search: StoresSearch) =>
  countQuery(['stores'], withoutUndefined(search), (filters) => api.count(filters))

export const managedStoreQuery = (api: StoresApi, code: CustomerCode) =>
  queryOptions({ queryKey: ['stores', 'store', code], queryFn: () => api.get({ code }) })
