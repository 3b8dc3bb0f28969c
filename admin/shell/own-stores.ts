import { queryOptions } from '@tanstack/react-query'
import type { ConsoleApi } from '../platform/client'

/** The stores of the signed-in person, who switches between their consoles. */
export const ownStoresQuery = (api: ConsoleApi) =>
  queryOptions({ queryKey: ['own-stores'], queryFn: () => api.staff.stores(), staleTime: 5 * 60_000 })
