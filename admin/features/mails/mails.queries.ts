import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { mailStatus } from '#contract/enumerations.ts'
import type { AdminApi } from '../../platform/admin-api'
import { given, parameter, shared } from '../../platform/search'

const schema = z.object({ to: shared.text, status: parameter(mailStatus), cursor: shared.cursor })
export type MailsSearch = Partial<z.output<typeof schema>>
export const parseMailsSearch = (search: Record<string, unknown>): MailsSearch => given(schema.parse(search))

export const mailsQuery = (api: AdminApi, search: MailsSearch) =>
  queryOptions({ queryKey: ['mails', search], queryFn: () => api.admin.mails.list(given(search)) })
