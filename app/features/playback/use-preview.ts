import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { productCode, productId, videoId } from '#contract/ids.ts'
import { loadParts } from '~/platform/hydration-boundary'
import { openModal, preloadModal } from '~/platform/modals/modal-events'
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

declare global {
  /** The Network Information API, which not every browser has. */
  interface Navigator {
    readonly connection?: { saveData?: boolean; effectiveType?: string }
  }
}

/** Whether prefetching costs too much: data saver, or a slow connection. */
const savesData = () => {
  const { connection } = navigator
  return Boolean(connection?.saveData) || /2g|3g/.test(connection?.effectiveType ?? '')
}

/** Prefetches the player when the page is idle. */
export function usePlayerPrefetch(): void {
  const router = useRouter()
  useEffect(() => {
    if (savesData()) return
    const fetchPlayer = async () => {
      preloadEngine()
      // The route of the player is not in the first script.
      await loadParts()
      await router.loadRouteChunk(router.routesByPath['/products/$code/watch'])
    }
    const start = () => void fetchPlayer().catch(() => {})
    if (!window.requestIdleCallback) return start()
    const idleCallback = requestIdleCallback(start)
    return () => cancelIdleCallback(idleCallback)
  }, [router])
}
