import { useEffect } from 'react'
import type { Product } from '#contract/catalog.ts'
import { keepaliveFetch } from '~/platform/api/call'
import { recordView } from './product.functions'

/** Counts a look at a product once its page stands before a person, a short look too. That it could not be counted is nobody's concern. */
export function useViewCount({ id }: Pick<Product, 'id'>): void {
  useEffect(() => {
    recordView({ data: { id }, fetch: keepaliveFetch }).catch(() => {})
  }, [id])
}
