import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { productCode, productId, videoId } from '#contract/ids.ts'
import { expectModal, openModal } from '~/platform/modals/modal-events'
import { previewQuery, seedProductToWatch } from './playback.functions'
import { preloadEngine } from './player/load-engine'

/** What the event that opens the preview carries. */
export const previewRequest = z.object({ productId, previewId: videoId, code: productCode, title: z.string() })
export type PreviewRequest = z.output<typeof previewRequest>

/** Lets a button open the preview: what plays it is fetched when the button is pointed at, the stream when it is pressed. */
export function usePreview({ productId, previewId, code, title }: PreviewRequest) {
  const queryClient = useQueryClient()
  const expect = () => expectModal('videoPreview')
  return {
    onPointerEnter: expect,
    onFocus: expect,
    onClick: () => {
      seedProductToWatch(queryClient, code)
      void queryClient.prefetchQuery(previewQuery(productId, previewId))
      openModal('videoPreview', { productId, previewId, code, title })
    },
  }
}

/** Whether what may not be needed after all is too dear: the person said so, or the line is slow. */
const savesData = () => {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean; effectiveType?: string } }
  return Boolean(connection?.saveData) || /2g|3g/.test(connection?.effectiveType ?? '')
}

/** Fetches the player in a quiet moment of a page whose first button leads to it. */
export function usePlayerPrefetch(): void {
  const router = useRouter()
  useEffect(() => {
    if (savesData()) return
    const fetchPlayer = () => {
      preloadEngine()
      router.loadRouteChunk(router.routesByPath['/products/$code/watch'])?.catch(() => {})
    }
    if (!window.requestIdleCallback) return fetchPlayer()
    const quiet = requestIdleCallback(fetchPlayer)
    return () => cancelIdleCallback(quiet)
  }, [router])
}
