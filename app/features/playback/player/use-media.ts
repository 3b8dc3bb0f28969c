import { useEffect, useState } from 'react'
import type { Chapter } from '#contract/playback.ts'

export type MediaState = {
  paused: boolean
  ended: boolean
  /** Playing, but without data. */
  waiting: boolean
  /** Has shown its first frame. */
  started: boolean
  volume: number
  muted: boolean
  speed: number
  pictureInPicture: boolean
}

const initialState: MediaState = {
  paused: true,
  ended: false,
  waiting: false,
  started: false,
  volume: 1,
  muted: false,
  speed: 1,
  pictureInPicture: false,
}

const events = [
  'play',
  'pause',
  'playing',
  'waiting',
  'ended',
  'seeking',
  'seeked',
  'canplay',
  'loadeddata',
  'volumechange',
  'ratechange',
  'emptied',
  'enterpictureinpicture',
  'leavepictureinpicture',
]

/** The state of a video element without its time, which changes too often. */
export function useMediaState(video: HTMLVideoElement | null): MediaState {
  const [state, setState] = useState(initialState)
  useEffect(() => {
    if (!video) return
    const read = () =>
      setState((before) => {
        const now: MediaState = {
          paused: video.paused,
          ended: video.ended,
          waiting: !video.paused && !video.ended && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
          started: video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA || before.started,
          volume: video.volume,
          muted: video.muted,
          speed: video.playbackRate,
          pictureInPicture: document.pictureInPictureElement === video,
        }
        const shown: Record<string, unknown> = before
        const same = Object.entries(now).every(([key, value]) => shown[key] === value)
        return same ? before : now
      })
    read()
    for (const event of events) video.addEventListener(event, read)
    return () => {
      for (const event of events) video.removeEventListener(event, read)
    }
  }, [video])
  return state
}

export interface MediaTime {
  seconds: number
  duration: number
  buffered: readonly { from: number; to: number }[]
}

const timeEvents = ['timeupdate', 'seeking', 'seeked', 'progress', 'durationchange', 'loadedmetadata', 'emptied']

/**
 * Position, duration and buffered ranges of a video element. `expectedDuration` is used until the
 * stream's is known.
 */
export function useMediaTime(video: HTMLVideoElement | null, expectedDuration: number): MediaTime {
  const [time, setTime] = useState<MediaTime>({ seconds: 0, duration: Number.NaN, buffered: [] })
  useEffect(() => {
    if (!video) return
    const read = () => {
      const buffered = Array.from({ length: video.buffered.length }, (_, index) => ({
        from: video.buffered.start(index),
        to: video.buffered.end(index),
      }))
      setTime({ seconds: video.currentTime, duration: video.duration, buffered })
    }
    read()
    for (const event of timeEvents) video.addEventListener(event, read)
    return () => {
      for (const event of timeEvents) video.removeEventListener(event, read)
    }
  }, [video])
  const duration = Number.isFinite(time.duration) ? time.duration : expectedDuration
  return { ...time, duration, seconds: Math.min(time.seconds, duration || time.seconds) }
}

/** Seconds after a chapter's start in which "previous" goes to the chapter before. */
const justBegun = 3

/** The chapter at a position; undefined before the first. */
export const chapterAt = (chapters: readonly Chapter[], seconds: number): Chapter | undefined =>
  chapters.findLast(({ startSeconds }) => startSeconds <= seconds)

export const chapterAfter = (chapters: readonly Chapter[], seconds: number): Chapter | undefined =>
  chapters.find(({ startSeconds }) => startSeconds > seconds)

/** The current chapter, or the one before it just after its start. */
export const chapterBefore = (chapters: readonly Chapter[], seconds: number): Chapter | undefined =>
  chapterAt(chapters, Math.max(0, seconds - justBegun)) ?? chapters[0]
