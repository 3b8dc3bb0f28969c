import { useCallback, useEffect, useRef, useState } from 'react'
import type { Chapter } from '#contract/playback.ts'
import {
  automaticLevel,
  type Engine,
  type EngineEvents,
  hasFailed,
  type QualityLevel,
  type SoundTrack,
  type StreamFailure,
  type StreamSource,
} from './engine'
import { preloadEngine } from './load-engine'
import { openEngine } from './open-engine'
import { lastingFailure, type RefusalAnswer, type StreamRefusal, StreamRefusedError } from './stream-errors'
import { createRenewal, type Renewal } from './stream-renewal'

export interface PreferredTracks {
  /** Pixels; null for automatic quality. */
  height: number | null
  /** A language; null for the stream's default. */
  sound: string | null
}

/**
 * The qualities and audio tracks of the open stream, and the choice between them. `preferred`
 * returns those to start with.
 */
function useTracks(currentEngine: () => Engine | undefined, preferred: () => PreferredTracks) {
  const [levels, setLevels] = useState<QualityLevel[]>([])
  const [playingLevel, setPlayingLevel] = useState(automaticLevel)
  const [chosenLevel, setChosenLevel] = useState(automaticLevel)
  const [sounds, setSounds] = useState<SoundTrack[]>([])
  const [playingSound, setPlayingSound] = useState(0)

  const eventsOf = (engine: () => Engine | undefined): Omit<EngineEvents, 'onRefused' | 'onFailure'> => ({
    onLevels: (available) => {
      setLevels(available)
      const preferredLevel = available.find(({ height }) => height === preferred().height)
      if (!preferredLevel) return
      engine()?.setLevel(preferredLevel.index)
      setChosenLevel(preferredLevel.index)
    },
    onSounds: (available) => {
      setSounds(available)
      const preferredSound = available.find(({ language }) => language === preferred().sound)
      if (preferredSound) engine()?.setSound(preferredSound.index)
    },
    onSound: setPlayingSound,
    onLevel: setPlayingLevel,
  })
  const reset = () => {
    setLevels([])
    setSounds([])
    setChosenLevel(automaticLevel)
  }

  const chooseLevel = (index: number) => {
    currentEngine()?.setLevel(index)
    setChosenLevel(index)
  }
  const chooseSound = (index: number) => currentEngine()?.setSound(index)
  const tracks = { levels, playingLevel, chosenLevel, chooseLevel, sounds, playingSound, chooseSound }
  return { tracks, eventsOf, reset }
}

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
  | { name: 'failed'; failure: StreamFailure }
  | { name: 'refused'; refusal: StreamRefusal }

interface Running {
  engine: Engine | undefined
  end: AbortController
  renewal: Renewal
}

/**
 * Opens a stream in `video`, renews its URL, and restarts at the same position after a failure.
 * `load` requests the stream, again for each renewal and with the viewer's answer to a refusal.
 * `preferred` returns the quality and audio track to start with.
 */
export function useStream(
  video: HTMLVideoElement | null,
  load: (answer?: RefusalAnswer) => Promise<PlayerStream>,
  preferred: () => PreferredTracks,
) {
  const [phase, setPhase] = useState<StreamPhase>({ name: 'idle' })
  const [stream, setStream] = useState<PlayerStream | null>(null)
  const running = useRef<Running>(null)
  const stoppedAt = useRef<number>(undefined)
  const { tracks, eventsOf, reset } = useTracks(
    () => running.current?.engine,
    () => latest.current.preferred(),
  )
  const latest = useRef({ load, preferred, eventsOf, reset })
  latest.current = { load, preferred, eventsOf, reset }

  const stop = useCallback(() => {
    running.current?.end.abort()
    running.current?.engine?.destroy()
    running.current = null
  }, [])

  const open = useCallback(
    async (startSeconds?: number, answer?: RefusalAnswer) => {
      if (!video) return
      stop()
      const end = new AbortController()
      const { signal } = end
      const endWith = (phase: StreamPhase) => {
        if (signal.aborted) return
        // Removing the stream resets the element to zero.
        stoppedAt.current = video.currentTime > 0 ? video.currentTime : startSeconds
        stop()
        setPhase(phase)
      }
      const fail = (failure: StreamFailure) => endWith({ name: 'failed', failure })
      const failOrRefuse = (error: unknown, failure: StreamFailure = lastingFailure(error)) =>
        error instanceof StreamRefusedError ? endWith({ name: 'refused', refusal: error.refusal }) : fail(failure)
      const renewal = createRenewal(
        video,
        {
          load: () => latest.current.load(),
          apply: (fresh) => {
            // Captions and thumbnails use the new URL too.
            setStream((before) => before && { ...fresh, startSeconds: before.startSeconds })
            return run.engine ? run.engine.renew(fresh) : fresh.expiresAt
          },
          onFailure: failOrRefuse,
        },
        signal,
      )
      const run: Running = { engine: undefined, end, renewal }
      running.current = run
      latest.current.reset()
      setPhase({ name: 'opening' })
      preloadEngine()
      try {
        const opened = await latest.current.load(answer)
        if (signal.aborted) return
        setStream(opened)
        run.engine = await openEngine(
          video,
          opened,
          startSeconds ?? opened.startSeconds,
          { ...latest.current.eventsOf(() => run.engine), onRefused: renewal.onRefused, onFailure: fail },
          signal,
        )
        if (signal.aborted) return run.engine?.destroy()
        renewal.schedule(opened.expiresAt)
        setPhase((before) => (before.name === 'failed' ? before : { name: 'open' }))
        if (opened.countsAsPlay) releaseWhilePaused(video, run)
        void video.play().catch(() => {})
      } catch (error) {
        failOrRefuse(error)
      }
    },
    [video, stop],
  )

  useEffect(() => stop, [stop])

  /** Restarts at the same position, with the viewer's answer. */
  const retry = (answer?: RefusalAnswer) => void open(stoppedAt.current, answer)
  /** Requests the stream again: another device may have taken its place. */
  const renew = useCallback(() => void running.current?.renewal.renew(), [])
  /** Reopens and plays a stream that failed while paused. */
  const reopen = async ({ renewal, end }: Running) => {
    await renewal.reopen()
    if (!end.signal.aborted) void video?.play().catch(() => {})
  }
  const play = () => {
    if (!running.current) return void open(phase.name === 'idle' ? undefined : stoppedAt.current)
    if (video && hasFailed(video)) void reopen(running.current)
    else void video?.play().catch(() => {})
  }

  return { phase, stream, open, play, retry, renew, ...tracks }
}

/** Releases a stream while it is paused. It is requested again when it resumes. */
function releaseWhilePaused(video: HTMLVideoElement, { engine, end: { signal }, renewal }: Running) {
  const release = () => {
    if (hasFailed(video)) return
    renewal.release()
    engine?.stopLoading()
  }
  video.addEventListener('pause', release, { signal })
  for (const event of ['play', 'seeking']) video.addEventListener(event, renewal.resume, { signal })
}
