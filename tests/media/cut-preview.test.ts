import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { cutPreview } from '#api/modules/media/package/package-video.ts'
import { parseCaptions } from '#contract/captions.ts'
import { decoderWarnings, ffmpeg, h264, openFolder, packageFilm, picture, tone } from '#tests/support/films.ts'

/** Previews that are cut from a finished stream. */

const folder = await openFolder()
const at = (name: string) => join(folder, name)

const filesIn = async (place: string) => {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.map((file) => file.slice(place.length + 1)).sort()
}

let cuts = 0
const cut = async (film: string, previewStartSeconds: number, previewSeconds: number) => {
  const place = at(`cut-${++cuts}`)
  const [target, work] = [join(place, 'preview'), join(place, 'work')]
  for (const each of [target, work]) await mkdir(each, { recursive: true })
  const made = await cutPreview({
    read: (file) => readFile(join(film, file)).catch(() => null),
    options: { previewSeconds, previewStartSeconds },
    captions: [{ language: 'en', label: 'English', cues: parseCaptions(await readFile(at('english.srt')), 'en') }],
    folder: target,
    workFolder: work,
    signal: new AbortController().signal,
  })
  return { ...made, folder: target }
}

// 29.97 frames a second: a group of pictures takes 2.002 seconds.
const makeStream = async () => {
  await writeFile(
    at('english.srt'),
    '1\n00:00:01,000 --> 00:00:02,000\nEarly\n\n2\n00:00:05,000 --> 00:00:06,000\nIn the middle\n',
  )
  const inputs = [
    ...picture('size=768x576:rate=30000/1001', 11),
    ...tone('frequency=440:sample_rate=48000', 11),
    ...tone('frequency=660:sample_rate=44100', 11),
  ]
  const maps = [
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    '-metadata:s:a:0',
    'language=kor',
    '-metadata:s:a:1',
    'language=ger',
  ]
  await ffmpeg('-v', 'error', ...inputs, ...maps, ...h264, '-c:a', 'aac', at('film.mkv'))
  return packageFilm(folder, at('film.mkv'), {
    options: {
      captions: [{ language: 'en', label: 'English', path: at('english.srt') }],
      previewStartSeconds: 5,
      previewSeconds: 4,
    },
  })
}

test('a preview cut from a stream has the bytes of the one that was packaged with it, and others are valid', async () => {
  const film = await makeStream()
  const same = await cut(film.folder, 5, 4)
  expect(same).toMatchObject({ startSeconds: expect.closeTo(4.004, 3), seconds: expect.closeTo(4.004, 3) })
  const names = await filesIn(film.previewFolder)
  expect(names).toContain('480p/seg_0001.m4s')
  expect(names.filter((name) => name.startsWith('576p'))).toEqual([])
  expect(await filesIn(same.folder)).toEqual(names)
  for (const name of names) {
    const [made, packaged] = [await readFile(join(same.folder, name)), await readFile(join(film.previewFolder, name))]
    expect([name, made.equals(packaged)]).toEqual([name, true])
  }
  expect(await readFile(join(same.folder, 'captions/en.vtt'), 'utf8')).toContain('00:00:00.996 --> 00:00:01.996')

  for (const [start, seconds, expected] of [
    [0, 3, { startSeconds: 0, seconds: 2.002 }],
    [7, 600, { startSeconds: 6.006, seconds: film.durationSeconds - 6.006 }],
    [10.9, 1, { startSeconds: 10.01, seconds: film.durationSeconds - 10.01 }],
  ] as const) {
    const other = await cut(film.folder, start, seconds)
    expect(other.startSeconds).toBeCloseTo(expected.startSeconds, 3)
    expect(other.seconds).toBeCloseTo(expected.seconds, 2)
    expect(await checkStream(other.folder)).toEqual([])
    expect(await decoderWarnings(other.folder)).toEqual([])
  }

  // Streams of earlier releases have no playlist of key frames.
  const master = await readFile(join(film.folder, 'master.m3u8'), 'utf8')
  await writeFile(join(film.folder, 'master.m3u8'), master.replace(/#EXT-X-I-FRAME.*\n/g, ''))
  expect((await cut(film.folder, 5, 4)).startSeconds).toBeCloseTo(4.004, 3)

  // Streams of other packagers are refused with what is wrong.
  const refusal = () => cut(film.folder, 0, 2).then(String, (error) => `${error.code}: ${error.message}`)
  const index = join(film.folder, '480p/index.m3u8')
  const playlist = await readFile(index, 'utf8')
  await writeFile(index, playlist.replace('#EXT-X-MAP', '#EXT-X-KEY:METHOD=SAMPLE-AES\n#EXT-X-MAP'))
  expect(await refusal()).toMatch(/^BAD_PREVIEW: .*480p\/index\.m3u8 is encrypted/)
  await writeFile(index, playlist.replace('URI="init.mp4"', 'URI="../init.mp4"'))
  expect(await refusal()).toMatch(/^BAD_PREVIEW: .*has no init\.mp4/)
  await writeFile(index, playlist)
  await rm(join(film.folder, 'audio/seg_0001.m4s'))
  expect(await refusal()).toMatch(/^BAD_PREVIEW: .*audio\/seg_0001\.m4s is missing/)
})
