import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InquiryCode } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { getInquiries, getInquiry, getInquiryTypes } from './inquiries.functions'
import type { InquiriesSearch } from './inquiries.search'

export const inquiriesPerPage = 10

export const inquiryTypesQuery = queryOptions({
  queryKey: ['inquiry-types'],
  queryFn: ({ signal }) => call((s) => getInquiryTypes({ signal: s }), { signal }),
  select: ({ items }) => items,
})

export const inquiriesQuery = (search: InquiriesSearch, size: number = inquiriesPerPage) =>
  queryOptions({
    queryKey: ['inquiries', 'list', search, size],
    queryFn: ({ signal }) => call((s) => getInquiries({ data: { ...search, size }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

export const latestInquiryQuery = inquiriesQuery({ page: 1, status: undefined }, 1)

/** How often a page that waits for an answer asks for it, in milliseconds. */
const answerPause = 60_000

export const inquiryQuery = (code: InquiryCode) =>
  queryOptions({
    queryKey: ['inquiries', 'one', code],
    queryFn: ({ signal }) => call((s) => getInquiry({ data: { code }, signal: s }), { signal, expected: [404] }),
    refetchInterval: ({ state }) => state.data?.status === 'WAIT' && answerPause,
  })
