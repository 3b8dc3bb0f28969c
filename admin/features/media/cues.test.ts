import { expect, test } from 'vitest'
import {
  chapterStart,
  cueAt,
  divided,
  joined,
  readCues,
  readTime,
  shifted,
  timeText,
  warningsOf,
  writeCues,
} from './cues'

const encode = (text: string) => new TextEncoder().encode(text)
const cue = (startSeconds: number, endSeconds: number, text = 'Hello') => {
  return { key: 1, startSeconds, endSeconds, text, settings: '' }
}

test('captions are written as they were read: times, position, italics and signs', () => {
  const file = 'WEBVTT\n\n00:01.000 --> 00:02.500 line:10%\n<i>Three &lt; four</i> &amp; more\n'
  const cues = readCues(encode(file), 'en')
  expect(cues).toMatchObject([{ startSeconds: 1, endSeconds: 2.5, text: '<i>Three < four</i> & more' }])
  expect(writeCues(cues)).toContain('00:00:01.000 --> 00:00:02.500 line:10%\n<i>Three &lt; four</i> &amp; more\n')
  expect(readCues(encode(writeCues(cues)), 'en').map(({ key: _, ...rest }) => rest)).toEqual(
    cues.map(({ key: _, ...rest }) => rest),
  )
})

test('captions are written in order of time, without empty ones', () => {
  const text = writeCues([cue(3, 4, 'Second'), cue(1, 2, 'First'), cue(2, 3, ' ')])
  expect(text.match(/First|Second|-->/g)).toEqual(['-->', 'First', '-->', 'Second'])
})

test.for([
  [0, '0:00'],
  [2.5, '0:02.5'],
  [62, '1:02'],
  [600, '10:00'],
  [3600, '1:00:00'],
  [36_000.25, '10:00:00.25'],
] as const)('%s seconds are shown and read as %s', ([seconds, text]) => {
  expect(timeText(seconds)).toBe(text)
  expect(readTime(text)).toBe(seconds)
})

test.for([
  ['62,5', 62.5],
  ['01:02.500', 62.5],
  ['00:01:02,500', 62.5],
  ['90', 90],
  ['1:75', null],
  ['1:99:00', null],
  ['', null],
  ['soon', null],
  ['-1', null],
] as const)('the time %s is read as %s', ([text, seconds]) => {
  expect(readTime(text)).toBe(seconds)
})

test('all captions move; none begins before zero', () => {
  expect(shifted([cue(0.5, 1), cue(1, 3), cue(5, 6)], -1.5)).toMatchObject([
    { startSeconds: 0, endSeconds: 1.5 },
    { startSeconds: 3.5, endSeconds: 4.5 },
  ])
})

test('a caption is divided at a line or a space near its middle, and joined again', () => {
  const [first, second] = divided(cue(0, 10, 'One two\nthree four'))
  expect(first).toMatchObject({ startSeconds: 0, text: 'One two' })
  expect(second).toMatchObject({ endSeconds: 10, text: 'three four' })
  expect(second.startSeconds).toBe(first.endSeconds)
  expect(divided(cue(0, 10, 'One two three four')).map(({ text }) => text)).toEqual(['One two', 'three four'])
  expect(divided(cue(0, 10, '')).map(({ text }) => text)).toEqual(['', ''])
  expect(joined(first, second)).toMatchObject({ startSeconds: 0, endSeconds: 10, text: 'One two\nthree four' })
})

test.for([
  ['an end before the start', cue(2, 2), undefined, ['INVALID_TIMES']],
  ['a start after the video', cue(100, 101), undefined, ['AFTER_END']],
  ['no words', cue(1, 2, ' '), undefined, ['EMPTY']],
  ['a next one that begins earlier', cue(1, 3), cue(2, 4), ['OVERLAP']],
  [
    'more letters than one can read',
    cue(1, 2, 'Twenty-six letters in a second are too many.'),
    undefined,
    ['TOO_FAST'],
  ],
  ['both', cue(1, 2, 'Twenty-six letters in a second are too many.'), cue(1.5, 4), ['OVERLAP', 'TOO_FAST']],
  ['nothing unusual', cue(1, 2), cue(2, 3), []],
] as const)('a caption with %s', ([, one, next, warnings]) => {
  expect(warningsOf(one, next, 100)).toEqual(warnings)
})

test('the caption at a time is the last one that has begun', () => {
  const cues = [cue(1, 2), cue(3, 4), cue(5, 6)]
  expect([0, 1, 2.5, 3, 99].map((seconds) => cueAt(cues, seconds))).toEqual([-1, 0, 0, 1, 2])
})

test('a new chapter begins where the video is, or after the last one, and before the end of the video', () => {
  expect(chapterStart([], 0, 24)).toBe(0)
  expect(chapterStart([0], 7, 24)).toBe(7)
  expect(chapterStart([0], 0, 600)).toBe(60)
  expect(chapterStart([0], 0, 24)).toBe(12)
  expect(chapterStart([0, 12], 12, 24)).toBe(18)
  expect(chapterStart([0, 12], 24, 24)).toBe(18)
})
