import { useLingui } from '@lingui/react/macro'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { formatDuration } from '~/platform/format/dates'
import { readPreferences, rememberPreferences, speeds } from '../preferences'
import { actionOf, type PlayerAction } from '../shortcuts'
import { useFullScreen } from './use-full-screen'
import { useMediaState } from './use-media'
import { type PlayerStream, useStream } from './use-stream'

/** How long what a key did is shown over the picture. */
const feedbackLife = 900

/** Everything one can do with the player, by hand, by key and by the system's media keys alike. */
export function usePlayer(root: RefObject<HTMLElement | null>, load: () => Promise<PlayerStream>) {
  const { t, i18n } = useLingui()
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const source = useStream(video, load)
  const media = useMediaState(video)
  const fullScreen = useFullScreen(root, video)
  const [captions, setCaptions] = useState<string | null>(null)
  const [helpShown, setHelpShown] = useState(false)
  const { feedback, tell } = useFeedback()
  const languages = source.stream?.captions.map(({ language }) => language) ?? []

  useEffect(() => {
    if (!video) return
    const remembered = readPreferences()
    video.volume = remembered.volume
    video.muted = remembered.muted
    video.defaultPlaybackRate = remembered.speed
    video.playbackRate = remembered.speed
    setCaptions(remembered.captions)
  }, [video])

  const { open, phase } = source
  const play = () => {
    if (phase.name === 'idle') void open()
    else void video?.play().catch(() => {})
  }
  const toggle = () => (media.paused ? play() : video?.pause())
  const seek = (seconds: number) => {
    if (video)
      video.currentTime = Math.max(0, Math.min(seconds, Number.isFinite(video.duration) ? video.duration : seconds))
  }
  const seekBy = (seconds: number) => video && seek(video.currentTime + seconds)
  const setVolume = (volume: number) => {
    if (!video) return
    video.volume = Math.max(0, Math.min(1, volume))
    video.muted = video.volume === 0
    rememberPreferences({ volume: video.volume, muted: video.muted })
  }
  const toggleMute = () => {
    if (!video) return
    video.muted = !video.muted
    if (!video.muted && video.volume === 0) video.volume = 0.5
    rememberPreferences({ muted: video.muted, volume: video.volume })
  }
  const setSpeed = (speed: (typeof speeds)[number]) => {
    if (!video) return
    video.playbackRate = speed
    rememberPreferences({ speed })
  }
  const chooseCaptions = (language: string | null) => {
    setCaptions(language)
    rememberPreferences({ captions: language })
  }
  const togglePictureInPicture = () => {
    if (document.pictureInPictureElement) void document.exitPictureInPicture().catch(() => {})
    else void video?.requestPictureInPicture().catch(() => {})
  }

  const act = (action: PlayerAction) => {
    switch (action.do) {
      case 'toggle play':
        return toggle()
      case 'seek by':
        seekBy(action.seconds)
        return tell(signedSeconds(action.seconds, i18n.locale))
      case 'seek to part':
        if (!video || !Number.isFinite(video.duration)) return
        seek(video.duration * action.part)
        return tell(formatDuration(video.duration * action.part))
      case 'change volume':
        setVolume((media.muted ? 0 : media.volume) + action.by)
        return tell(`${Math.round((video?.volume ?? 0) * 100)}%`)
      case 'toggle mute':
        toggleMute()
        return tell(video?.muted ? t`Sound off` : t`Sound on`)
      case 'toggle full screen':
        return fullScreen.toggle()
      case 'toggle captions': {
        // The page's own language first: who reads this page reads those captions.
        const preferred = languages.find((language) => language === i18n.locale) ?? languages[0] ?? null
        const next = captions && languages.includes(captions) ? null : preferred
        chooseCaptions(next)
        return tell(next ? t`Captions on` : t`Captions off`)
      }
      case 'change speed': {
        const at = speeds.findIndex((speed) => speed === media.speed)
        const speed = speeds[Math.max(0, Math.min(speeds.length - 1, at + action.steps))] ?? 1
        setSpeed(speed)
        return tell(`${speed}×`)
      }
      case 'toggle help':
        return setHelpShown((shown) => !shown)
      default:
        return action satisfies never
    }
  }

  const latestAct = useRef(act)
  latestAct.current = act
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const dialog = document.querySelector('[aria-modal=true]')
      // A dialog above the player has the keys.
      if (!root.current || (dialog && !dialog.contains(root.current))) return
      const action = actionOf(event)
      if (!action || (scrolls(event) && !root.current.contains(event.target as Node))) return
      event.preventDefault()
      event.stopPropagation()
      latestAct.current(action)
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [root])

  return {
    video,
    setVideo,
    ...source,
    media,
    fullScreen,
    captions: captions && languages.includes(captions) ? captions : null,
    chooseCaptions,
    helpShown,
    hideHelp: () => setHelpShown(false),
    feedback,
    play,
    toggle,
    seek,
    seekBy,
    setVolume,
    toggleMute,
    setSpeed,
    togglePictureInPicture,
  }
}

export type PlayerControls = ReturnType<typeof usePlayer>

/** Up and down move the page, unless the player itself holds the focus. */
const scrolls = ({ key }: KeyboardEvent) => key === 'ArrowUp' || key === 'ArrowDown'

const signedSeconds = (seconds: number, locale: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'short', signDisplay: 'always' }).format(
    seconds,
  )

function useFeedback() {
  const [feedback, setFeedback] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useCallback((text: string) => {
    clearTimeout(timer.current)
    setFeedback(text)
    timer.current = setTimeout(() => setFeedback(undefined), feedbackLife)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(() => ({ feedback, tell }), [feedback, tell])
}
