import { useQueryClient } from '@tanstack/react-query'
import { expectModal, openModal } from '~/platform/modals/modal-events'
import { knowProduct, previewQuery } from './playback.queries'
import type { PreviewRequest } from './preview-request'

/** Lets a button open the preview: what plays it is fetched when the button is pointed at, the stream when it is pressed. */
export function usePreview({ productId, previewId, code, title }: PreviewRequest) {
  const queryClient = useQueryClient()
  const expect = () => expectModal('videoPreview')
  return {
    onPointerEnter: expect,
    onFocus: expect,
    onClick: () => {
      knowProduct(queryClient, code)
      void queryClient.prefetchQuery(previewQuery(productId, previewId))
      openModal('videoPreview', { productId, previewId, code, title })
    },
  }
}
