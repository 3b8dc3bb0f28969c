import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { automaticLevel } from './engine'
import type { useStream } from './use-stream'

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const
export type Speed = (typeof speeds)[number]

export const captionSizes = ['small', 'normal', 'large', 'largest'] as const
export const captionColours = ['white', 'yellow', 'green', 'cyan'] as const
export const captionGrounds = ['box', 'dark', 'shadow', 'none'] as const
export const captionPlaces = ['bottom', 'top'] as const

const captionStyle = z.object({
  size: z.catch(z.enum(captionSizes), 'normal'),
  colour: z.catch(z.enum(captionColours), 'white'),
  ground: z.catch(z.enum(captionGrounds), 'box'),
  place: z.catch(z.enum(captionPlaces), 'bottom'),
})
export type CaptionStyle = z.output<typeof captionStyle>
export const plainCaptions: CaptionStyle = { size: 'normal', colour: 'white', ground: 'box', place: 'bottom' }

/** Choices per series. `captions` is a language, null for none, absent before the first choice. */
const choices = z.object({
  speed: z.catch(z.literal(speeds), 1),
  captions: z.catch(z.optional(z.nullable(z.string().check(z.maxLength(20)))), undefined),
  /** A language; null for the stream's default. */
  sound: z.catch(z.nullable(z.string().check(z.maxLength(20))), null),
  /** Lines of the video; null for automatic. */
  height: z.catch(z.nullable(z.int()), null),
})
export type Choices = z.output<typeof choices>
const noChoices: Choices = { speed: 1, captions: undefined, sound: null, height: null }

/** The saved preferences. A series without its own choices starts with the latest ones. */
const preferences = z.object({
  volume: z.catch(z.number().check(z.gte(0), z.lte(1)), 1),
  muted: z.catch(z.boolean(), false),
  captionStyle: z.catch(captionStyle, plainCaptions),
  ...choices.shape,
  /** Latest first. */
  series: z.catch(z.array(z.tuple([z.string(), choices])), []),
})
type PlayerPreferences = z.output<typeof preferences>

const key = 'player'
const maxSeries = 60

/** Without storage the defaults apply. */
function read(): PlayerPreferences {
  try {
    const parsed = preferences.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}'))
    if (parsed.success) return parsed.data
  } catch {}
  return { volume: 1, muted: false, captionStyle: plainCaptions, ...noChoices, series: [] }
}

function write(change: Partial<PlayerPreferences>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(), ...change }))
  } catch {}
}

/** The preferences of all series: volume and caption style. */
const readPreferences = (): Pick<PlayerPreferences, 'volume' | 'muted' | 'captionStyle'> => read()

const rememberPreferences = (change: Partial<Pick<PlayerPreferences, 'volume' | 'muted' | 'captionStyle'>>) =>
  write(change)

/** The choices of a series, or the latest of another one. */
export function readChoices(series: string): Choices {
  const saved = read()
  const ofSeries = saved.series.find(([id]) => id === series)?.[1]
  const { speed, captions, sound, height } = ofSeries ?? saved
  return { speed, captions, sound, height }
}

function rememberChoices(series: string, change: Partial<Choices>): void {
  const choices: Choices = { ...readChoices(series), ...change }
  const others = read().series.filter(([id]) => id !== series)
  const latest: [string, Choices] = [series, choices]
  write({ ...change, series: [latest, ...others].slice(0, maxSeries) })
}

type Source = Pick<
  ReturnType<typeof useStream>,
  'stream' | 'levels' | 'chooseLevel' | 'sounds' | 'chooseSound' | 'phase'
>

/** The page's language, and the store's, which is that of videos without a language. */
interface Reader {
  language: string
  storeLanguage: string
}

/** The default captions: the page's language, unless the audio is in it. */
const firstCaptions = ({ language, storeLanguage }: Reader, sounds: Source['sounds']) => {
  const soundLanguages = sounds.flatMap((sound) => sound.language || [])
  return (soundLanguages.length > 0 ? soundLanguages : [storeLanguage]).includes(language) ? null : language
}

/** The viewer's choices for this series, and the setters that save them. */
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
      const level = index === automaticLevel ? undefined : source.levels.find((level) => level.index === index)
      remember({ height: level?.height ?? null })
    },
    chooseSound: (index: number) => {
      source.chooseSound(index)
      remember({ sound: source.sounds.find((sound) => sound.index === index)?.language ?? null })
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
