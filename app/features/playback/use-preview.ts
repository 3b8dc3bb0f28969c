import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { productCode, productId, videoId } from '#contract/ids.ts'
import { openModal, preloadModal } from '~/platform/modals/modal-events'
import { usePagePrefetch } from '~/platform/navigation/use-links-in-html'
import { previewQuery, seedProductToWatch } from './playback.functions'
import { preloadEngine } from './player/load-engine'

/** The data of the event that opens the preview. */
export const previewRequest = z.object({ productId, previewId: videoId, code: productCode, title: z.string() })
export type PreviewRequest = z.output<typeof previewRequest>

/**
 * Props of a button that opens the preview. The player is prefetched on hover or focus, the stream
 * on press.
 */
export function usePreview({ productId, previewId, code, title }: PreviewRequest) {
  const queryClient = useQueryClient()
  const preload = () => preloadModal('videoPreview')
  return {
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => {
      seedProductToWatch(queryClient, code)
      void queryClient.prefetchQuery(previewQuery(productId, previewId))
      openModal('videoPreview', { productId, previewId, code, title })
    },
  }
}

/** Prefetches the player when the page is idle. */
export function usePlayerPrefetch(): void {
  usePagePrefetch('/products/$code/watch', preloadEngine)
}
