import { editableText, type MarkedCue, markupOfEdited, parseCaptions, timestamp, webVtt } from '#contract/captions.ts'

/** A caption as the editor has it. `text` may contain `<i>`, `<b>` and `<u>`. */
export interface EditedCue {
  key: number
  startSeconds: number
  endSeconds: number
  text: string
  /** The position in WebVTT. It stays as it was. */
  settings: string
}

let lastKey = 0
export const newKey = (): number => ++lastKey

const editedCue = (cue: MarkedCue): EditedCue => {
  const { startSeconds, endSeconds, settings } = cue
  return { key: newKey(), startSeconds, endSeconds, text: editableText(cue), settings }
}

/**
 * Reads SRT or WebVTT to edit it.
 *
 * @throws CaptionsInvalid with the line of the first error
 */
export const readCues = (bytes: Uint8Array, language: string): EditedCue[] =>
  parseCaptions(bytes, language).map(editedCue)

/** Writes captions as WebVTT, in order of time. Captions without words are left out. */
export const writeCues = (cues: readonly EditedCue[]): string =>
  webVtt(
    byStart(cues)
      .filter(({ text }) => text.trim() !== '')
      .map(({ text, ...cue }) => ({ ...cue, markup: markupOfEdited(text) })),
  )

export const byStart = (cues: readonly EditedCue[]): EditedCue[] =>
  cues.toSorted((one, other) => one.startSeconds - other.startSeconds)

/** Formats seconds as people type them: `1:02.5`, `1:00:02`. */
export const timeText = (seconds: number): string => {
  const [clock = '', thousandths = ''] = timestamp(seconds).split('.')
  const fraction = thousandths.replace(/0+$/, '')
  return clock.replace(/^00:/, '').replace(/^0(?=\d)/, '') + (fraction && `.${fraction}`)
}

const timePattern = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/

/** Reads `1:00:02`, `1:02.5` or `62,5` as seconds. Null for anything else. */
export const readTime = (text: string): number | null => {
  const match = timePattern.exec(text.trim())
  if (!match) return null
  const [, hours, minutes, rest = ''] = match
  const seconds = Number(rest.replace(',', '.'))
  if (minutes !== undefined && seconds >= 60) return null
  if (hours !== undefined && Number(minutes) >= 60) return null
  return Math.round((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + seconds) * 1000) / 1000
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Moves all captions in time. None begins before zero; what would end before it is left out. */
export const shifted = (cues: readonly EditedCue[], seconds: number): EditedCue[] =>
  cues
    .map((cue) => ({
      ...cue,
      startSeconds: rounded(Math.max(0, cue.startSeconds + seconds)),
      endSeconds: rounded(cue.endSeconds + seconds),
    }))
    .filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds)

/** Seconds between chapters that are added where the video does not say a place. */
const usualChapter = 60

/**
 * Where a new chapter begins: where the video is, or else after the last chapter. It is never where
 * another one begins, nor at the end of the video.
 */
export const chapterStart = (starts: readonly number[], now: number, durationSeconds: number): number => {
  if (!starts.includes(now) && now < durationSeconds) return now
  const last = Math.max(0, ...starts)
  const usual = last + usualChapter
  return usual < durationSeconds ? usual : rounded((last + durationSeconds) / 2)
}

/** Divides a caption into two at its middle line, or else at the space nearest to its middle. */
export const divided = (cue: EditedCue): [EditedCue, EditedCue] => {
  const { text, startSeconds, endSeconds } = cue
  const middle = text.length / 2
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const spaces = [...text.matchAll(/\s/g)].map(({ index }) => index)
  const [place = Math.ceil(middle)] = (breaks.length > 0 ? breaks : spaces).toSorted(
    (one, other) => Math.abs(one - middle) - Math.abs(other - middle),
  )
  const share = text.length === 0 ? 0.5 : place / text.length
  const at = rounded(startSeconds + (endSeconds - startSeconds) * Math.min(0.9, Math.max(0.1, share)))
  return [
    { ...cue, endSeconds: at, text: text.slice(0, place).trim() },
    { ...cue, key: newKey(), startSeconds: at, text: text.slice(place).trim() },
  ]
}

/** Joins a caption with the one after it. */
export const joined = (cue: EditedCue, next: EditedCue): EditedCue => ({
  ...cue,
  endSeconds: Math.max(cue.endSeconds, next.endSeconds),
  text: [cue.text, next.text].filter(Boolean).join('\n'),
})

export type CueWarning = 'EMPTY' | 'INVALID_TIMES' | 'AFTER_END' | 'OVERLAP' | 'TOO_FAST'

/** Characters a second that few people can read. */
const fastestReading = 25

/** What viewers would notice about a caption, the gravest first. */
export const warningsOf = (
  { startSeconds, endSeconds, text }: EditedCue,
  next: EditedCue | undefined,
  durationSeconds: number,
): CueWarning[] => {
  if (endSeconds <= startSeconds) return ['INVALID_TIMES']
  if (startSeconds >= durationSeconds) return ['AFTER_END']
  if (text.trim() === '') return ['EMPTY']
  const letters = text.replace(/<[^<>]*>|\s/g, '').length
  return [
    ...(next && next.startSeconds < endSeconds ? (['OVERLAP'] as const) : []),
    ...(letters / (endSeconds - startSeconds) > fastestReading ? (['TOO_FAST'] as const) : []),
  ]
}

/** The caption that is shown at a time, or else the last one before it; -1 before the first. */
export const cueAt = (cues: readonly EditedCue[], seconds: number): number => {
  let [low, high] = [0, cues.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cues[middle]?.startSeconds ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}
