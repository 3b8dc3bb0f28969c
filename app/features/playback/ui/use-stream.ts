import { useCallback, useEffect, useRef, useState } from 'react'
import { automaticLevel, type Engine, openEngine, type QualityLevel, type StreamFailure } from '../engine'

export interface CaptionTrack {
  language: string
  label: string
  url: string
}

/** A stream as the player needs it. */
export interface PlayerStream {
  manifestUrl: string
  /** When the address stops being good; null when it does not. */
  expiresAt: string | null
  startSeconds: number
  durationSeconds: number
  captions: readonly CaptionTrack[]
  chapters: readonly { startSeconds: number; title: string }[]
}

export type StreamPhase =
  | { name: 'idle' }
  | { name: 'opening' }
  | { name: 'open' }
  | { name: 'failed'; failure: StreamFailure | 'NOT_GIVEN' }

/** A fresh address is fetched this long before the old one ends. */
const renewAhead = 45_000
const soonest = 5_000
/** After so many refusals in a row another fresh address will not help. */
const refusalsAllowed = 3

/**
 * Opens a stream in `video` when asked to, keeps its address fresh, and starts again where it stood after a failure.
 * `load` asks for the stream; it is called again whenever a fresh address is needed.
 */
export function useStream(video: HTMLVideoElement | null, load: () => Promise<PlayerStream>) {
  const [phase, setPhase] = useState<StreamPhase>({ name: 'idle' })
  const [stream, setStream] = useState<PlayerStream | null>(null)
  const [levels, setLevels] = useState<QualityLevel[]>([])
  const [playingLevel, setPlayingLevel] = useState(automaticLevel)
  const [chosenLevel, setChosenLevel] = useState(automaticLevel)
  const running = useRef<{ engine: Engine | undefined; end: AbortController; renewal: ReturnType<typeof setTimeout> }>(
    null,
  )
  const stoppedAt = useRef<number>(undefined)
  const latestLoad = useRef(load)
  latestLoad.current = load

  const stop = useCallback(() => {
    running.current?.end.abort()
    clearTimeout(running.current?.renewal)
    running.current?.engine?.destroy()
    running.current = null
  }, [])

  const open = useCallback(
    async (startSeconds?: number) => {
      if (!video) return
      stop()
      const end = new AbortController()
      const run = { engine: undefined as Engine | undefined, end, renewal: setTimeout(() => {}, 0) }
      running.current = run
      setLevels([])
      setChosenLevel(automaticLevel)
      let refusals = 0

      const fail = (failure: StreamFailure | 'NOT_GIVEN') => {
        if (end.signal.aborted) return
        // Taking the stream away puts the element back to zero.
        stoppedAt.current = video.currentTime > 0 ? video.currentTime : startSeconds
        stop()
        setPhase({ name: 'failed', failure })
      }
      const renewBefore = (expiresAt: string | null) => {
        clearTimeout(run.renewal)
        if (expiresAt === null) return
        const wait = Math.max(soonest, Date.parse(expiresAt) - Date.now() - renewAhead)
        run.renewal = setTimeout(renew, Math.min(wait, 2 ** 31 - 1))
      }
      const renew = async () => {
        try {
          const fresh = await latestLoad.current()
          if (end.signal.aborted) return
          run.engine?.renew(fresh.manifestUrl)
          renewBefore(fresh.expiresAt)
        } catch {
          fail('NOT_GIVEN')
        }
      }

      setPhase({ name: 'opening' })
      try {
        const opened = await latestLoad.current()
        if (end.signal.aborted) return
        setStream(opened)
        run.engine = await openEngine(
          video,
          opened.manifestUrl,
          startSeconds ?? opened.startSeconds,
          {
            onLevels: setLevels,
            onLevel: (level) => {
              refusals = 0
              setPlayingLevel(level)
            },
            onRefused: () => (refusals++ < refusalsAllowed ? void renew() : fail('NOT_GIVEN')),
            onFailure: fail,
          },
          end.signal,
        )
        if (end.signal.aborted) return run.engine?.destroy()
        renewBefore(opened.expiresAt)
        setPhase((before) => (before.name === 'failed' ? before : { name: 'open' }))
        void video.play().catch(() => {})
      } catch {
        fail('NOT_GIVEN')
      }
    },
    [video, stop],
  )

  useEffect(() => stop, [stop])

  const chooseLevel = (index: number) => {
    running.current?.engine?.setLevel(index)
    setChosenLevel(index)
  }
  /** Goes on where it stood. */
  const retry = () => void open(stoppedAt.current)

  return { phase, stream, levels, playingLevel, chosenLevel, chooseLevel, open, retry }
}
