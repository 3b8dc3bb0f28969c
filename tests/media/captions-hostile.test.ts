import fc from 'fast-check'
import { expect, test } from 'vitest'
import { captionsRefusal } from '#api/modules/media/package/chapters.ts'
import { CaptionsInvalid, type Cue, cuesWithin, parseCaptions, webVtt } from '#contract/captions.ts'

/**
 * A caption file with any content is refused in a sentence or becomes captions that any player can
 * read.
 */

const digits = (max: number) => fc.integer({ min: 0, max }).map(String)
const time = fc
  .record({ hours: fc.option(digits(899)), minutes: digits(99), seconds: digits(99), rest: fc.option(digits(999)) })
  .chain(({ hours, minutes, seconds, rest }) =>
    fc
      .constantFrom('.', ',')
      .map((dot) => `${hours === null ? '' : `${hours}:`}${minutes}:${seconds}${rest === null ? '' : dot + rest}`),
  )
const clockOf = (all: number) => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(all / 3_600_000))}:${two(Math.floor(all / 60_000) % 60)}:${two(Math.floor(all / 1000) % 60)},${String(all % 1000).padStart(3, '0')}`
}
const right = fc
  .tuple(fc.integer({ min: 0, max: 899 * 3_600_000 }), fc.integer({ min: 1, max: 9_999 }))
  .map(([from, lasts]) => `${clockOf(from)} --> ${clockOf(from + lasts)}`)
const wrong = fc
  .tuple(time, fc.constantFrom('-->', ' --> ', '\t-->  ', '->', '--&gt;'), time)
  .map((parts) => parts.join(''))
const timing = fc
  .tuple(
    fc.oneof({ weight: 15, arbitrary: right }, { weight: 1, arbitrary: wrong }),
    fc.constantFrom('', '', '', ' line:0', ' <b>', ' x:y'),
  )
  .map((parts) => parts.join(''))
const mark = fc.constantFrom(
  ...[
    '<',
    '>',
    '&',
    '</',
    '-->',
    '<i>',
    '</i>',
    '<v A>',
    '<c.red>',
    '{\\an8}',
    '{\\',
    '&lt;',
    '&amp;lt;',
    '<00:01.000>',
  ],
  ...[
    '\0',
    '\uFEFF',
    '\u2028',
    '\uD800',
    '\u202E',
    '<script>alert(1)</script>',
    '<b onclick=x>',
    'WEBVTT',
    'NOTE',
    'STYLE',
  ],
)
const words = fc.array(fc.oneof(mark, fc.string({ unit: 'binary', maxLength: 12 }))).map((parts) => parts.join(''))
const cue = fc.tuple(timing, words).map((lines) => lines.join('\n'))
const paragraphs = fc.array(
  fc.oneof({ weight: 20, arbitrary: cue }, { weight: 1, arbitrary: words }, { weight: 1, arbitrary: digits(99) }),
  { maxLength: 12 },
)
const file = fc
  .tuple(
    fc.constantFrom('', 'WEBVTT\n\n', '\uFEFF', 'WEBVTT x\nKind: y\n\n'),
    paragraphs,
    fc.constantFrom('\n\n', '\r\n\r\n', '\r\r', '\n'),
  )
  .map(([head, parts, gap]) => head + parts.join(gap))
const written = fc
  .tuple(file, fc.constantFrom('utf8', 'utf16le', 'latin1'))
  .map(([text, encoding]) => Buffer.from(text, encoding as BufferEncoding))

/** The cues of a file, or null where it was refused. */
const read = (bytes: Uint8Array) => {
  try {
    return parseCaptions(bytes, 'ko')
  } catch (error) {
    expect(error).toBeInstanceOf(CaptionsInvalid)
    if (error instanceof CaptionsInvalid) expect(captionsRefusal(error, 'Korean')).toMatch(/^The captions "Korean" /)
    return null
  }
}

const isSound = (cues: readonly Cue[]) => {
  for (const [at, { startSeconds, endSeconds, text }] of cues.entries()) {
    expect(endSeconds).toBeGreaterThan(startSeconds)
    expect(startSeconds).toBeGreaterThanOrEqual(cues[at - 1]?.startSeconds ?? 0)
    expect(text.trim()).toBe(text)
    expect(text).not.toBe('')
    expect(text.split('\n')).not.toContain('')
  }
}

/** WebVTT's line ends, which are fewer than Unicode's. */
const lines = (text: string) => text.split(/\r\n|\n|\r/)

test('random caption files are refused in a sentence, or become WebVTT that parses to the same cues', () => {
  let taken = 0
  const property = fc.property(fc.oneof(written, fc.uint8Array({ maxLength: 400 })), (bytes) => {
    const cues = read(bytes)
    if (!cues) return
    taken++
    isSound(cues)
    const text = webVtt(cues)
    for (const line of lines(text).filter((each) => each.includes('-->')))
      expect(line).toMatch(
        /^\d{2,}:\d\d:\d\d\.\d{3} --> \d{2,}:\d\d:\d\d\.\d{3}(?: (?:vertical|line|position|size|align):[a-z0-9.,%-]+)*$/,
      )
    for (const tag of text.match(/<[^>]*>?/g) ?? []) expect(tag).toMatch(/^<\/?[ibu]>$/)
    expect(text).not.toContain('\0')
    expect(parseCaptions(Buffer.from(text), 'ko')).toEqual(cues)
  })
  fc.assert(property, { numRuns: 3_000 })
  expect(taken).toBeGreaterThan(300)
})

test('a section of captions contains the cues within it, and no others', () => {
  const second = fc.integer({ min: 0, max: 40 })
  const some = fc.array(
    fc
      .tuple(second, second, fc.constant('x'))
      .map(([from, lasts, text]) => ({ startSeconds: from, endSeconds: from + lasts + 1, text })),
  )
  fc.assert(
    fc.property(some, second, fc.integer({ min: 1, max: 40 }), (cues, from, lasts) => {
      const part = cuesWithin(cues, from, from + lasts)
      for (const { startSeconds, endSeconds } of part) {
        expect(startSeconds).toBeGreaterThanOrEqual(0)
        expect(endSeconds).toBeGreaterThan(startSeconds)
        expect(endSeconds).toBeLessThanOrEqual(lasts)
      }
      const seen = cues.filter(({ startSeconds, endSeconds }) => startSeconds < from + lasts && endSeconds > from)
      expect(part).toHaveLength(seen.length)
    }),
  )
})
