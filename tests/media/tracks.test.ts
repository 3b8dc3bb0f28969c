import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { decoderWarnings, ffmpeg, h264, openFolder, packageFilm, picture, tone } from '#tests/support/films.ts'

/** Tracks beside the video: languages, captions, chapters. */

const folder = await openFolder()
const at = (name: string) => join(folder, name)
const cue = (words: string) => `1\n00:00:00,200 --> 00:00:01,000\n${words}\n`

beforeAll(async () => {
  await writeFile(at('english.srt'), cue('Spoken in the file'))
  await writeFile(at('korean.srt'), cue('따로 온 자막'))
  await writeFile(
    at('chapters.txt'),
    ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Opening\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=The rest\n',
  )
  await ffmpeg(
    ...[
      '-v',
      'error',
      ...picture(),
      ...tone(),
      ...tone('frequency=660:sample_rate=48000'),
      '-i',
      at('english.srt'),
      '-i',
      at('chapters.txt'),
    ],
    ...[
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-map',
      '3',
      '-map_metadata',
      '4',
      '-map_chapters',
      '4',
      ...h264,
      '-c:a',
      'aac',
      '-c:s',
      'srt',
    ],
    ...[
      '-metadata:s:a:0',
      'language=kor',
      '-metadata:s:a:1',
      'language=ger',
      '-metadata:s:s:0',
      'language=eng',
      at('rich.mkv'),
    ],
  )
  await ffmpeg('-v', 'error', ...tone('frequency=880:sample_rate=44100', 1), at('japanese.mp3'))
})

test('tracks inside the file and files beside it become languages, captions and chapters', async () => {
  const packaged = await packageFilm(folder, at('rich.mkv'), {
    options: {
      audio: [{ language: 'ja', label: '', path: at('japanese.mp3') }],
      captions: [{ language: 'ko', label: '한국어 "자막"', path: at('korean.srt') }],
      previewSeconds: 2,
    },
  })
  expect(packaged.audio).toEqual([
    { language: 'ko', label: '한국어' },
    { language: 'de', label: 'Deutsch' },
    { language: 'ja', label: '日本語' },
  ])
  expect(packaged.captions.map(({ language }) => language)).toEqual(['ko', 'en'])
  expect(packaged.cues).toEqual([
    { language: 'ko', cues: [{ startSeconds: 0.2, endSeconds: 1, text: '따로 온 자막' }] },
    {
      language: 'en',
      cues: [{ startSeconds: expect.closeTo(0.2, 1), endSeconds: expect.closeTo(1, 1), text: 'Spoken in the file' }],
    },
  ])
  expect(packaged.chapters).toEqual([
    { startSeconds: 0, title: 'Opening' },
    { startSeconds: 1, title: 'The rest' },
  ])
  expect(await checkStream(packaged.folder)).toEqual([])
  expect(await checkStream(packaged.previewFolder)).toEqual([])
  expect(await decoderWarnings(packaged.folder)).toEqual([])
  expect((await readdir(packaged.folder)).sort()).toEqual([
    '90p',
    'audio',
    'audio-de',
    'audio-ja',
    'captions',
    'master.m3u8',
    'storyboard',
  ])
  const master = await readFile(join(packaged.folder, 'master.m3u8'), 'utf8')
  expect(master).toMatch(/TYPE=AUDIO,.*LANGUAGE="ko",DEFAULT=YES.*URI="audio\/index.m3u8"/)
  expect(master).toMatch(/TYPE=AUDIO,.*LANGUAGE="de",DEFAULT=NO.*URI="audio-de\/index.m3u8"/)
  expect(master).toMatch(/TYPE=SUBTITLES,.*NAME="한국어 {2}자막",LANGUAGE="ko".*URI="captions\/ko.m3u8"/)
  expect(await readFile(join(packaged.folder, 'captions/en.vtt'), 'utf8')).toContain('Spoken in the file')
})

test('a film with thousands of chapters is packaged without them, because every page of it would load them', async () => {
  const chapter = (_: unknown, ms: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${ms}\nEND=${ms + 1}\ntitle=Frame ${ms}\n`
  await writeFile(at('frames.txt'), `;FFMETADATA1\n${Array.from({ length: 1_500 }, chapter).join('')}`)
  const [from, to] = [
    ['-i', at('rich.mkv'), '-i', at('frames.txt')],
    ['-map', '0', '-map_chapters', '1', '-c', 'copy'],
  ]
  await ffmpeg('-v', 'error', ...from, ...to, at('frames.mkv'))
  const packaged = await packageFilm(folder, at('frames.mkv'))
  expect(packaged).toMatchObject({ width: 160, height: 90, chapters: [] })
})

test('an option that cannot be met is refused before the encoding begins', async () => {
  const refusal = (
    options: Parameters<typeof packageFilm>[2] extends infer O
      ? NonNullable<O>['options' & keyof NonNullable<O>]
      : never,
  ) => packageFilm(folder, at('rich.mkv'), { options: options! }).catch((error) => `${error.code}: ${error.message}`)
  expect(await refusal({ chapters: [{ startSeconds: 9, title: 'Late' }] })).toMatch(
    /BAD_CHAPTERS: .*"Late" starts at 0:09, but the film lasts only 0:02/,
  )
  expect(await refusal({ previewStartSeconds: 60 })).toMatch(/BAD_PREVIEW: .*60 seconds, but the film lasts only 0:02/)
  expect(await refusal({ captions: [{ language: '../ko', label: '', path: at('korean.srt') }] })).toMatch(
    /BAD_CAPTIONS: "..\/ko" is not a language/,
  )
  expect(await refusal({ captions: [{ language: 'ko', label: 'K', path: at('chapters.txt') }] })).toMatch(
    /BAD_CAPTIONS: .*"K".*line 1/,
  )
  expect(await refusal({ audio: [{ language: 'ja', label: 'J', path: at('korean.srt') }] })).toMatch(
    /BAD_AUDIO: .*"J" cannot be read/,
  )
  expect(
    await refusal({ audio: [{ language: 'ja', label: 'J', path: at('missing-sound.mp4') }] }).then(String),
  ).toMatch(/ENOENT/)
})

test('ffmpeg reads a film’s tracks where ffprobe is missing, as in the npm package', async () => {
  const { stdout } = await promisify(execFile)('which', ['ffmpeg'])
  await mkdir(at('alone'))
  await symlink(stdout.trim(), at('alone/ffmpeg'))
  const path = process.env.PATH
  process.env.PATH = at('alone')
  const packaged = await packageFilm(folder, at('rich.mkv')).finally(() => {
    process.env.PATH = path
  })
  expect(packaged).toMatchObject({
    width: 160,
    height: 90,
    audio: [{ language: 'ko' }, { language: 'de' }],
    captions: [{ language: 'en' }],
  })
  expect(packaged.chapters.map(({ title }) => title)).toEqual(['Opening', 'The rest'])
  expect(await checkStream(packaged.folder)).toEqual([])
})
