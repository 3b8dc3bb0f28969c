import { Trans, useLingui } from '@lingui/react/macro'
import { type QueryClient, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { LessonId, PlayId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Playback } from '#contract/playback.ts'
import { storeText } from '~/platform/i18n/store-text'
import { Button, IconButton } from '~/ui/button'
import { classNames } from '~/ui/element'
import {
  mayPlay,
  needsNotice,
  productToWatchQuery,
  registerPlayer,
  startStream,
  takePrefetchedStream,
  type WatchSearch,
} from '../playback.functions'
import { Player, type PlayerView } from '../player/player'
import { type RefusalAnswer, refusalOf, StreamRefusedError } from '../player/stream-errors'
import type { PlayerStream } from '../player/use-stream'
import { reportProgress } from '../progress-reporter'
import { useReportLink } from '../use-watch-links'
import { Ending, FulfillmentNotice, LockedPanel } from './access-actions'
import { WatchDetails } from './watch-details'
import styles from './watch-page.module.css'
import { type SideTab, WatchSide } from './watch-side'

interface PlaybackInput {
  id: ProductId
  code: ProductCode
  /** Without one, the server chooses the next lesson. */
  lessonId: LessonId | undefined
  /** The start of a shared link; otherwise the saved position. */
  startSeconds: number | undefined
  /** Whether the member was informed that playing begins the fulfillment. */
  noticeShown: boolean
}

/**
 * Milliseconds to wait for a report: on a slow network longer than one round trip. What is buffered
 * plays on meanwhile, but a lost report must not delay the viewer for longer.
 */
const reportTimeout = 3_000

/** Requests the player's stream, reports the position, and detects lost access. */
function usePlayback({ id, code, lessonId, startSeconds, noticeShown }: PlaybackInput) {
  const queryClient = useQueryClient()
  const [playback, setPlayback] = useState<Playback | null>(null)
  const [refused, setRefused] = useState(false)
  const [elsewhere, setElsewhere] = useState<{ seconds: number; accept: () => void } | null>(null)
  const positionAt = useRef<string | null>(null)
  const playId = useRef<PlayId | null>(null)
  const hasStarted = useRef(false)
  const pendingReport = useRef<Promise<void>>(undefined)

  const load = useCallback(
    async (answer: RefusalAnswer = {}): Promise<PlayerStream> => {
      // The release must reach the server before the new request, or it would end the new play.
      await Promise.race([pendingReport.current, new Promise((waited) => setTimeout(waited, reportTimeout))])
      try {
        const request = { id, ...(lessonId && { lessonId }), ...(noticeShown && { acceptsFulfillment: true }) }
        const isFirst = !noticeShown && !playId.current && Object.keys(answer).length === 0
        const opened = await ((isFirst && takePrefetchedStream(request)) ||
          startStream({ ...request, ...(playId.current && { playId: playId.current }), ...answer }))
        setPlayback((before) => (before?.lessonId === opened.lessonId && before.productId === id ? before : opened))
        positionAt.current = opened.positionAt
        playId.current = opened.playId
        hasStarted.current = true
        return { ...opened, countsAsPlay: opened.playId !== null, startSeconds: startSeconds ?? opened.resumeSeconds }
      } catch (error) {
        const refusal = refusalOf(error, code)
        if (!refusal) throw error
        const atLimit = refusal.reason === 'STREAM_LIMIT' || refusal.reason === 'DEVICE_LIMIT'
        // Before playback the offer is shown; after it, the reason.
        if (!atLimit && !hasStarted.current) setRefused(true)
        throw new StreamRefusedError(refusal)
      }
    },
    [id, code, lessonId, startSeconds, noticeShown],
  )

  useEffect(registerPlayer, [])

  const playing = playback?.lessonId ?? null
  const isLoaded = playback !== null
  const follow = useCallback(
    (video: HTMLVideoElement, renew: () => void) => {
      if (!isLoaded) return () => {}
      const stop = reportProgress(video, {
        id,
        lessonId: playing,
        positionAt: positionAt.current,
        onElsewhere: setElsewhere,
        playOf: () => playId.current,
        onPlayOver: renew,
        onLeaving: (released) => {
          pendingReport.current = released
        },
      })
      return () => {
        setElsewhere(null)
        void stop().then(() => invalidatePositions(queryClient))
      }
    },
    [id, playing, isLoaded, queryClient],
  )
  /** The viewer chose a position. */
  const dismissElsewhere = () => {
    elsewhere?.accept()
    setElsewhere(null)
  }
  return { playback, refused, load, follow, elsewhere, dismissElsewhere }
}

/** Invalidates every query that shows watch progress. */
function invalidatePositions(queryClient: QueryClient) {
  for (const key of [
    ['product-to-watch'],
    ['continue-watching'],
    ['paid-products'],
    ['products', 'personal'],
    ['product'],
  ]) {
    void queryClient.invalidateQueries({ queryKey: key })
  }
}

/** The watch page: player, side panel and details. */
export function WatchPage({ code, search }: { code: string; search: WatchSearch }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { data: product } = useSuspenseQuery(productToWatchQuery(code))
  const { title } = product
  const noticed = needsNotice(product.viewer)
  const { playback, refused, load, follow, elsewhere, dismissElsewhere } = usePlayback({
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
  const playNext = useCallback(() => {
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
                next={next ? { title: storeText(next, 'title'), go: playNext } : undefined}
                elsewhere={elsewhere ? { seconds: elsewhere.seconds, onAnswer: dismissElsewhere } : undefined}
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
