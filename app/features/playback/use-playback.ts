import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { LessonId, ProductId } from '#contract/ids.ts'
import type { Playback } from '#contract/playback.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { startPlayback } from './playback.functions'
import { reportProgress } from './progress-reporter'

interface Wanted {
  id: ProductId
  /** Without one the server goes on with the lesson that comes next. */
  lessonId: LessonId | undefined
  /** Where a shared link begins; otherwise where the person stopped. */
  startSeconds: number | undefined
  /** The person was shown that playing begins the provision. */
  noticeShown: boolean
}

/** The player says in place what went wrong; nothing is left for a toast. */
const saidInPlace = [0, 400, 401, 403, 404, 410, 429, 500, 502, 503, 504]

/** What the player plays: asks for the stream, tells the server how far it came, and notices when the right is gone. */
export function usePlayback({ id, lessonId, startSeconds, noticeShown }: Wanted) {
  const queryClient = useQueryClient()
  const [playback, setPlayback] = useState<Playback | null>(null)
  const [refused, setRefused] = useState(false)

  const load = useCallback(async () => {
    try {
      const opened = await call(
        (signal) =>
          startPlayback({
            data: { id, ...(lessonId && { lessonId }), ...(noticeShown && { acceptsProvision: true }) },
            signal,
          }),
        { expected: saidInPlace },
      )
      setPlayback((before) => (before?.lessonId === opened.lessonId && before.productId === id ? before : opened))
      return { ...opened, startSeconds: startSeconds ?? opened.resumeSeconds }
    } catch (error) {
      if (problemOf(error)?.code === 'NOT_ENTITLED') setRefused(true)
      throw error
    }
  }, [id, lessonId, startSeconds, noticeShown])

  const playing = playback?.lessonId ?? null
  const known = playback !== null
  const follow = useCallback(
    (video: HTMLVideoElement) => {
      if (!known) return () => {}
      const stop = reportProgress(video, { id, lessonId: playing })
      return () => void stop().then(() => forgetPositions(queryClient))
    },
    [id, playing, known, queryClient],
  )
  return { playback, refused, load, follow }
}

/** Every list that shows how far something was watched is older than what was just watched. */
function forgetPositions(queryClient: QueryClient) {
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
