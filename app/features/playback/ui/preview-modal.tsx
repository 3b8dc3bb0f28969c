import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Picture } from '#contract/picture.ts'
import { Button } from '~/ui/button'
import { previewQuery } from '../playback.queries'
import { type PreviewRequest, previewRequest } from '../preview-request'
import { Player } from './player'
import styles from './preview-modal.module.css'

interface Props {
  /** What the opening event carried: a `PreviewRequest`. */
  data: unknown
  close: () => void
}

/** Plays a product's public preview, and at its end says how to see the rest. */
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
  const load = useCallback(async () => {
    const preview = await queryClient.fetchQuery(previewQuery(productId, previewId))
    setDuration(preview.durationSeconds)
    return { ...preview, expiresAt: null, startSeconds: 0, chapters: [] }
  }, [queryClient, productId, previewId])

  return (
    <div className={styles.preview}>
      <Player
        streamKey={previewId}
        title={request.title}
        poster={noPicture}
        durationSeconds={duration}
        load={load}
        autoPlay
        startLabel={t`Play the preview`}
        ending={
          <>
            <p className={styles.end}>
              <Trans>That was the preview. The rest is waiting for you.</Trans>
            </p>
            <Button
              variant="primary"
              size="l"
              render={<Link to="/products/$code" params={{ code: request.code }} onClick={close} />}
            >
              <Trans>See how to get it</Trans>
            </Button>
          </>
        }
      />
    </div>
  )
}
