import { queryOptions } from '@tanstack/react-query'
import type { NoticeId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { notFoundStatuses } from '~/platform/navigation/address'
import { getFaq, getNotice, getNotices, getSitePage } from './content.functions'

const noticesPerPage = 20
export const noticesQuery = (page: number) =>
  queryOptions({
    queryKey: ['notices', page],
    queryFn: ({ signal }) => call((s) => getNotices({ data: { page, size: noticesPerPage }, signal: s }), { signal }),
  })

export const noticeQuery = (id: string) =>
  queryOptions({
    queryKey: ['notice', id],
    queryFn: ({ signal }) =>
      call((s) => getNotice({ data: { id: id as NoticeId }, signal: s }), { signal, expected: notFoundStatuses }),
  })

export const faqQuery = queryOptions({
  queryKey: ['faq'],
  queryFn: ({ signal }) => call((s) => getFaq({ signal: s }), { signal }),
  select: ({ items }) => items,
})

export const sitePageQuery = (type: string) =>
  queryOptions({
    queryKey: ['page', type],
    queryFn: ({ signal }) =>
      call((s) => getSitePage({ data: { type }, signal: s }), { signal, expected: notFoundStatuses }),
  })
