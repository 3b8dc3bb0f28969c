/** A caption in both languages; times in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly en: string
  readonly ko: string
}

export const CAPTION_LANGUAGES = [
  { language: 'en', label: 'English' },
  { language: 'ko', label: '한국어' },
] as const

type CaptionLanguage = (typeof CAPTION_LANGUAGES)[number]['language']

/** The cues as a WebVTT file, as far as they begin before `seconds`. */
export function webVtt(cues: readonly Cue[], language: CaptionLanguage, seconds: number): string {
  const blocks = cues
    .filter((cue) => cue.start < seconds)
    .map((cue) => `${timestamp(cue.start)} --> ${timestamp(Math.min(cue.end, seconds))}\n${cue[language]}\n`)
  return ['WEBVTT\n', ...blocks].join('\n')
}

function timestamp(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${String(minutes).padStart(2, '0')}:${(seconds - minutes * 60).toFixed(3).padStart(6, '0')}`
}
