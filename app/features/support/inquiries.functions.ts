import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { inquiryStatus } from '#contract/enumerations.ts'
import { type InquiryCode, inquiryCode, lessonId, orderCode, type ProductId, productCode } from '#contract/ids.ts'
import { inquiryBody, inquiryPath, inquiryQuery, inquiryReply } from '#contract/support.ts'
import { productToBuyQuery } from '~/features/orders/checkout/checkout.functions'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import {
  amountUpTo,
  firstPage,
  pageNumber,
  type SearchOf,
  searchSchema,
  text,
} from '~/platform/navigation/search-schema'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'

const getInquiryTypes = readFn().handler(({ context }) => context.callApi((api) => api.support.inquiryTypes()))

/** A page of the member's inquiries, latest first. */
const getInquiries = readFn()
  .validator(checked(inquiryQuery))
  .handler(({ data, context }) => context.callApi((api) => api.support.inquiries(data)))

/** One inquiry with its messages. 404 for another member's. */
const getInquiry = readFn()
  .validator(checked(inquiryPath))
  .handler(({ data, context }) => context.callApi((api) => api.support.inquiry(data)))

/** Sends an inquiry with files that were sent before. */
export const createInquiry = writeFn()
  .validator(checked(inquiryBody))
  .handler(({ data, context }) => context.callApi((api) => api.support.createInquiry(data)))

/** Replies, which opens the inquiry again. */
export const replyToInquiry = writeFn()
  .validator(checked(inquiryReply))
  .handler(({ data, context }) => context.callApi((api) => api.support.reply(data)))

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

/** The polling interval of a page that waits for an answer, in milliseconds. */
const answerPollInterval = 60_000

export const inquiryDetailQuery = (code: InquiryCode) =>
  queryOptions({
    queryKey: ['inquiries', 'one', code],
    queryFn: ({ signal }) => call((s) => getInquiry({ data: { code }, signal: s }), { signal, expected: [404] }),
    refetchInterval: ({ state }) => state.data?.status === 'WAIT' && answerPollInterval,
  })

/** The subject of an inquiry, from the parameters of the previous page. */
export interface InquirySubject {
  product: { id: ProductId; code: string; title: string } | null
  /** The title of the lesson. */
  lesson: string | null
}

/** Loads the types of inquiries and the product that the inquiry is about. */
export async function loadInquiryInput(
  queryClient: QueryClient,
  { product: code, lesson: lessonId }: InquiryInputSearch,
): Promise<InquirySubject> {
  const [product] = await Promise.all([
    code ? findProduct(queryClient, code) : undefined,
    queryClient.ensureQueryData({ ...inquiryTypesQuery, revalidateIfStale: true }),
  ])
  if (!product) return { product: null, lesson: null }
  const lesson = product.lessons.find(({ id }) => id === lessonId)
  return { product: { id: product.id, code: product.code, title: product.title }, lesson: lesson?.title ?? null }
}

/** A product that no longer exists does not stop the inquiry. */
const findProduct = (queryClient: QueryClient, code: string) =>
  queryClient.fetchQuery(productToBuyQuery(code)).catch((error: unknown) => {
    if (!problemOf(error)) throw error
    return undefined
  })

export const inquiriesSearch = searchSchema({ status: inquiryStatus, page: pageNumber }, firstPage)
export type InquiriesSearch = SearchOf<typeof inquiriesSearch>

/**
 * The subject of an inquiry from the previous page. `t` is the position in the video in seconds.
 */
export const inquiryInputSearch = searchSchema({
  type: text(40),
  product: productCode,
  lesson: lessonId,
  order: orderCode,
  t: amountUpTo(1_000_000),
})
export type InquiryInputSearch = SearchOf<typeof inquiryInputSearch>

/** Returns the inquiry code of a URL; undefined if it is invalid. */
export const readInquiryCode = (text: string): InquiryCode | undefined => inquiryCode.safeParse(text).data
