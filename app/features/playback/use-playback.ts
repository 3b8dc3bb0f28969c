import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { LessonId, PlayId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Playback } from '#contract/playback.ts'
import { type RefusalAnswer, refusalOf, StreamRefusedError } from './player/stream-errors'
import { reportProgress } from './progress-reporter'
import { registerPlayer, startStream, takePrefetchedStream } from './stream-prefetch'

interface Wanted {
  id: ProductId
  code: ProductCode
  /** Without one, the server chooses the next lesson. */
  lessonId: LessonId | undefined
  /** The start of a shared link; otherwise the saved position. */
  startSeconds: number | undefined
  /** Whether the member was informed that playing begins the fulfillment. */
  noticeShown: boolean
}

/** Milliseconds to wait for a report. A lost one must not delay the viewer. */
const reportTimeout = 1000

/** Requests the player's stream, reports the position, and detects lost access. */
export function usePlayback({ id, code, lessonId, startSeconds, noticeShown }: Wanted) {
  const queryClient = useQueryClient()
  const [playback, setPlayback] = useState<Playback | null>(null)
  const [refused, setRefused] = useState(false)
  const [elsewhere, setElsewhere] = useState<{ seconds: number; accept: () => void } | null>(null)
  const positionAt = useRef<string | null>(null)
  const held = useRef<PlayId | null>(null)
  const begun = useRef(false)
  const leaving = useRef<Promise<void>>(undefined)

  const load = useCallback(
    async (answer: RefusalAnswer = {}) => {
      // The release must reach the server before the new request, or it would end the new play.
      await Promise.race([leaving.current, new Promise((waited) => setTimeout(waited, reportTimeout))])
      try {
        const wanted = { id, ...(lessonId && { lessonId }), ...(noticeShown && { acceptsFulfillment: true }) }
        const isFirst = !noticeShown && !held.current && Object.keys(answer).length === 0
        const opened = await ((isFirst && takePrefetchedStream(wanted)) ||
          startStream({ ...wanted, ...(held.current && { playId: held.current }), ...answer }))
        setPlayback((before) => (before?.lessonId === opened.lessonId && before.productId === id ? before : opened))
        positionAt.current = opened.positionAt
        held.current = opened.playId
        begun.current = true
        return { ...opened, held: opened.playId !== null, startSeconds: startSeconds ?? opened.resumeSeconds }
      } catch (error) {
        const refusal = refusalOf(error, code)
        if (!refusal) throw error
        const atLimit = refusal.reason === 'STREAM_LIMIT' || refusal.reason === 'DEVICE_LIMIT'
        // Before playback the offer is shown; after it, the reason.
        if (!atLimit && !begun.current) setRefused(true)
        throw new StreamRefusedError(refusal)
      }
    },
    [id, code, lessonId, startSeconds, noticeShown],
  )

  useEffect(registerPlayer, [])

  const playing = playback?.lessonId ?? null
  const known = playback !== null
  const follow = useCallback(
    (video: HTMLVideoElement, renew: () => void) => {
      if (!known) return () => {}
      const stop = reportProgress(video, {
        id,
        lessonId: playing,
        positionAt: positionAt.current,
        onElsewhere: setElsewhere,
        playOf: () => held.current,
        onPlayOver: renew,
        onLeaving: (released) => {
          leaving.current = released
        },
      })
      return () => {
        setElsewhere(null)
        void stop().then(() => invalidatePositions(queryClient))
      }
    },
    [id, playing, known, queryClient],
  )
  /** The viewer chose a position. */
  const answerElsewhere = () => {
    elsewhere?.accept()
    setElsewhere(null)
  }
  return { playback, refused, load, follow, elsewhere, answerElsewhere }
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
