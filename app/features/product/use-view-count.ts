import { useEffect } from 'react'
import type { Product } from '#contract/catalog.ts'
import { recordView } from './product.functions'

/** Outlives the page: a short look is a look too. */
const lasting: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true })

/** Counts a look at a product once its page stands before a person. That it could not be counted is nobody's concern. */
export function useViewCount({ id }: Pick<Product, 'id'>): void {
  useEffect(() => {
    recordView({ data: { id }, fetch: lasting }).catch(() => {})
  }, [id])
}
