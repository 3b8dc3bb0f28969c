import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { checkStream } from '#api/media/package/check-stream.ts'
import type { PackageProgress } from '#api/media/package/progress.ts'
import { complaintsOf, ffmpeg, h264, openFolder, packageFilm, picture, tone } from '#tests/support/films.ts'

/** What comes along with the pictures: languages, captions, chapters, loudness; and what becomes of work that is called off. */

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
    wish: {
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
  expect(await complaintsOf(packaged.folder)).toEqual([])
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

test('a wish that cannot be met is refused before anything is encoded', async () => {
  const refusal = (
    wish: Parameters<typeof packageFilm>[2] extends infer O ? NonNullable<O>['wish' & keyof NonNullable<O>] : never,
  ) => packageFilm(folder, at('rich.mkv'), { wish: wish! }).catch((error) => `${error.code}: ${error.message}`)
  expect(await refusal({ chapters: [{ startSeconds: 9, title: 'Late' }] })).toMatch(
    /BAD_CHAPTERS: .*"Late" begins at 0:09; the film lasts 0:02/,
  )
  expect(await refusal({ previewStartSeconds: 60 })).toMatch(/BAD_PREVIEW: .*60 seconds; the film lasts 0:02/)
  expect(await refusal({ captions: [{ language: '../ko', label: '', path: at('korean.srt') }] })).toMatch(
    /BAD_CAPTIONS: "..\/ko" is no language/,
  )
  expect(await refusal({ captions: [{ language: 'ko', label: 'K', path: at('chapters.txt') }] })).toMatch(
    /BAD_CAPTIONS: .*"K".*line 1/,
  )
  expect(await refusal({ audio: [{ language: 'ja', label: 'J', path: at('korean.srt') }] })).toMatch(
    /BAD_AUDIO: .*"J" is no sound/,
  )
  expect(
    await refusal({ audio: [{ language: 'ja', label: 'J', path: at('missing-sound.mp4') }] }).then(String),
  ).toMatch(/ENOENT/)
})

test.for([
  ['quiet', 'volume=-15dB'],
  ['loud', 'volume=12dB'],
] as const)('%s sound is levelled to -16 LUFS', async ([name, filter]) => {
  await ffmpeg(
    '-v',
    'error',
    ...picture(undefined, 4),
    ...tone(undefined, 4),
    '-af',
    filter,
    ...h264,
    '-c:a',
    'pcm_s16le',
    at(`${name}.mkv`),
  )
  const packaged = await packageFilm(folder, at(`${name}.mkv`))
  const words = await ffmpeg(
    '-i',
    join(packaged.folder, 'audio/index.m3u8'),
    '-af',
    'ebur128=framelog=verbose',
    '-f',
    'null',
    '-',
  )
  const [, level] = /I:\s+(-?[\d.]+) LUFS/.exec(words) ?? []
  expect(Number(level)).toBeGreaterThan(-17)
  expect(Number(level)).toBeLessThan(-15)
})

test('sound and pictures stay together, also in a preview that begins later', async () => {
  // Black and silent but for the second from 3 to 4.
  await ffmpeg(
    ...[
      '-v',
      'error',
      '-f',
      'lavfi',
      '-t',
      '6',
      '-i',
      "color=white:size=160x90:rate=25,drawbox=t=fill:color=black:enable='not(between(t,2.999,3.959))'",
    ],
    ...[
      '-f',
      'lavfi',
      '-t',
      '6',
      '-i',
      "aevalsrc='between(t,3,4)*sin(2*PI*440*t)':s=48000",
      ...h264,
      '-c:a',
      'pcm_s16le',
      at('flash.mkv'),
    ],
  )
  const packaged = await packageFilm(folder, at('flash.mkv'), { wish: { previewStartSeconds: 2, previewSeconds: 4 } })
  expect(packaged.previewSeconds).toBe(4)
  for (const [stream, moment] of [
    [packaged.folder, 3],
    [packaged.previewFolder, 1],
  ] as const) {
    expect(await checkStream(stream)).toEqual([])
    const seen = await ffmpeg('-i', join(stream, '90p/index.m3u8'), '-vf', 'blackdetect=d=0.2', '-f', 'null', '-')
    const heard = await ffmpeg(
      '-i',
      join(stream, 'audio/index.m3u8'),
      '-af',
      'silencedetect=n=-40dB:d=0.2',
      '-f',
      'null',
      '-',
    )
    const flash = Number(/black_end:([\d.]+)/.exec(seen)?.[1])
    const beep = Number(/silence_end: ([\d.]+)/.exec(heard)?.[1])
    // This reader shows pictures one frame late.
    expect(Math.abs(flash - moment), `the flash at ${flash}`).toBeLessThan(0.081)
    expect(Math.abs(beep - moment), `the beep at ${beep}`).toBeLessThan(0.03)
  }
})

test('a poster is never black where there is something to see', async () => {
  const packaged = await packageFilm(folder, at('flash.mkv'))
  expect(packaged.posters).toHaveLength(1)
  const words = await ffmpeg(
    '-i',
    join(packaged.postersFolder, packaged.posters[0]!),
    '-vf',
    'signalstats,metadata=print',
    '-f',
    'null',
    '-',
  )
  expect(Number(/YAVG=([\d.]+)/.exec(words)?.[1])).toBeGreaterThan(100)
})

test('without ffprobe, as with the npm package alone, ffmpeg says what a film holds', async () => {
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

test('progress goes forward to a hundred, and says how long it will take', async () => {
  const told: PackageProgress[] = []
  await packageFilm(folder, at('rich.mkv'), { onProgress: (progress) => told.push(progress) })
  const percents = told.map(({ percent }) => percent)
  expect(percents).toEqual([...percents].sort((a, b) => a - b))
  expect(percents.at(-1)).toBe(100)
  expect([...new Set(told.map(({ step }) => step))]).toEqual(['PROBE', 'ENCODE', 'PACKAGE'])
})

test('work that is called off ends at once, with every process it began', async () => {
  // A script between us and ffmpeg, as an operator may name one; it notes what it starts.
  const script = at('slow-ffmpeg')
  await writeFile(script, `#!/bin/sh\nffmpeg -re "$@" &\necho "$$ $!" >> "${at('pids')}"\nwait $!\n`)
  await chmod(script, 0o755)
  const films = [...picture('size=160x90:rate=25', 30), ...h264, at('long.mp4')]
  await ffmpeg('-v', 'error', ...films)
  const off = new AbortController()
  const begun = performance.now()
  const failure = await packageFilm(folder, at('long.mp4'), {
    program: script,
    signal: off.signal,
    onProgress: ({ step, percent }) => {
      if (step === 'ENCODE' && percent > 4) off.abort(new Error('called off'))
    },
  }).catch((error) => error)
  expect(failure).toMatchObject({ message: 'called off' })
  expect(performance.now() - begun, 'long before the film would have been encoded').toBeLessThan(20_000)
  const pids = (await readFile(at('pids'), 'utf8')).trim().split(/\s+/).map(Number)
  expect(pids.length).toBeGreaterThan(1)
  const running = await Promise.all(
    pids.map(async (pid) => /State:\s+[^ZX]/.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))),
  )
  expect(running.filter(Boolean), 'nothing is left running').toEqual([])
})
