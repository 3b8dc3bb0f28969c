import { useEffect } from 'react'
import type { Product } from '#contract/catalog.ts'
import { recordView } from './product.functions'

/** Counts a look at a product once its page stands before a person. That it could not be counted is nobody's concern. */
export function useViewCount({ id }: Pick<Product, 'id'>): void {
  useEffect(() => {
    recordView({ data: { id } }).catch(() => {})
  }, [id])
}
