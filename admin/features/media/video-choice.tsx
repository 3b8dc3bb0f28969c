import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { LessonId, ProductCode, VideoId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { Notice } from '~/ui/notice'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSettled } from '../../platform/use-settled'
import { useWrite } from '../../platform/use-write'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import styles from './media.module.css'
import { nameOfVideo, shownUses, Thumbnail } from './video-library'
import { videoLibraryQuery } from './videos.queries'

interface VideoChoiceProps {
  product: ProductCode
  /** The lesson that shows the video; without one the product itself. */
  lessonId?: LessonId
  /** The video that is shown now. */
  current: VideoId | null
  onClose: () => void
}

/** Chooses a video of the store for a product or lesson. */
export function VideoChoice({ product, lessonId, current, onClose }: VideoChoiceProps) {
  const { t } = useLingui()
  const { duration } = useFormat()
  const api = useAdminApi()
  const [text, setText] = useState('')
  /** The video of which is asked whether it takes the place of the present one. */
  const [chosen, setChosen] = useState<VideoId>()
  const wanted = text.trim()
  const q = useSettled(wanted, 200)
  const videos = useQuery({
    ...videoLibraryQuery(api, { ...(q && { q }) }),
    placeholderData: keepPreviousData,
  })
  // Under a finger that is about to press, another video would take the place of the one meant.
  const isChanging = q !== wanted || videos.isPlaceholderData
  const choose = useWrite((id: VideoId) => api.admin.videos.use({ id, product, ...(lessonId && { lessonId }) }), {
    done: t`Video chosen`,
    changes: [
      ['product', product],
      ['product-parts', product],
      ['products'],
      ['posters', product],
      ['video-jobs'],
      ['video-library'],
      ['video'],
    ],
    onClose,
  })
  return (
    <Dialog open onClose={onClose} title={<Trans>Choose a video of the store</Trans>} closeLabel={t`Close`}>
      <div className={form.fields}>
        <p>
          <Trans>
            The video is shared, with its captions and chapters: a change of these is seen everywhere it is shown.
          </Trans>
        </p>
        {current !== null && (
          <Notice tone="warning">
            <Trans>It takes the place of the present video, which is deleted if nothing else shows it.</Trans>
          </Notice>
        )}
        <TextField
          label={t`File, title or code`}
          type="search"
          icon="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          autoComplete="off"
        />
        <Refusal failure={choose.failure} />
        <Loaded query={videos}>
          {({ items }) =>
            items.length === 0 ? (
              <p>
                <Trans>Nothing found.</Trans>
              </p>
            ) : (
              <Rows
                items={items.map((video) => {
                  const name = nameOfVideo(video)
                  return {
                    key: video.id,
                    title: (
                      <span className={styles.video}>
                        <Thumbnail poster={video.poster} />
                        <span>
                          <bdi>{name}</bdi>
                          <span className={styles.uses}>
                            {duration(video.durationSeconds)}
                            {video.shownBy.slice(0, shownUses).map(({ productCode, lessonId, title }) => (
                              <Fragment key={`${productCode} ${lessonId}`}>
                                {' · '}
                                <bdi>{title}</bdi>
                              </Fragment>
                            ))}
                            {video.shownBy.length > shownUses && ' …'}
                          </span>
                        </span>
                      </span>
                    ),
                    end:
                      video.id === current ? (
                        <Trans>Shown now</Trans>
                      ) : chosen === video.id ? (
                        <>
                          <Button
                            size="s"
                            variant="danger"
                            autoFocus
                            loading={choose.isPending}
                            onClick={() => choose.send(video.id)}
                          >
                            <Trans>Replace the present video</Trans>
                          </Button>
                          <Button size="s" variant="ghost" onClick={() => setChosen(undefined)}>
                            <Trans>Back</Trans>
                          </Button>
                        </>
                      ) : (
                        <Button
                          size="s"
                          aria-label={t`Use ${name}`}
                          disabled={choose.isPending || isChanging}
                          onClick={() => (current === null ? choose.send(video.id) : setChosen(video.id))}
                        >
                          <Trans>Use</Trans>
                        </Button>
                      ),
                  }
                })}
              />
            )
          }
        </Loaded>
      </div>
    </Dialog>
  )
}
