import type { CaptionCues } from '#api/modules/catalog/captions.ts'
import type { Random } from '../film/scenes/random.ts'

/** An hour of captions, one every three and a half seconds: about what a lecture has. */
const cuesOfHour = 1_000
const secondsOfCue = 3.6

const latin = [
  'ba',
  'con',
  'der',
  'el',
  'fin',
  'gra',
  'hol',
  'in',
  'jo',
  'ka',
  'lum',
  'mer',
  'no',
  'pre',
  'ri',
  'sta',
  'ter',
]
/** As many as everyday Korean has. */
const hangul = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0xac00 + ((index * 3_571) % 11_172)))
const syllables = { en: latin, ko: hangul } as const

/** Some twenty thousand words with the frequencies of natural language: few words are common. */
const maxSearchWords = 20_000
const seldom = 3

function word(random: Random, language: 'en' | 'ko'): string {
  let rank = Math.floor(random() ** seldom * maxSearchWords)
  const parts = syllables[language]
  // Two syllables at least: a number in two digits of an unusual order.
  let made = parts[(rank * 7) % parts.length]!
  do {
    made += parts[rank % parts.length]
    rank = Math.floor(rank / parts.length)
  } while (rank > 0)
  return made
}

/** The captions of an hour of an invented lecture. */
export function inventSpeech(random: Random, language: 'en' | 'ko'): CaptionCues {
  const words = language === 'en' ? 9 : 6
  return {
    language,
    cues: Array.from({ length: cuesOfHour }, (_, index) => ({
      startSeconds: index * secondsOfCue,
      endSeconds: (index + 1) * secondsOfCue - 0.1,
      text: Array.from({ length: words }, () => word(random, language)).join(' '),
    })),
  }
}
