import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ConsoleApi, useApi } from './client'

export const settingsQuery = (api: ConsoleApi) =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: () => api.tenancy.siteSettings(),
    staleTime: 5 * 60_000,
  })

/** @throws {Error} before the settings are loaded; nothing of the console is shown until then */
export const useSettings = () => {
  const { data } = useQuery(settingsQuery(useApi()))
  if (!data) throw new Error('The settings of the store are not loaded')
  return data
}
