import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { getProductPage } from './product.functions'

/** A product's page by its code. */
export const productPageQuery = (code: string) =>
  queryOptions({
    queryKey: ['product', code],
    queryFn: ({ signal }) =>
      call((s) => getProductPage({ data: { code }, signal: s }), { signal, expected: [404, 410] }),
  })
