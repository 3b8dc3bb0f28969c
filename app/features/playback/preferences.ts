import * as z from 'zod/mini'

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

/** What may differ from one series to the next. `captions` is a language, or null for none; absent while nobody has chosen. */
const choices = z.object({
  speed: z.catch(z.literal(speeds), 1),
  captions: z.catch(z.optional(z.nullable(z.string().check(z.maxLength(20)))), undefined),
  /** A language; null for the one the stream begins with. */
  sound: z.catch(z.nullable(z.string().check(z.maxLength(20))), null),
  /** Lines of the picture; null for automatic. */
  height: z.catch(z.nullable(z.int()), null),
})
export type Choices = z.output<typeof choices>
const noChoices: Choices = { speed: 1, captions: undefined, sound: null, height: null }

/** What a person set once and expects to find again. What was chosen last is where a series without a choice begins. */
const preferences = z.object({
  volume: z.catch(z.number().check(z.gte(0), z.lte(1)), 1),
  muted: z.catch(z.boolean(), false),
  captionStyle: z.catch(captionStyle, plainCaptions),
  ...choices.shape,
  /** The latest first. */
  series: z.catch(z.array(z.tuple([z.string(), choices])), []),
})
type PlayerPreferences = z.output<typeof preferences>

const key = 'player'
const mostSeries = 60

/** Where storage is forbidden nothing is remembered, and nothing breaks. */
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

/** What holds in every series: how loud, and how captions look. */
export const readPreferences = (): Pick<PlayerPreferences, 'volume' | 'muted' | 'captionStyle'> => read()

export const rememberPreferences = (change: Partial<Pick<PlayerPreferences, 'volume' | 'muted' | 'captionStyle'>>) =>
  write(change)

/** What was chosen for a series, or last for another one. */
export function readChoices(series: string): Choices {
  const stored = read()
  const own = stored.series.find(([id]) => id === series)?.[1]
  const { speed, captions, sound, height } = own ?? stored
  return { speed, captions, sound, height }
}

export function rememberChoices(series: string, change: Partial<Choices>): void {
  const own: Choices = { ...readChoices(series), ...change }
  const others = read().series.filter(([id]) => id !== series)
  write({ ...change, series: [[series, own] as [string, Choices], ...others].slice(0, mostSeries) })
}
