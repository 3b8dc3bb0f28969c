import { useLingui } from '@lingui/react/macro'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { readChoices, speeds, useChoices } from './preferences'
import { type PlayerAction, useKeys } from './shortcuts'
import type { RefusalAnswer } from './stream-errors'
import { useFullScreen, useRemote } from './use-display'
import { chapterAfter, chapterBefore, useMediaState } from './use-media'
import { type PlayerStream, useStream } from './use-stream'

/** Milliseconds that feedback of a key is shown. */
const feedbackLife = 900

/** The open panel. */
export type Sheet = 'keys' | 'caption style'

/**
 * State and actions of the player, for buttons, keys and media keys. Choices are saved for
 * `series`.
 */
export function usePlayer(
  root: RefObject<HTMLElement | null>,
  load: (answer?: RefusalAnswer) => Promise<PlayerStream>,
  series: string,
) {
  const { t, i18n } = useLingui()
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const { base } = useSiteSettings()
  const source = useStream(video, load, () => {
    const { height, sound } = readChoices(series)
    return { height, sound: sound ?? i18n.locale }
  })
  const choices = useChoices(video, source, series, { language: i18n.locale, storeLanguage: base.locale })
  const media = useMediaState(video)
  const fullScreen = useFullScreen(root, video)
  const remote = useRemote(video)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const { feedback, showFeedback } = useFeedback()
  const chapters = source.stream?.chapters ?? []

  const { play } = source
  // Reads the element: two key presses may come before a render.
  const toggle = () => (video && !video.paused ? video.pause() : play())
  const seek = (seconds: number) => {
    if (video)
      video.currentTime = Math.max(0, Math.min(seconds, Number.isFinite(video.duration) ? video.duration : seconds))
  }
  const seekBy = (seconds: number) => video && seek(video.currentTime + seconds)
  /** Returns whether there was a chapter to go to. */
  const stepChapter = (by: 1 | -1): boolean => {
    const at = video?.currentTime ?? 0
    const chapter = by === 1 ? chapterAfter(chapters, at) : chapterBefore(chapters, at)
    if (!chapter) return false
    seek(chapter.startSeconds)
    showFeedback(chapter.title)
    return true
  }
  const togglePictureInPicture = () => {
    if (document.pictureInPictureElement) void document.exitPictureInPicture().catch(() => {})
    else void video?.requestPictureInPicture().catch(() => {})
  }

  const perform = (action: PlayerAction) => {
    switch (action.do) {
      case 'toggle play':
        return toggle()
      case 'seek by':
        seekBy(action.seconds)
        return showFeedback(signedSeconds(action.seconds, i18n.locale))
      case 'seek to part':
        if (!video || !Number.isFinite(video.duration)) return
        seek(video.duration * action.fraction)
        return showFeedback(formatDuration(video.duration * action.fraction))
      case 'step chapter':
        return void stepChapter(action.by)
      case 'change volume':
        choices.setVolume((!video || video.muted ? 0 : video.volume) + action.by)
        return showFeedback(`${Math.round((video?.volume ?? 0) * 100)}%`)
      case 'toggle mute':
        choices.toggleMute()
        return showFeedback(video?.muted ? t`Muted` : t`Unmuted`)
      case 'toggle full screen':
        return fullScreen.toggle()
      case 'toggle captions': {
        if (choices.languages.length === 0) return showFeedback(t`This video has no captions`)
        // Prefers the page's language.
        const preferred = choices.languages.find((language) => language === i18n.locale) ?? choices.languages[0] ?? null
        choices.chooseCaptions(choices.captions ? null : preferred)
        return showFeedback(choices.captions ? t`Captions off` : t`Captions on`)
      }
      case 'change speed': {
        const at = speeds.findIndex((speed) => speed === (video?.playbackRate ?? 1))
        const speed = speeds[Math.max(0, Math.min(speeds.length - 1, at + action.steps))] ?? 1
        choices.setSpeed(speed)
        return showFeedback(`${speed}×`)
      }
      case 'toggle help':
        return setSheet((shown) => (shown === 'keys' ? null : 'keys'))
      default:
        return action satisfies never
    }
  }
  useKeys(root, perform)

  return {
    video,
    setVideo,
    ...source,
    ...choices,
    media,
    fullScreen,
    remote,
    sheet,
    setSheet,
    feedback,
    perform,
    play,
    toggle,
    seek,
    seekBy,
    stepChapter,
    togglePictureInPicture,
  }
}

export type PlayerControls = ReturnType<typeof usePlayer>

const signedSeconds = (seconds: number, locale: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'short', signDisplay: 'always' }).format(
    seconds,
  )

function useFeedback() {
  const [feedback, setFeedback] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const showFeedback = useCallback((text: string) => {
    clearTimeout(timer.current)
    setFeedback(text)
    timer.current = setTimeout(() => setFeedback(undefined), feedbackLife)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(() => ({ feedback, showFeedback }), [feedback, showFeedback])
}
