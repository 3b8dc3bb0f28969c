import { queryOptions } from '@tanstack/react-query'
import { mailStatus } from '#contract/enumerations.ts'
import type { MailId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { listInput, parameter, searchParser, shared } from '../../platform/search'

export const parseMailsSearch = searchParser({
  to: shared.text,
  status: parameter(mailStatus),
  template: shared.text,
  since: shared.day,
  until: shared.day,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type MailsSearch = ReturnType<typeof parseMailsSearch>

export const parseSuppressedSearch = searchParser({ q: shared.text, cursor: shared.cursor })
export type SuppressedSearch = ReturnType<typeof parseSuppressedSearch>

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
