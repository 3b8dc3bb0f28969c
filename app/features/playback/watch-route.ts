import type { QueryClient } from '@tanstack/react-query'
import type { Product } from '#contract/catalog.ts'
import { preloadEngine } from './load-engine'
import { mayPlay, needsNotice } from './may-play'
import { openAhead } from './opening'
import { knowProduct, productToWatchQuery } from './playback.queries'
import type { WatchSearch } from './playback.search'

/** The product, and the engine beside it. */
export async function loadProductToWatch(queryClient: QueryClient, code: string): Promise<Product> {
  preloadEngine()
  knowProduct(queryClient, code)
  return queryClient.fetchQuery(productToWatchQuery(code))
}

/** Asks for the stream of what plays by itself once its player stands. */
export function openPressed(product: Product, { lesson: lessonId }: WatchSearch): void {
  if (import.meta.env.SSR) return
  const lesson = product.lessons.find(({ id }) => id === lessonId)
  if (mayPlay(product, lesson) && !needsNotice(product.viewer))
    openAhead({ id: product.id, ...(lessonId && { lessonId }) })
}
