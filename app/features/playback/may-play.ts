import type { Lesson, Product } from '#contract/catalog.ts'

/** Whether it is worth asking for a stream. The server decides again when it is asked. */
export function mayPlay(product: Product, lesson: Lesson | undefined): boolean {
  if (product.viewer?.entitled || product.access === 'FREE') return true
  return lesson ? lesson.playable : product.lessons.some(({ playable }) => playable)
}
