import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { searchProducts } from './products.functions'
import type { ProductsSearch } from './products.search'

/** Which of the two lists: all products, or those with a stream. */
export type ProductList = 'products' | 'videos'

/** One page of a list. */
export const productsQuery = (list: ProductList, words: ProductsSearch) =>
  queryOptions({
    queryKey: ['products', list, words],
    queryFn: ({ signal }) =>
      call((s) => searchProducts({ data: list === 'videos' ? { ...words, video: true } : words, signal: s }), {
        signal,
      }),
  })
