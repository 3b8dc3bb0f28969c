import { useCallback, useEffect, useRef, useState } from 'react'
import type { Chapter } from '#contract/playback.ts'
import {
  automaticLevel,
  type Engine,
  hasFailed,
  type QualityLevel,
  type SoundTrack,
  type StreamFailure,
  type StreamSource,
} from './engine'
import { preloadEngine } from './load-engine'
import { openEngine } from './open-engine'
import {
  type RefusalAnswer,
  renewalFailure,
  retryUntilAnswered,
  type StreamRefusal,
  StreamRefusedError,
} from './stream-errors'

export interface CaptionTrack {
  language: string
  label: string
  url: string
}

/** A stream with everything the player needs. */
export interface PlayerStream extends StreamSource {
  startSeconds: number
  durationSeconds: number
  captions: readonly CaptionTrack[]
  chapters: readonly Chapter[]
  /** The storyboard's WebVTT file, null without one. */
  storyboardUrl: string | null
  /** Counts against the stream limit, so it is released while paused. */
  countsAsPlay?: boolean
  /** The viewer's identification, shown over the video. */
  watermark?: string | null
}

export type StreamPhase =
  | { name: 'idle' }
  | { name: 'opening' }
  | { name: 'open' }
  | { name: 'failed'; failure: StreamFailure | 'UNAVAILABLE' }
  | { name: 'refused'; refusal: StreamRefusal }

interface Running {
  engine: Engine | undefined
  end: AbortController
  renewal: ReturnType<typeof setTimeout>
  /** Renews the URL now. */
  renew: () => Promise<void>
  /** Reopens and plays a stream that failed while paused. */
  reopen: () => Promise<void>
}

/** Milliseconds before expiry at which the URL is renewed. */
const renewBeforeExpiry = 45_000
const minRenewalDelay = 5_000
/** Refusals without progress after which renewing is useless. */
const refusalsAllowed = 3

/**
 * Opens a stream in `video`, renews its URL, and restarts at the same position after a failure.
 * `load` requests the stream, again for each renewal and with the viewer's answer to a refusal.
 * `preferred` returns the quality and audio track to start with.
 */
export function useStream(
  video: HTMLVideoElement | null,
  load: (answer?: RefusalAnswer) => Promise<PlayerStream>,
  preferred: () => { height: number | null; sound: string | null },
) {
  const [phase, setPhase] = useState<StreamPhase>({ name: 'idle' })
  const [stream, setStream] = useState<PlayerStream | null>(null)
  const [levels, setLevels] = useState<QualityLevel[]>([])
  const [playingLevel, setPlayingLevel] = useState(automaticLevel)
  const [chosenLevel, setChosenLevel] = useState(automaticLevel)
  const [sounds, setSounds] = useState<SoundTrack[]>([])
  const [playingSound, setPlayingSound] = useState(0)
  const running = useRef<Running>(null)
  const stoppedAt = useRef<number>(undefined)
  const latest = useRef({ load, preferred })
  latest.current = { load, preferred }

  const stop = useCallback(() => {
    running.current?.end.abort()
    clearTimeout(running.current?.renewal)
    running.current?.engine?.destroy()
    running.current = null
  }, [])

  const open = useCallback(
    async (startSeconds?: number, answer?: RefusalAnswer) => {
      if (!video) return
      stop()
      const end = new AbortController()
      const run: Running = {
        engine: undefined,
        end,
        renewal: setTimeout(() => {}, 0),
        renew: () => renew(),
        reopen: () => reopen(),
      }
      running.current = run
      setLevels([])
      setSounds([])
      setChosenLevel(automaticLevel)
      let refusals = 0
      /** The end of the buffer at the last refusal, in seconds. */
      let refusedAt = 0
      let released = false
      let renewal: AbortController | undefined

      const endWith = (phase: StreamPhase) => {
        if (end.signal.aborted) return
        // Removing the stream resets the element to zero.
        stoppedAt.current = video.currentTime > 0 ? video.currentTime : startSeconds
        stop()
        setPhase(phase)
      }
      const fail = (failure: StreamFailure | 'UNAVAILABLE') => endWith({ name: 'failed', failure })
      const failOrRefuse = (error: unknown, failure: StreamFailure | 'UNAVAILABLE' = 'UNAVAILABLE') =>
        error instanceof StreamRefusedError ? endWith({ name: 'refused', refusal: error.refusal }) : fail(failure)
      const renewBefore = (expiresAt: string | null) => {
        clearTimeout(run.renewal)
        if (expiresAt === null) return
        const wait = Math.max(minRenewalDelay, Date.parse(expiresAt) - Date.now() - renewBeforeExpiry)
        // A released stream is renewed when it resumes.
        run.renewal = setTimeout(() => !released && void renew(), Math.min(wait, 2 ** 31 - 1))
      }
      const renew = async () => {
        if (renewal) return
        const own = new AbortController()
        renewal = own
        const signal = AbortSignal.any([own.signal, end.signal])
        try {
          const fresh = await retryUntilAnswered(() => latest.current.load(), signal)
          if (signal.aborted) return
          const endsAt = run.engine ? run.engine.renew(fresh) : fresh.expiresAt
          // Captions and thumbnails use the new URL too.
          setStream((before) => before && { ...fresh, startSeconds: before.startSeconds })
          renewBefore(endsAt)
        } catch (error) {
          if (!signal.aborted) failOrRefuse(error, renewalFailure(error))
        } finally {
          if (renewal === own) renewal = undefined
        }
      }
      /** Releases the stream while paused; it is requested again on resume. */
      const release = () => {
        if (hasFailed(video)) return
        released = true
        renewal?.abort()
        renewal = undefined
        run.engine?.stopLoading()
      }
      const resume = () => {
        if (!released) return
        released = false
        void renew()
      }
      const reopen = async () => {
        released = false
        await renew()
        if (!end.signal.aborted) void video.play().catch(() => {})
      }
      const onRefused = () => {
        // A released stream is refused as expected, and a running renewal knows already.
        if (released || renewal) return
        refusedAt = bufferedTo(video)
        if (refusals++ < refusalsAllowed) void renew()
        else fail('UNAVAILABLE')
      }
      const onTime = () => {
        if (!video.seeking && video.currentTime > refusedAt) refusals = 0
      }

      setPhase({ name: 'opening' })
      preloadEngine()
      try {
        const opened = await latest.current.load(answer)
        if (end.signal.aborted) return
        setStream(opened)
        run.engine = await openEngine(
          video,
          opened,
          startSeconds ?? opened.startSeconds,
          {
            onLevels: (found) => {
              setLevels(found)
              const wanted = found.find(({ height }) => height === latest.current.preferred().height)
              if (!wanted) return
              run.engine?.setLevel(wanted.index)
              setChosenLevel(wanted.index)
            },
            onSounds: (found) => {
              setSounds(found)
              const wanted = found.find(({ language }) => language === latest.current.preferred().sound)
              if (wanted) run.engine?.setSound(wanted.index)
            },
            onSound: setPlayingSound,
            onLevel: setPlayingLevel,
            onRefused,
            onFailure: fail,
          },
          end.signal,
        )
        if (end.signal.aborted) return run.engine?.destroy()
        renewBefore(opened.expiresAt)
        setPhase((before) => (before.name === 'failed' ? before : { name: 'open' }))
        const { signal } = end
        video.addEventListener('timeupdate', onTime, { signal })
        if (opened.countsAsPlay) {
          video.addEventListener('pause', release, { signal })
          for (const event of ['play', 'seeking']) video.addEventListener(event, resume, { signal })
        }
        void video.play().catch(() => {})
      } catch (error) {
        failOrRefuse(error)
      }
    },
    [video, stop],
  )

  useEffect(() => stop, [stop])

  const chooseLevel = (index: number) => {
    running.current?.engine?.setLevel(index)
    setChosenLevel(index)
  }
  const chooseSound = (index: number) => running.current?.engine?.setSound(index)
  /** Restarts at the same position, with the viewer's answer. */
  const retry = (answer?: RefusalAnswer) => void open(stoppedAt.current, answer)
  /** Requests the stream again: another device may have taken its place. */
  const renew = useCallback(() => void running.current?.renew(), [])
  const play = () => {
    if (!running.current) return void open(phase.name === 'idle' ? undefined : stoppedAt.current)
    if (video && hasFailed(video)) void running.current.reopen()
    else void video?.play().catch(() => {})
  }

  return {
    phase,
    stream,
    open,
    play,
    retry,
    renew,
    levels,
    playingLevel,
    chosenLevel,
    chooseLevel,
    sounds,
    playingSound,
    chooseSound,
  }
}

/** The end of the buffered range at the current position, in seconds. */
function bufferedTo({ buffered, currentTime }: HTMLVideoElement): number {
  for (let i = 0; i < buffered.length; i++) {
    if (buffered.start(i) <= currentTime && currentTime <= buffered.end(i)) return buffered.end(i)
  }
  return currentTime
}
