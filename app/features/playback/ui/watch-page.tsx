import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { mayPlay } from '../may-play'
import { productToWatchQuery } from '../playback.queries'
import type { WatchSearch } from '../playback.search'
import { usePlayback } from '../use-playback'
import { LessonList } from './lesson-list'
import { LockedPanel } from './locked-panel'
import { Player } from './player'
import { needsNotice, ProvisionNotice } from './provision-notice'
import styles from './watch-page.module.css'

/** After the last picture, when nothing comes next. */
function Ending({ title, code }: { title: string; code: string }) {
  return (
    <>
      <p className={styles.ending}>
        <Trans>That was {title}.</Trans>
      </p>
      <Button variant="inverse" render={<Link to="/products/$code" params={{ code }} />}>
        <Trans>Say how it was, or find more like it</Trans>
      </Button>
    </>
  )
}

/** The player, the lessons beside it, and what is playing. */
export function WatchPage({ code, search }: { code: string; search: WatchSearch }) {
  const { t } = useLingui()
  const format = useFormat()
  const navigate = useNavigate()
  const { data: product } = useSuspenseQuery(productToWatchQuery(code))
  const noticed = needsNotice(product.viewer)
  const { playback, refused, load, follow } = usePlayback({
    id: product.id,
    lessonId: search.lesson,
    startSeconds: search.t,
    noticeShown: noticed,
  })

  const lessonId = search.lesson ?? playback?.lessonId ?? undefined
  const lesson = product.lessons.find(({ id }) => id === lessonId)
  const open = mayPlay(product, lesson) && !refused
  const hasLessons = product.lessons.length > 1
  const next = playback?.next
  const goNext = useCallback(() => {
    if (!next) return
    void navigate({
      to: '/products/$code/watch',
      params: { code: next.productId === product.id ? product.code : next.productId },
      search: next.lessonId ? { lesson: next.lessonId } : {},
    })
  }, [navigate, next, product.id, product.code])
  const accessUntil = playback?.accessUntil ?? product.viewer?.expiresAt

  return (
    <div className={styles.page}>
      <div className={styles.stage} data-theme="dark">
        <div className={hasLessons ? styles.withLessons : styles.alone}>
          <div className={styles.screen}>
            {open ? (
              <Player
                streamKey={search.lesson ?? product.id}
                title={lesson ? lesson.title : product.title}
                poster={product.poster}
                durationSeconds={lesson?.durationSeconds ?? product.durationSeconds ?? 0}
                load={load}
                autoPlay={!noticed}
                notice={noticed && product.viewer ? <ProvisionNotice viewer={product.viewer} /> : undefined}
                startLabel={noticed ? t`Start watching` : t`Play`}
                onOpen={follow}
                ending={<Ending title={product.title} code={product.code} />}
                next={next ? { title: next.title, go: goNext } : undefined}
              />
            ) : (
              <LockedPanel product={product} />
            )}
          </div>
          {hasLessons && <LessonList product={product} current={lessonId} />}
        </div>
      </div>
      <div className={styles.words}>
        <div>
          {lesson && product.lessons.length > 1 && <p className={styles.over}>{product.title}</p>}
          <h1 className={styles.title} tabIndex={-1}>
            {lesson && product.lessons.length > 1 ? lesson.title : product.title}
          </h1>
          <p className={styles.summary}>{lesson?.summary || product.summary}</p>
        </div>
        <ul className={styles.facts}>
          {accessUntil && (
            <li>
              <Icon name="clock" size="s" />
              <Trans>You can watch this until {format.dateTime(accessUntil)}.</Trans>
            </li>
          )}
          <li>
            <Icon name="info" size="s" />
            <Link className={styles.link} to="/products/$code" params={{ code: product.code }}>
              <Trans>About this title</Trans>
            </Link>
          </li>
          <li className={styles.keys}>
            <Icon name="settings" size="s" />
            <span>
              <Trans>
                Press <kbd>?</kbd> to see what the keys do.
              </Trans>
            </span>
          </li>
        </ul>
      </div>
    </div>
  )
}
