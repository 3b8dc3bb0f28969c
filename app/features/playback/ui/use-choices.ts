import { useEffect, useState } from 'react'
import { automaticLevel } from '../engine'
import {
  type CaptionStyle,
  type Choices,
  plainCaptions,
  readChoices,
  readPreferences,
  rememberChoices,
  rememberPreferences,
  type Speed,
} from '../preferences'
import type { useStream } from './use-stream'

type Source = Pick<
  ReturnType<typeof useStream>,
  'stream' | 'levels' | 'chooseLevel' | 'sounds' | 'chooseSound' | 'phase'
>

/** In which language the page is read, and in which the store makes its films where they do not say so themselves. */
interface Reader {
  language: string
  storeLanguage: string
}

/** Until somebody chooses: captions in the language of the page, unless the film is heard in it. */
const firstCaptions = ({ language, storeLanguage }: Reader, sounds: Source['sounds']) => {
  const heard = sounds.flatMap((sound) => sound.language || [])
  return (heard.length > 0 ? heard : [storeLanguage]).includes(language) ? null : language
}

/** What the person chose for this series, and chooses: captions and their looks, sound, quality, speed and loudness. */
export function useChoices(video: HTMLVideoElement | null, source: Source, series: string, reader: Reader) {
  const [chosen, setCaptions] = useState<string | null>()
  const [captionStyle, setCaptionStyle] = useState<CaptionStyle>(plainCaptions)
  const languages = source.stream?.captions.map(({ language }) => language) ?? []
  const captions = chosen === undefined ? firstCaptions(reader, source.sounds) : chosen
  const remember = (change: Partial<Choices>) => rememberChoices(series, change)

  useEffect(() => {
    if (!video) return
    const remembered = readPreferences()
    const { speed, captions } = readChoices(series)
    video.volume = remembered.volume
    video.muted = remembered.muted
    video.defaultPlaybackRate = speed
    video.playbackRate = speed
    setCaptions(captions)
    setCaptionStyle(remembered.captionStyle)
  }, [video, series])

  return {
    languages,
    captions: captions && languages.includes(captions) ? captions : null,
    chooseCaptions: (language: string | null) => {
      setCaptions(language)
      remember({ captions: language })
    },
    captionStyle,
    changeCaptionStyle: (change: Partial<CaptionStyle>) => {
      const style = { ...captionStyle, ...change }
      setCaptionStyle(style)
      rememberPreferences({ captionStyle: style })
    },
    setSpeed: (speed: Speed) => {
      if (!video) return
      video.defaultPlaybackRate = speed
      video.playbackRate = speed
      remember({ speed })
    },
    chooseQuality: (index: number) => {
      source.chooseLevel(index)
      const level = index === automaticLevel ? undefined : source.levels.find((one) => one.index === index)
      remember({ height: level?.height ?? null })
    },
    chooseSound: (index: number) => {
      source.chooseSound(index)
      remember({ sound: source.sounds.find((one) => one.index === index)?.language ?? null })
    },
    setVolume: (volume: number) => {
      if (!video) return
      video.volume = Math.max(0, Math.min(1, volume))
      video.muted = video.volume === 0
      rememberPreferences({ volume: video.volume, muted: video.muted })
    },
    toggleMute: () => {
      if (!video) return
      video.muted = !video.muted
      if (!video.muted && video.volume === 0) video.volume = 0.5
      rememberPreferences({ muted: video.muted, volume: video.volume })
    },
  }
}
