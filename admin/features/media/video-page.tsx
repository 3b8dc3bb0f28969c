import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Fragment, useCallback, useRef, useState } from 'react'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { History } from '../../ui/history'
import { LoadedPage, Page } from '../../ui/page'
import { CaptionSection } from './caption-section'
import { ChapterSection } from './chapter-section'
import type { EditedCue } from './cues'
import styles from './media.module.css'
import { VideoPlayer } from './video-player'
import { videoQuery } from './videos.queries'

const route = getRouteApi('/videos/$id')

function VideoDetail({ video }: { video: StoreVideo }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const { duration } = useFormat()
  const { captions: chosen, product } = route.useSearch()
  const navigate = route.useNavigate()
  const player = useRef<HTMLVideoElement>(null)
  const [cues, setCues] = useState<readonly EditedCue[]>([])
  const [loads, setLoads] = useState(0)
  const { id, shownBy, durationSeconds, width, height } = video
  const showing = shownBy.find(({ productCode: code }) => code === product) ?? shownBy[0]
  const title = showing?.title ?? t`Video`
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
        showing && (
          <Button render={<Link to="/products/$code" params={{ code: showing.productCode }} />}>
            <Trans>Product</Trans>
          </Button>
        )
      }
    >
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
          <p className={styles.facts}>
            <Trans>Length: {duration(Math.round(durationSeconds))}</Trans>
            {width !== null && height !== null && (
              <>
                {' · '}
                <span dir="ltr">
                  {width} × {height}
                </span>
              </>
            )}
          </p>
          {shownBy.length > 1 && (
            <p className={styles.facts}>
              <Trans>These show the video too, and get its captions and chapters:</Trans>{' '}
              {shownBy
                .filter((other) => other !== showing)
                .map(({ productCode, lessonId, title: name }, at) => (
                  <Fragment key={lessonId ?? productCode}>
                    {at > 0 && ', '}
                    <Link to="/products/$code" params={{ code: productCode }}>
                      <bdi>{name}</bdi>
                    </Link>
                  </Fragment>
                ))}
            </p>
          )}
          <CaptionSection video={video} chosen={chosen} cues={cues} place={player} onChoose={choose} onCues={setCues} />
          <ChapterSection key={`chapters ${loads}`} video={video} place={player} onReload={() => setLoads(loads + 1)} />
          <History entries={video.history} />
        </div>
      </div>
    </Page>
  )
}

/** A video with its captions and chapters, which are changed without encoding it again. */
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
