import { queryOptions } from '@tanstack/react-query'
import type { AdminApi } from '../../platform/admin-api'
import { meKey } from '../../platform/session'

export const storeStatusQuery = (api: { admin: Pick<AdminApi['admin'], 'store'> }) =>
  queryOptions({ queryKey: ['store-status'], queryFn: () => api.admin.store.read() })

/** While the DNS of a domain is being changed, its state changes by itself. */
const waitingMilliseconds = 20_000

export const domainsQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: ['domains'],
    queryFn: () => api.admin.domains.list(),
    refetchInterval: ({ state }) =>
      state.data?.items.some((domain) => domain.state !== 'VERIFIED') && waitingMilliseconds,
  })

/** What a change of a domain changes. */
export const domainChanges = [['domains'], ['store-status'], ['store-settings']] as const

export const paymentsKey = ['payment-accounts'] as const

export const paymentAccountsQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: paymentsKey,
    queryFn: () => api.admin.paymentAccounts.read(),
    // A form with typed text must not change by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** What else a change of the payment provider changes. */
export const paymentChanges = [['store-status'], ['store-settings']] as const

export const mailServerKey = ['mail-server'] as const

export const mailServerQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: mailServerKey,
    queryFn: () => api.admin.mailServer.read(),
    // A form with typed text must not change by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** What else a change of the mail server changes. */
export const mailServerChanges = [['store-status'], ['home'], ['mails'], meKey] as const
