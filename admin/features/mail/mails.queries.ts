import { queryOptions } from '@tanstack/react-query'
import type { MailId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { listInput } from '../../platform/search'
import type { MailsSearch, SuppressedSearch } from './mails.search'

export const suppressedKey = ['suppressed-addresses'] as const

export const suppressedQuery = (api: AdminApi, search: SuppressedSearch) =>
  queryOptions({
    queryKey: [...suppressedKey, search],
    queryFn: () => api.admin.mails.suppressed(withoutUndefined(search)),
  })

export const mailsQuery = (api: AdminApi, search: MailsSearch) =>
  queryOptions({ queryKey: ['mails', listInput(search)], queryFn: () => api.admin.mails.list(listInput(search)) })

export const mailQuery = (api: AdminApi, id: MailId) =>
  queryOptions({ queryKey: ['mails', id], queryFn: () => api.admin.mails.get({ id }) })

export const mailsCountQuery = (api: AdminApi, search: MailsSearch) =>
  countQuery(['mails'], listInput(search), (filters) => api.admin.counts.mails(filters))

export const suppressedCountQuery = (api: AdminApi, search: SuppressedSearch) =>
  countQuery(suppressedKey, withoutUndefined(search), (filters) => api.admin.counts.suppressed(filters))
