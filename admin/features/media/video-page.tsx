import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { DeleteSection } from '../../ui/delete-section'
import { History } from '../../ui/history'
import { LoadedPage, Page } from '../../ui/page'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { CaptionSection } from './caption-section'
import { ChapterSection } from './chapter-section'
import type { EditedCue } from './cues'
import styles from './media.module.css'
import { PublicPreviewSection } from './public-preview-section'
import { VideoFacts } from './video-facts'
import { VideoPlayer } from './video-player'
import { videoQuery } from './videos.queries'

const RenameDialog = lazyPart(async () => ({ default: (await import('./rename-dialog')).RenameDialog }))

const route = getRouteApi('/videos/$id')

function VideoDetail({ video }: { video: StoreVideo }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const isAllowed = useMay()('videos:write')
  const { captions: chosen, product } = route.useSearch()
  const navigate = route.useNavigate()
  const player = useRef<HTMLVideoElement>(null)
  const [cues, setCues] = useState<readonly EditedCue[]>([])
  const [loads, setLoads] = useState(0)
  const [isRenaming, setRenaming] = useState(false)
  const { id, shownBy } = video
  const showing = shownBy.find(({ productCode: code }) => code === product) ?? shownBy[0]
  const name = video.name ?? video.job?.file.name
  const title = showing?.title ?? name ?? t`Video`
  const choose = useCallback(
    (language: string | undefined) =>
      void navigate({ search: (before) => ({ ...before, captions: language }), replace: true }),
    [navigate],
  )
  const reload = async () => {
    const { stream } = await queryClient.fetchQuery({ ...videoQuery(api, id), staleTime: 0 })
    return stream
  }
  return (
    <Page
      title={title}
      actions={
        <>
          {isAllowed && (
            <Button onClick={() => setRenaming(true)}>
              <Trans>Rename</Trans>
            </Button>
          )}
          {showing && (
            <Button render={<Link to="/products/$code" params={{ code: showing.productCode }} />}>
              <Trans>Product</Trans>
            </Button>
          )}
        </>
      }
    >
      <ReadOnlyNotice permission="videos:write" />
      <div className={styles.layout}>
        <div className={styles.watch}>
          <VideoPlayer
            place={player}
            title={title}
            video={video}
            language={chosen ?? video.captions[0]?.language ?? 'und'}
            cues={cues}
            onReload={reload}
          />
        </div>
        <div className={styles.parts}>
          {shownBy.length > 1 && (
            <p className={styles.facts}>
              <Trans>What shows the video gets its captions and chapters.</Trans>
            </p>
          )}
          <CaptionSection video={video} chosen={chosen} cues={cues} place={player} onChoose={choose} onCues={setCues} />
          <ChapterSection key={`chapters ${loads}`} video={video} place={player} onReload={() => setLoads(loads + 1)} />
          <PublicPreviewSection
            key={`preview ${loads}`}
            video={video}
            place={player}
            onReload={() => setLoads(loads + 1)}
          />
          <VideoFacts video={video} />
          <History entries={video.history} />
          {shownBy.length === 0 && (
            <DeleteSection
              permission="videos:write"
              question={t`Delete this video?`}
              word={title}
              queryKey={['video', id]}
              changes={[['video-library']]}
              send={() => api.admin.videos.retire({ id })}
              onDone={() => void navigate({ to: '/videos/library' })}
            />
          )}
        </div>
      </div>
      {isRenaming && <RenameDialog video={video} onClose={() => setRenaming(false)} />}
    </Page>
  )
}

/** A video with its captions, chapters and preview, which are changed without encoding it again. */
export function VideoPage() {
  const { t } = useLingui()
  const { id } = route.useParams()
  const video = useQuery(videoQuery(useAdminApi(), id))
  return (
    <LoadedPage title={t`Video`} query={video}>
      {(data) => <VideoDetail video={data} />}
    </LoadedPage>
  )
}
