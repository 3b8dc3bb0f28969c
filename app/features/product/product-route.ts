import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import { problemOf } from '~/platform/api/problem'
import { productPageQuery } from './product.queries'

const answerGone = createIsomorphicFn()
  .server(() => setResponseStatus(410))
  .client(() => {})

/** The product a page is about, for its head; null where its sale has ended. */
export async function loadProduct(queryClient: QueryClient, code: string) {
  try {
    return (await queryClient.ensureQueryData(productPageQuery(code))).product
  } catch (error) {
    const status = problemOf(error)?.status
    if (status === 404) throw notFound()
    if (status !== 410) throw error
    answerGone()
    return null
  }
}
