import type { QueryClient } from '@tanstack/react-query'
import type { ProductId } from '#contract/ids.ts'
import { productToBuyQuery } from '~/features/checkout/checkout.queries'
import { problemOf } from '~/platform/api/problem'
import { inquiryTypesQuery } from './inquiries.queries'
import type { InquiryInputSearch } from './inquiries.search'

/** What an inquiry is about, as far as the page it was begun from said so. */
export interface InquirySubject {
  product: { id: ProductId; code: string; title: string } | null
  /** The title of the lesson. */
  lesson: string | null
}

/** Loads what this store may be asked about, before the form; and the product it was begun from. */
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

/** One that is gone is no reason to ask nothing. */
const findProduct = (queryClient: QueryClient, code: string) =>
  queryClient.fetchQuery(productToBuyQuery(code)).catch((error: unknown) => {
    if (!problemOf(error)) throw error
    return undefined
  })
