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
