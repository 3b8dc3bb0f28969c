import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { ffmpeg, h264, openFolder, packageFilm, picture, tone } from '#tests/support/films.ts'

/** The loudness of a film, the sync of sound and picture, and the first poster. */

const folder = await openFolder()
const at = (name: string) => join(folder, name)

test.for([
  ['quiet', 'volume=-15dB'],
  ['loud', 'volume=12dB'],
] as const)('%s sound is normalized to -16 LUFS', async ([name, filter]) => {
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
  const output = await ffmpeg(
    '-i',
    join(packaged.folder, 'audio/index.m3u8'),
    '-af',
    'ebur128=framelog=verbose',
    '-f',
    'null',
    '-',
  )
  const [, level] = /I:\s+(-?[\d.]+) LUFS/.exec(output) ?? []
  expect(Number(level)).toBeGreaterThan(-17)
  expect(Number(level)).toBeLessThan(-15)
})

test('sound and picture stay in sync, also in a preview that begins later', async () => {
  // Black and silent except for the second from 3 to 4.
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
  const packaged = await packageFilm(folder, at('flash.mkv'), {
    options: { previewStartSeconds: 2, previewSeconds: 4 },
  })
  expect(packaged.previewSeconds).toBe(4)
  for (const [stream, seconds] of [
    [packaged.folder, 3],
    [packaged.previewFolder, 1],
  ] as const) {
    expect(await checkStream(stream)).toEqual([])
    const seen = await ffmpeg('-i', join(stream, '90p/index.m3u8'), '-vf', 'blackdetect=d=0.2', '-f', 'null', '-')
    const output = await ffmpeg(
      '-i',
      join(stream, 'audio/index.m3u8'),
      '-af',
      'silencedetect=n=-40dB:d=0.2',
      '-f',
      'null',
      '-',
    )
    const flash = Number(/black_end:([\d.]+)/.exec(seen)?.[1])
    const beep = Number(/silence_end: ([\d.]+)/.exec(output)?.[1])
    // This reader shows pictures one frame late.
    expect(Math.abs(flash - seconds), `the flash at ${flash}`).toBeLessThan(0.081)
    expect(Math.abs(beep - seconds), `the beep at ${beep}`).toBeLessThan(0.03)
  }
})

test('a poster is never black if the film has a brighter picture', async () => {
  const packaged = await packageFilm(folder, at('flash.mkv'))
  expect(packaged.posters).toHaveLength(1)
  const output = await ffmpeg(
    '-i',
    join(packaged.postersFolder, packaged.posters[0]!),
    '-vf',
    'signalstats,metadata=print',
    '-f',
    'null',
    '-',
  )
  expect(Number(/YAVG=([\d.]+)/.exec(output)?.[1])).toBeGreaterThan(100)
})
