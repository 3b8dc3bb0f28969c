import { HANGUL } from './fonts.ts'

export const COLORS = {
  word: '#c792ea',
  name: '#82aaff',
  number: '#f78c6c',
  plain: '#d6deeb',
  sign: '#89ddff',
  note: '#637777',
} as const

type Token = readonly [text: string, kind: keyof typeof COLORS]

export interface Line {
  /** When its first letter is typed. */
  readonly at: number
  readonly tokens: readonly Token[]
}

export const SCORES = [82, 91, 77, 95, 88]
export const AVERAGE = SCORES.reduce((total, score) => total + score, 0) / SCORES.length
const LETTERS_PER_SECOND = 17

export const PROGRAM: readonly Line[] = [
  { at: 1.2, tokens: [[HANGUL ? '// 점수의 평균 구하기' : '// the average of all scores', 'note']] },
  {
    at: 3.2,
    tokens: [
      ['const', 'word'],
      [' scores ', 'plain'],
      ['= [', 'sign'],
      ...SCORES.flatMap((score, index): Token[] => [
        [`${score}`, 'number'],
        [index < SCORES.length - 1 ? ', ' : ']', 'sign'],
      ]),
    ],
  },
  { at: 6, tokens: [] },
  {
    at: 6.2,
    tokens: [
      ['function', 'word'],
      [' average', 'name'],
      ['(', 'sign'],
      ['list', 'plain'],
      [') {', 'sign'],
    ],
  },
  {
    at: 8.2,
    tokens: [
      ['  let', 'word'],
      [' sum ', 'plain'],
      ['= ', 'sign'],
      ['0', 'number'],
    ],
  },
  {
    at: 9.4,
    tokens: [
      ['  for', 'word'],
      [' (', 'sign'],
      ['const', 'word'],
      [' score ', 'plain'],
      ['of', 'word'],
      [' list', 'plain'],
      [') {', 'sign'],
    ],
  },
  {
    at: 11.4,
    tokens: [
      ['    sum ', 'plain'],
      ['+= ', 'sign'],
      ['score', 'plain'],
    ],
  },
  { at: 12.6, tokens: [['  }', 'sign']] },
  {
    at: 13.3,
    tokens: [
      ['  return', 'word'],
      [' sum ', 'plain'],
      ['/ ', 'sign'],
      ['list', 'plain'],
      ['.', 'sign'],
      ['length', 'name'],
    ],
  },
  { at: 15.2, tokens: [['}', 'sign']] },
  { at: 15.8, tokens: [] },
  {
    at: 16.2,
    tokens: [
      ['console', 'plain'],
      ['.', 'sign'],
      ['log', 'name'],
      ['(', 'sign'],
      ['average', 'name'],
      ['(', 'sign'],
      ['scores', 'plain'],
      ['))', 'sign'],
    ],
  },
]

/** How many letters of a line are on the screen by now. */
export function lettersTyped(line: Line, seconds: number): number {
  return Math.max(0, Math.floor((seconds - line.at) * LETTERS_PER_SECOND))
}

/** When a score has been typed, and so its bar appears. */
export function typedAt(index: number): number {
  return 3.2 + (16 + index * 4 + 2) / LETTERS_PER_SECOND
}
