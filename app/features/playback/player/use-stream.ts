import { useCallback, useEffect, useRef, useState } from 'react'
import {
  automaticLevel,
  type Engine,
  hasFailed,
  openEngine,
  type QualityLevel,
  type SoundTrack,
  type StreamFailure,
  type StreamSource,
} from './engine'
import { preloadEngine } from './load-engine'
import type { Choices } from './preferences'
import {
  type RefusalAnswer,
  renewalFailure,
  retryUntilAnswered,
  type StreamRefusal,
  StreamRefusedError,
} from './stream-errors'
import type { Chapter } from './use-media'

export interface CaptionTrack {
  language: string
  label: string
  url: string
}

/** A stream as the player needs it. */
export interface PlayerStream extends StreamSource {
  startSeconds: number
  durationSeconds: number
  captions: readonly CaptionTrack[]
  chapters: readonly Chapter[]
  /** A WebVTT of thumbnails; null without one. */
  storyboardUrl: string | null
  /** One of the few that may play at the same time: it is given back while it does not. */
  held?: boolean
  /** Whose stream it is, to be seen in the picture. */
  watermark?: string | null
}

export type StreamPhase =
  | { name: 'idle' }
  | { name: 'opening' }
  | { name: 'open' }
  | { name: 'failed'; failure: StreamFailure | 'NOT_GIVEN' }
  | { name: 'refused'; refusal: StreamRefusal }

interface Running {
  engine: Engine | undefined
  end: AbortController
  renewal: ReturnType<typeof setTimeout>
  /** Asks for a fresh address now. */
  renew: () => Promise<void>
  /** Plays what was given up while it was paused: the element itself would refuse. */
  revive: () => Promise<void>
}

/** A fresh address is fetched this long before the old one ends. */
const renewAhead = 45_000
const soonest = 5_000
/** After so many refusals without a new picture in between, another fresh address will not help. */
const refusalsAllowed = 3

/**
 * Opens a stream in `video` when asked to, keeps its address fresh, and starts again where it stood after a failure.
 * `load` asks for the stream; it is called again whenever a fresh address is needed, or with what a person answered a refusal. `wishes` are the quality and the sound it
 * begins with, where it has them.
 */
export function useStream(
  video: HTMLVideoElement | null,
  load: (answer?: RefusalAnswer) => Promise<PlayerStream>,
  wishes: () => Pick<Choices, 'height' | 'sound'>,
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
  const latest = useRef({ load, wishes })
  latest.current = { load, wishes }

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
        ...{ engine: undefined, end, renewal: setTimeout(() => {}, 0) },
        ...{ renew: () => renew(), revive: () => revive() },
      }
      running.current = run
      setLevels([])
      setSounds([])
      setChosenLevel(automaticLevel)
      let refusals = 0
      /** The moment up to which there was something to play when it was refused. */
      let refusedAt = 0
      let resting = false
      let renewal: AbortController | undefined

      const leave = (phase: StreamPhase) => {
        if (end.signal.aborted) return
        // Taking the stream away puts the element back to zero.
        stoppedAt.current = video.currentTime > 0 ? video.currentTime : startSeconds
        stop()
        setPhase(phase)
      }
      const fail = (failure: StreamFailure | 'NOT_GIVEN') => leave({ name: 'failed', failure })
      const notGiven = (error: unknown, failure: StreamFailure | 'NOT_GIVEN' = 'NOT_GIVEN') =>
        error instanceof StreamRefusedError ? leave({ name: 'refused', refusal: error.refusal }) : fail(failure)
      const renewBefore = (expiresAt: string | null) => {
        clearTimeout(run.renewal)
        if (expiresAt === null) return
        const wait = Math.max(soonest, Date.parse(expiresAt) - Date.now() - renewAhead)
        // What rests is asked for when it is taken up again.
        run.renewal = setTimeout(() => !resting && void renew(), Math.min(wait, 2 ** 31 - 1))
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
          // Captions and thumbnails that were not asked for yet lie below the fresh address too.
          setStream((before) => before && { ...fresh, startSeconds: before.startSeconds })
          renewBefore(endsAt)
        } catch (error) {
          if (!signal.aborted) notGiven(error, renewalFailure(error))
        } finally {
          if (renewal === own) renewal = undefined
        }
      }
      /** What is paused makes room for another stream, and asks for its place again when it goes on. */
      const rest = () => {
        if (hasFailed(video)) return
        resting = true
        renewal?.abort()
        renewal = undefined
        run.engine?.rest()
      }
      const goOn = () => {
        if (!resting) return
        resting = false
        void renew()
      }
      const revive = async () => {
        resting = false
        await renew()
        if (!end.signal.aborted) void video.play().catch(() => {})
      }
      const onRefused = () => {
        // What rests gave its place back, and is refused by right; what is being renewed knows already.
        if (resting || renewal) return
        refusedAt = bufferedTo(video)
        if (refusals++ < refusalsAllowed) void renew()
        else fail('NOT_GIVEN')
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
              const wanted = found.find(({ height }) => height === latest.current.wishes().height)
              if (!wanted) return
              run.engine?.setLevel(wanted.index)
              setChosenLevel(wanted.index)
            },
            onSounds: (found) => {
              setSounds(found)
              const wanted = found.find(({ language }) => language === latest.current.wishes().sound)
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
        if (opened.held) {
          video.addEventListener('pause', rest, { signal })
          for (const event of ['play', 'seeking']) video.addEventListener(event, goOn, { signal })
        }
        void video.play().catch(() => {})
      } catch (error) {
        notGiven(error)
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
  /** Goes on where it stood, with what the person answered. */
  const retry = (answer?: RefusalAnswer) => void open(stoppedAt.current, answer)
  /** Asks again for what plays: its place may have gone to another device. */
  const renew = useCallback(() => void running.current?.renew(), [])
  const play = () => {
    if (!running.current) return void open(phase.name === 'idle' ? undefined : stoppedAt.current)
    if (video && hasFailed(video)) void running.current.revive()
    else void video?.play().catch(() => {})
  }

  return {
    ...{ phase, stream, open, play, retry, renew },
    ...{ levels, playingLevel, chosenLevel, chooseLevel },
    ...{ sounds, playingSound, chooseSound },
  }
}

/** How far it can play without another byte. */
function bufferedTo({ buffered, currentTime }: HTMLVideoElement): number {
  for (let i = 0; i < buffered.length; i++) {
    if (buffered.start(i) <= currentTime && currentTime <= buffered.end(i)) return buffered.end(i)
  }
  return currentTime
}
