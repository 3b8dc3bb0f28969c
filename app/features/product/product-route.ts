import type { QueryClient } from '@tanstack/react-query'
import { isRedirect, redirect } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import { problemOf } from '~/platform/api/problem'
import { orNotFound } from '~/platform/navigation/address'
import { productPageQuery } from './product.queries'

const answerGone = createIsomorphicFn()
  .server(() => setResponseStatus(410))
  .client(() => {})

/** The product a page is about, for its head; null where its sale has ended. */
export async function loadProduct(queryClient: QueryClient, code: string) {
  try {
    const { product } = await orNotFound(queryClient.ensureQueryData(productPageQuery(code)))
    // The API finds a product by its id too; its page has one address.
    if (product.code !== code)
      throw redirect({ to: '/products/$code', params: { code: product.code }, statusCode: 301, replace: true })
    return product
  } catch (error) {
    if (isRedirect(error) || problemOf(error)?.status !== 410) throw error
    answerGone()
    return null
  }
}
