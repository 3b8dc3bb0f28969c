import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Picture } from '#contract/picture.ts'
import { previewQuery, productToWatchQuery } from '../playback.functions'
import { Player } from '../player/player'
import { type PreviewRequest, previewRequest } from '../use-preview'
import { AccessActions, AccessText } from './access-actions'
import styles from './preview-modal.module.css'

interface Props {
  /** The `PreviewRequest` of the opening event. */
  data: unknown
  close: () => void
}

/** Plays a product's public preview, then shows how to watch the rest. */
export function PreviewModal({ data, close }: Props) {
  const request = previewRequest.safeParse(data)
  return request.success ? <Preview request={request.data} close={close} /> : null
}

const noPicture: Picture = { url: '', width: 16, height: 9, alt: '', color: '#000', sources: [] }

function Preview({ request, close }: { request: PreviewRequest; close: () => void }) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const { productId, previewId } = request
  const [duration, setDuration] = useState(0)
  const { data: product } = useQuery(productToWatchQuery(request.code))
  const load = useCallback(async () => {
    const preview = await queryClient.fetchQuery(previewQuery(productId, previewId))
    setDuration(preview.durationSeconds)
    return { ...preview, expiresAt: null, startSeconds: 0, chapters: [], storyboardUrl: null }
  }, [queryClient, productId, previewId])

  return (
    <div className={styles.preview}>
      <Player
        streamKey={previewId}
        series={productId}
        title={request.title}
        poster={product?.poster ?? noPicture}
        durationSeconds={duration}
        load={load}
        autoPlay
        startLabel={t`Play the preview`}
        ending={
          <>
            <p className={styles.end}>
              <Trans>Preview ended.</Trans> {product && <AccessText product={product} />}
            </p>
            {product && (
              <div className={styles.actions}>
                <AccessActions product={product} onNavigate={close} />
              </div>
            )}
          </>
        }
      />
    </div>
  )
}
