import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { InquiryCode, ProductId } from '#contract/ids.ts'
import { inquiryBody, inquiryPath, inquiryQuery, inquiryReply } from '#contract/inquiries.ts'
import { productToBuyQuery } from '~/features/checkout/checkout.functions'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import type { InquiriesSearch, InquiryInputSearch } from './inquiries.search'

/** The store's types of inquiries. */
const getInquiryTypes = readFn().handler(({ context }) => context.ask((api) => api.inquiries.inquiryTypes()))

/** A page of the member's inquiries, latest first. */
const getInquiries = readFn()
  .validator(checked(inquiryQuery))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.inquiries(data)))

/** One inquiry with its messages. 404 for another member's. */
const getInquiry = readFn()
  .validator(checked(inquiryPath))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.inquiry(data)))

/** Sends an inquiry with files that were sent before. */
export const askInquiry = writeFn()
  .validator(checked(inquiryBody))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.ask(data)))

/** Replies, which opens the inquiry again. */
export const replyToInquiry = writeFn()
  .validator(checked(inquiryReply))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.reply(data)))

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

/** Returns the subject of an inquiry from the parameters of the previous page. */
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
