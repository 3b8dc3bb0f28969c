import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { captionsRefusal, readCaptionFiles } from '#api/modules/media/package/chapters.ts'
import { CaptionsInvalid, parseCaptions, webVtt } from '#contract/captions.ts'
import { openFolder } from '#tests/support/films.ts'

const srt = `1
00:00:00,500 --> 00:00:02,000
안녕하세요, <i>여러분</i>.

2
00:00:02,500 --> 00:00:04,000
{\\an8}<font color="#ff0000">3 < 4 & 5 > 4</font>
둘째 줄
`
const expected = [
  { startSeconds: 0.5, endSeconds: 2, text: '안녕하세요, 여러분.' },
  { startSeconds: 2.5, endSeconds: 4, text: '3 < 4 & 5 > 4\n둘째 줄' },
]
const utf16 = (text: string, bigEndian: boolean) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}
/** CP949 and Shift_JIS of the texts below, because Node has no encoder for them. */
const korean = Buffer.from('b0a1b3aab4d9', 'hex')
const japanese = Buffer.from('82b182f182c982bf82cd', 'hex')
const cue = (words: Buffer) => Buffer.concat([Buffer.from('1\n00:01 --> 00:02\n'), words, Buffer.from('\n')])

test.for([
  ['UTF-8', Buffer.from(srt)],
  ['UTF-8 with a byte order mark and carriage returns', Buffer.from(`\uFEFF${srt.replaceAll('\n', '\r\n')}`)],
  ['UTF-16, little end first', utf16(srt, false)],
  ['UTF-16, big end first', utf16(srt, true)],
  ['UTF-16 without a mark', utf16(srt, false).subarray(2)],
] as const)('SRT is parsed in %s', ([, bytes]) => {
  expect(parseCaptions(bytes, 'ko')).toMatchObject(expected)
})

test.for([
  ['CP949', korean, 'ko', '가나다'],
  ['CP949, said to be something else', korean, 'en', '가나다'],
  ['Shift_JIS', japanese, 'ja', 'こんにちは'],
  ['Windows-1252', Buffer.from('636166e9', 'hex'), 'fr', 'café'],
] as const)('captions in %s are decoded', ([, words, language, text]) => {
  expect(parseCaptions(cue(words), language)).toMatchObject([{ startSeconds: 1, endSeconds: 2, text }])
})

test('WebVTT keeps the positions of cues, and loses its notes, styles and voices', () => {
  const cues = parseCaptions(
    Buffer.from(`WEBVTT - a film

STYLE
::cue { background: url(https://example.com/x) }

NOTE nobody reads this

intro
01:02.000 --> 01:04.500 line:10% align:start evil:<script>
<v Mina>Good <b>morning</b> &amp; hello</v>
`),
    'en',
  )
  expect(cues).toMatchObject([{ startSeconds: 62, endSeconds: 64.5, text: 'Good morning & hello' }])
  expect(webVtt(cues)).toBe(
    'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n' +
      '00:01:02.000 --> 00:01:04.500 line:10% align:start\nGood <b>morning</b> &amp; hello\n',
  )
  expect(parseCaptions(Buffer.from(webVtt(cues)), 'en'), 'what is written can be read').toEqual(cues)
})

test('a timing line without an empty line before it begins a new cue', () => {
  const run = '1\n00:01 --> 00:02\nOne\n2\n00:02 --> 00:03\n3 --> 4\n3\n00:03 --> 00:04\nThree\n'
  expect(parseCaptions(Buffer.from(run), 'en')).toMatchObject([
    { startSeconds: 1, text: 'One' },
    { startSeconds: 2, text: '3 --> 4' },
    { startSeconds: 3, text: 'Three' },
  ])
})

test.for([
  ['nothing', '', /is empty/],
  ['a letter', 'Dear diary\nnothing happened', /line 1: expected times such as .*found "Dear diary"/],
  [
    'times that are none',
    '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n0:0 --> x\nWorld\n',
    /line 6: the times "0:0 --> x"/,
  ],
  [
    'a cue that ends before it begins',
    '1\n00:00:03,000 --> 00:00:02,000\nHello\n',
    /line 2: the cue ends before it begins/,
  ],
  ['a header alone', 'WEBVTT\n\n', /no cue/],
] as const)('captions with %s are refused, with the line', ([, text, says]) => {
  const read = () => parseCaptions(Buffer.from(text), 'ko')
  expect(read).toThrow(CaptionsInvalid)
  const refusal = (() => {
    try {
      return read()
    } catch (error) {
      return error instanceof CaptionsInvalid ? captionsRefusal(error, 'Korean') : error
    }
  })()
  expect(refusal).toMatch(says)
  expect(refusal).toMatch(/"Korean"/)
})

/** A quadratic parser would need minutes here. */
test.for(['{\\', '<', '&', '</', '-->'])('a cue of millions of %s is parsed in linear time', (mark) => {
  const began = performance.now()
  const vast = `1\n00:00:01,000 --> 00:00:02,000\nHello\n${mark.repeat(2_000_000)}\n`
  const [cue] = parseCaptions(Buffer.from(vast), 'en')
  expect(cue?.text).toMatch(/^Hello\n/)
  expect(cue?.text.length).toBeLessThan(20_000)
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('a file far too large for captions is refused before it is read', async () => {
  const path = join(await openFolder(), 'vast.srt')
  await writeFile(path, '1')
  // Larger than the maximum size of a buffer.
  await truncate(path, 5 * 1024 ** 3)
  await expect(readCaptionFiles([{ language: 'ko', label: 'Korean', path }])).rejects.toThrow(
    '"Korean" cannot be read: the file is larger than 10 MB.',
  )
})
