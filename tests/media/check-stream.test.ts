import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { decoderWarnings, ffmpeg, ffprobe, h264, openFolder, packageFilm, picture, tone } from '#tests/support/films.ts'

/** The data that a stream's playlists declare are compared with its segments. */

const folder = await openFolder()
const at = (name: string) => join(folder, name)

test('a large film gets a rendition for every size below its own, with aligned key frames', async () => {
  await ffmpeg(
    '-v',
    'error',
    ...picture('size=1280x720:rate=10', 5),
    ...tone(undefined, 5),
    ...h264,
    '-c:a',
    'aac',
    at('large.mp4'),
  )
  const packaged = await packageFilm(folder, at('large.mp4'))
  expect((await readdir(packaged.folder)).sort()).toEqual([
    '240p',
    '480p',
    '720p',
    'audio',
    'master.m3u8',
    'storyboard',
  ])
  expect((await readdir(packaged.previewFolder)).sort()).toEqual(['240p', '480p', 'audio', 'master.m3u8'])
  expect(packaged.previewSeconds).toBe(2)
  expect(await checkStream(packaged.folder)).toEqual([])
  expect(await checkStream(packaged.previewFolder)).toEqual([])
  expect(await decoderWarnings(packaged.folder)).toEqual([])
  expect(await decoderWarnings(packaged.previewFolder)).toEqual([])

  const playlist = join(packaged.folder, '480p/index.m3u8')
  const frames = await ffprobe('-show_entries', 'packet=dts_time,flags', '-of', 'csv=p=0', playlist)
  const keys = frames.split('\n').filter((line) => line.includes(',K'))
  expect(keys.map((line) => Number.parseFloat(line))).toEqual([0, 2, 4])
  // Every position on the timeline has a tile inside its sheet.
  const storyboard = await readFile(join(packaged.folder, packaged.storyboard!), 'utf8')
  expect(storyboard.match(/001\.jpg#xywh=\d+,0,160,90/g)).toHaveLength(5)
  const sheet = await ffprobe(
    '-show_entries',
    'stream=width,height',
    '-of',
    'csv=p=0',
    join(packaged.folder, 'storyboard/001.jpg'),
  )
  expect(sheet.trim()).toBe('800,90')
})

test('the stream checker finds each fault inserted into a stream', async () => {
  await ffmpeg('-v', 'error', ...picture(), ...tone(), ...h264, '-c:a', 'aac', at('plain.mp4'))
  const { folder: sound } = await packageFilm(folder, at('plain.mp4'))
  const master = await readFile(join(sound, 'master.m3u8'), 'utf8')
  const media = await readFile(join(sound, '90p/index.m3u8'), 'utf8')
  const segment = await readFile(join(sound, '90p/seg_0001.m4s'))
  const tfdt = segment.indexOf('tfdt') + 12
  const faults: [file: string, broken: string | Buffer][] = [
    ['master.m3u8', master.replace(/:BANDWIDTH=(\d+)/, ':BANDWIDTH=1000')],
    ['master.m3u8', master.replace(/:BANDWIDTH=(\d+)/, ':BANDWIDTH=99999999')],
    ['master.m3u8', master.replace(/AVERAGE-BANDWIDTH=\d/, 'AVERAGE-BANDWIDTH=')],
    ['master.m3u8', master.replace('RESOLUTION=160x90', 'RESOLUTION=320x180')],
    ['master.m3u8', master.replace(/FRAME-RATE=[\d.]+/, 'FRAME-RATE=30.000')],
    ['master.m3u8', master.replace(',mp4a.40.2', '')],
    ['master.m3u8', master.replace('AUDIO="audio"', 'AUDIO="other"')],
    ['master.m3u8', master.replace('CLOSED-CAPTIONS=NONE', 'X=1')],
    ['90p/index.m3u8', media.replace(/EXTINF:[\d.]+/, 'EXTINF:1.500000')],
    ['90p/index.m3u8', media.replace('TARGETDURATION:2', 'TARGETDURATION:1')],
    ['90p/index.m3u8', media.replace('#EXT-X-ENDLIST\n', '')],
    ['90p/index.m3u8', media.replace('VOD', 'EVENT')],
    ['90p/seg_0001.m4s', segment.subarray(0, -100)],
    [
      '90p/seg_0001.m4s',
      Buffer.concat([segment.subarray(0, tfdt), Buffer.from([0, 0, 0x40, 0]), segment.subarray(tfdt + 4)]),
    ],
    ['90p/seg_0002.m4s', segment],
    [
      '90p/iframes.m3u8',
      (await readFile(join(sound, '90p/iframes.m3u8'), 'utf8')).replace(/BYTERANGE:\d/, 'BYTERANGE:'),
    ],
  ]
  expect(await checkStream(sound)).toEqual([])
  for (const [file, broken] of faults) {
    const whole = await readFile(join(sound, file)).catch(() => null)
    await writeFile(join(sound, file), broken)
    const faults = await checkStream(sound).catch((error: Error) => [error.message])
    expect(faults.length, `${file}: ${broken.slice(0, 400)}`).toBeGreaterThan(0)
    if (whole) await writeFile(join(sound, file), whole)
  }
}, 60_000)
