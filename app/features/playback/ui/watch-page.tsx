import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { Lesson, Product, ViewerState } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button, IconButton } from '~/ui/button'
import { classNames } from '~/ui/element'
import { productToWatchQuery } from '../playback.functions'
import type { WatchSearch } from '../playback.search'
import { Player, type PlayerView } from '../player/player'
import { mayPlay, needsNotice } from '../stream-prefetch'
import { usePlayback } from '../use-playback'
import { useReportLink } from '../use-watch-links'
import fulfillmentNoticeStyles from './fulfillment-notice.module.css'
import { WatchDetails } from './watch-details'
import styles from './watch-page.module.css'
import { type SideTab, WatchSide } from './watch-side'
import { AccessActions, AccessText, LockedPanel } from './ways-to-watch'

/** The refund that is still possible, and what ends it. */
function MoneyAtStake({ refundable: { amount, until } }: { refundable: NonNullable<ViewerState['refundable']> }) {
  const format = useFormat()
  const price = format.money(amount)
  const date = format.dateTime(until)
  return (
    <Trans>
      You can get a {price} refund until {date}. Watching ends your right to a refund.
    </Trans>
  )
}

function FulfillmentNotice({ viewer }: { viewer: ViewerState }) {
  const format = useFormat()
  if (viewer.source === 'RENT' && viewer.startBy) {
    const startBy = format.date(viewer.startBy)
    return (
      <>
        <p className={fulfillmentNoticeStyles.title}>
          <Trans>Your rental starts when you press play.</Trans>
        </p>
        <p>
          <Trans>
            Your rental period starts then, and it can no longer be refunded. You can start any time until {startBy}.
          </Trans>
        </p>
        {viewer.refundable && (
          <p>
            <MoneyAtStake refundable={viewer.refundable} />
          </p>
        )}
      </>
    )
  }
  return (
    <>
      <p className={fulfillmentNoticeStyles.title}>
        <Trans>Ready to watch</Trans>
      </p>
      <p>
        {viewer.refundable ? (
          <MoneyAtStake refundable={viewer.refundable} />
        ) : (
          <Trans>Once you start watching, this title can’t be refunded. You can watch it as often as you like.</Trans>
        )}
      </p>
    </>
  )
}

interface EndingProps {
  product: Product
  /** The lesson of several that has ended. */
  lesson: Lesson | undefined
}

/** Shown at the end when nothing comes next: what to do now, or how to get access to the rest. */
function Ending({ product, lesson }: EndingProps) {
  const isClosed = product.lessons.some(({ playable }) => !playable)
  return (
    <>
      <p className={styles.ending}>
        <Trans>You finished {storeText(lesson ?? product, 'title')}.</Trans>{' '}
        {isClosed && <AccessText product={product} />}
      </p>
      {isClosed ? (
        <div className={styles.ways}>
          <AccessActions product={product} />
        </div>
      ) : (
        <Button variant="inverse" render={<Link to="/products/$code" params={{ code: product.code }} />}>
          <Trans>Leave a comment, or find more like this</Trans>
        </Button>
      )}
    </>
  )
}

/** The watch page: player, side panel and details. */
export function WatchPage({ code, search }: { code: string; search: WatchSearch }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { data: product } = useSuspenseQuery(productToWatchQuery(code))
  const { title } = product
  const noticed = needsNotice(product.viewer)
  const { playback, refused, load, follow, elsewhere, answerElsewhere } = usePlayback({
    id: product.id,
    code: product.code,
    lessonId: search.lesson,
    startSeconds: search.t,
    noticeShown: noticed,
  })
  const [view, setView] = useState<PlayerView | null>(null)

  const lessonId = search.lesson ?? playback?.lessonId ?? undefined
  const lesson = product.lessons.find(({ id }) => id === lessonId)
  // A viewer who was watching sees in the player why it stopped.
  const open = (mayPlay(product, lesson) || playback !== null) && !refused
  const hasLessons = product.lessons.length > 1
  const [tab, setTab] = useState<SideTab | null>(hasLessons ? 'lessons' : null)
  const sideShown = tab !== null && (open || hasLessons)
  useJump(view, search.t)

  const next = playback?.next
  const goNext = useCallback(() => {
    if (!next) return
    void navigate({
      to: '/products/$code/watch',
      params: { code: next.productId === product.id ? product.code : next.productId },
      search: next.lessonId ? { lesson: next.lessonId } : {},
    })
  }, [navigate, next, product.id, product.code])
  const report = useReportLink(product.code, lessonId)

  return (
    <div className={styles.page}>
      <div className={styles.stage} data-theme="dark">
        <div className={classNames(sideShown ? styles.withSide : styles.alone)}>
          <div className={styles.screen}>
            <IconButton
              className={styles.back}
              icon="arrow-start"
              variant="glass"
              round
              label={t`Back to ${title}`}
              render={<Link to="/products/$code" params={{ code: product.code }} />}
            />
            {open ? (
              <Player
                streamKey={search.lesson ?? product.id}
                series={product.id}
                title={lesson ? lesson.title : product.title}
                poster={product.poster}
                durationSeconds={lesson?.durationSeconds ?? product.durationSeconds ?? 0}
                load={load}
                autoPlay={!noticed}
                notice={noticed && product.viewer ? <FulfillmentNotice viewer={product.viewer} /> : undefined}
                startLabel={noticed ? t`Start watching` : t`Play`}
                onOpen={follow}
                onView={setView}
                ending={<Ending product={product} lesson={hasLessons ? lesson : undefined} />}
                next={next ? { title: storeText(next, 'title'), go: goNext } : undefined}
                elsewhere={elsewhere ? { seconds: elsewhere.seconds, onAnswer: answerElsewhere } : undefined}
                report={
                  report &&
                  ((seconds) => (
                    <Button variant="secondary" render={report(seconds || search.t)}>
                      <Trans>Report a problem</Trans>
                    </Button>
                  ))
                }
              />
            ) : (
              <LockedPanel product={product} />
            )}
          </div>
          {sideShown && (
            <WatchSide
              product={product}
              lesson={lessonId}
              view={open ? view : null}
              tab={tab}
              onTab={setTab}
              onClose={hasLessons ? undefined : () => setTab(null)}
            />
          )}
        </div>
      </div>
      <WatchDetails
        product={product}
        lesson={hasLessons ? lesson : undefined}
        accessUntil={playback?.accessUntil ?? product.viewer?.expiresAt ?? null}
        view={open ? view : null}
        report={report?.()}
        side={open && !hasLessons ? { tab, onTab: setTab } : undefined}
      />
    </div>
  )
}

/** Seeks when the address changes to another second. The first one is the start of the stream. */
function useJump(view: PlayerView | null, seconds: number | undefined) {
  const [last, setLast] = useState(seconds)
  useEffect(() => {
    if (seconds === last) return
    setLast(seconds)
    if (view && seconds !== undefined) view.video.currentTime = seconds
  }, [view, seconds, last])
}
