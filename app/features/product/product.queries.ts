import { queryOptions } from '@tanstack/react-query'
import { commentsQuery } from '~/features/comments/comments.queries'
import { call } from '~/platform/api/call'
import { notFoundStatuses } from '~/platform/navigation/address'
import { getProductPage } from './product.functions'

/** A product's page by its code. Its first comments come along and are put where the comments look for them. */
export const productPageQuery = (code: string) =>
  queryOptions({
    queryKey: ['product', code],
    queryFn: async ({ signal, client }) => {
      const { product, attachments, comments } = await call((s) => getProductPage({ data: { code }, signal: s }), {
        signal,
        expected: [...notFoundStatuses, 410],
      })
      client.setQueryData(commentsQuery(product.id).queryKey, { pages: [comments], pageParams: [1] })
      return { product, attachments }
    },
  })
