import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RefusalCode } from '#api/modules/media/package/refusals.ts'
import { ffmpeg, h264, openFolder, packageFilm, picture, tone } from '#tests/support/films.ts'

/**
 * Files that are no films, or films that cannot be streamed: each is refused with its own sentence,
 * and leaves no files.
 */

const folder = await openFolder()
const at = (name: string) => join(folder, name)
let requests = 0
const elsewhere = createServer((_, response) => {
  requests++
  response.end('secret')
})

beforeAll(async () => {
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
  const short = [...picture(), ...tone(), ...h264, '-c:a', 'aac']
  await ffmpeg(...short, at('whole.mp4'))
  await ffmpeg(...short, '-movflags', '+faststart', at('index-first.mp4'))
})
afterAll(() => void elsewhere.close())

const address = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
const write = (content: string | Buffer) => (path: string) => writeFile(path, content)

/** Overwrites a part of a film's data, as a faulty disk does. */
const damage = async (path: string) => {
  const bytes = await readFile(at('index-first.mp4'))
  const from = Math.floor(bytes.length * 0.4)
  for (let place = from; place < from + bytes.length * 0.3; place++) bytes[place] = (place * 7919) % 251
  await writeFile(path, bytes)
}

const refused: [what: string, make: (path: string) => Promise<unknown>, code: RefusalCode, says: RegExp][] = [
  ['no bytes at all', write(''), 'NOT_A_VIDEO', /is empty/],
  ['text renamed to .mp4', write('Dear diary,\n'.repeat(400)), 'NOT_A_VIDEO', /is not a video file/],
  [
    'noise',
    write(Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251))),
    'NOT_A_VIDEO',
    /is not a video/,
  ],
  [
    'a picture renamed to .mp4',
    (path) => ffmpeg(...picture(), '-frames:v', '1', '-f', 'mjpeg', path),
    'NOT_A_VIDEO',
    /not a video/,
  ],
  [
    'a playlist that leads to a file and to the network',
    (path) =>
      writeFile(
        path,
        `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${address()}/a.ts\n#EXTINF:2,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`,
      ),
    'NOT_A_VIDEO',
    /is not a video/,
  ],
  [
    'a concat script that names another film',
    (path) => writeFile(path, `ffconcat version 1.0\nfile '${at('whole.mp4')}'\n`),
    'NOT_A_VIDEO',
    /is not a video/,
  ],
  [
    'a DASH manifest that leads to the network',
    (path) =>
      writeFile(
        path,
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${address()}/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      ),
    'NOT_A_VIDEO',
    /is not a video/,
  ],
  [
    'a film that was not copied to its end (its index is missing)',
    async (path) => {
      await copyFile(at('whole.mp4'), path)
      await truncate(path, 20_000)
    },
    'DAMAGED',
    /is incomplete/,
  ],
  [
    'a film that was not copied to its end (its index came first)',
    async (path) => {
      await copyFile(at('index-first.mp4'), path)
      await truncate(path, Math.floor((await readFile(path)).length * 0.5))
    },
    'DAMAGED',
    /incomplete|damaged/,
  ],
  ['a film damaged in the middle', damage, 'DAMAGED', /damaged at about 0:0[01] of 0:02/],
  [
    'sound without a picture',
    (path) => ffmpeg(...tone(), '-c:a', 'aac', '-f', 'mp4', path),
    'NO_PICTURE',
    /has audio but no video/,
  ],
  [
    'sound with a cover, which is no picture',
    async (path) => {
      await ffmpeg(...picture(), '-frames:v', '1', at('cover.jpg'))
      await ffmpeg(
        ...[...tone(), '-i', at('cover.jpg'), '-map', '0', '-map', '1', '-c:a', 'libmp3lame', '-c:v', 'copy'],
        ...['-disposition:v', 'attached_pic', '-f', 'mp3', path],
      )
    },
    'NO_PICTURE',
    /cover image is not a video/,
  ],
  [
    'a picture of enormous size',
    (path) =>
      ffmpeg(
        '-f',
        'lavfi',
        '-t',
        '0.2',
        '-i',
        'color=size=9000x64:rate=5',
        '-c:v',
        'mjpeg',
        '-pix_fmt',
        'yuvj420p',
        '-f',
        'mov',
        path,
      ),
    'TOO_LARGE',
    /9000 × 64/,
  ],
  [
    'a picture too small to be seen',
    (path) => ffmpeg('-f', 'lavfi', '-t', '1', '-i', 'testsrc2=size=16x16', ...h264, '-f', 'mp4', path),
    'TOO_SMALL',
    /16 × 16/,
  ],
  [
    'a film of thirteen hours',
    (path) =>
      ffmpeg(
        '-f',
        'lavfi',
        '-t',
        '1',
        '-i',
        'testsrc2=size=64x64:rate=2',
        '-vf',
        'setpts=N*46800/TB',
        '-fps_mode',
        'passthrough',
        ...h264,
        '-f',
        'matroska',
        path,
      ),
    'TOO_LONG',
    /maximum is 12 hours/,
  ],
  [
    'pictures of an unknown kind',
    async (path) => {
      const bytes = await readFile(at('whole.mp4'))
      bytes.write('zzzz', bytes.indexOf('avc1', bytes.indexOf('stsd')), 'latin1')
      await writeFile(path, bytes)
    },
    'UNREADABLE_CODEC',
    /codec/,
  ],
]

test.for(refused.map((each) => ({ what: each[0], each })))(
  '$what is refused',
  async ({ each: [what, make, code, says] }) => {
    const path = at(`${refused.findIndex(([other]) => other === what)}.mp4`)
    await make(path)
    const failure = await packageFilm(folder, path, { name: 'lecture.mp4' }).catch((error) => error)
    expect(failure).toMatchObject({ name: 'VideoRefused', code })
    expect(failure.message).toMatch(says)
    expect(failure.message, 'the operator knows the file by its name').toContain('lecture.mp4')
    expect(failure.message, 'and has no use for ours').not.toContain(folder)
    expect(requests, 'nothing was fetched from an address in the file').toBe(0)
  },
)

test('a job without ffmpeg fails with one sentence that says how to install it', async () => {
  const failure = await packageFilm(folder, at('whole.mp4'), { program: '/nowhere/ffmpeg' }).catch((error) => error)
  expect(failure).toMatchObject({ name: 'EncoderMissing' })
  expect(failure.message).toMatch(/FFMPEG_PATH is \/nowhere\/ffmpeg, which is not a program.*apt-get install ffmpeg/)

  const path = process.env.PATH
  process.env.PATH = folder
  try {
    await expect(packageFilm(folder, at('whole.mp4'))).rejects.toThrow(
      /ffmpeg is not installed.*npm install --no-save node-av@/,
    )
  } finally {
    process.env.PATH = path
  }
  expect(existsSync('/nowhere')).toBe(false)
})
