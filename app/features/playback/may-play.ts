import type { Lesson, Product, ViewerState } from '#contract/catalog.ts'

/** Whether it is worth asking for a stream. The server decides again when it is asked. */
export function mayPlay(product: Product, lesson: Lesson | undefined): boolean {
  if (product.viewer?.entitled || product.access === 'FREE') return true
  return lesson ? lesson.playable : product.lessons.some(({ playable }) => playable)
}

/** The first play of something bought begins its provision: the person must know before, not after. */
export function needsNotice(viewer: ViewerState | null): boolean {
  if (!viewer?.entitled) return false
  if (viewer.refundable) return true
  return viewer.source === 'RENT' ? viewer.startBy !== null : viewer.source === 'OWN' && viewer.progress === null
}
