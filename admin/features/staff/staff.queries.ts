import { queryOptions } from '@tanstack/react-query'
import type { ConsoleApi } from '../../platform/client'

export const peopleKey = ['staff', 'people'] as const

export const peopleQuery = (api: ConsoleApi) => queryOptions({ queryKey: peopleKey, queryFn: () => api.staff.people() })

export const invitationsQuery = (api: ConsoleApi) =>
  queryOptions({ queryKey: ['staff', 'invitations'], queryFn: () => api.staff.invitations() })

export const rolesQuery = (api: ConsoleApi) =>
  queryOptions({ queryKey: ['staff', 'roles'], queryFn: () => api.staff.roles() })

export const tokensQuery = (api: ConsoleApi) =>
  queryOptions({ queryKey: ['staff', 'tokens'], queryFn: () => api.staff.tokens() })
