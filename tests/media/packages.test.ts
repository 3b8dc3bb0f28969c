import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import {
  decoderWarnings,
  ffmpeg,
  ffprobe,
  h264,
  openFolder,
  packageFilm,
  parsedRenditions,
  picture,
  tone,
} from '#tests/support/films.ts'

/**
 * Films of many kinds: each becomes a stream that strict parsers and decoders accept without a
 * warning.
 */

const folder = await openFolder()
const at = (name: string) => join(folder, name)

interface Wanted {
  size?: string
  rate?: string
  seconds?: number
  sound?: boolean
}

const accepted: [what: string, file: string, options: () => string[], wanted: Wanted][] = [
  [
    'a plain film',
    'plain.mp4',
    () => [...picture(), ...tone(), ...h264, '-c:a', 'aac'],
    { size: '160x90', rate: '25.000', sound: true },
  ],
  ['an odd frame rate', 'odd.mp4', () => [...picture('size=160x90:rate=14985/1000'), ...h264], { rate: '14.985' }],
  [
    'the rate of film on television',
    'ntsc.mp4',
    () => [...picture('size=160x90:rate=24000/1001'), ...h264],
    { rate: '23.976' },
  ],
  [
    '120 frames a second',
    'fast.mp4',
    () => [...picture('size=160x90:rate=120', 1), ...h264],
    { rate: '60.000', seconds: 1 },
  ],
  ['three frames a second', 'slow.mp4', () => [...picture('size=160x90:rate=3'), ...h264], { rate: '12.000' }],
  [
    'a variable frame rate',
    'variable.mp4',
    () => [...picture('size=160x90:rate=50'), '-vf', "select='lt(n,40)+not(mod(n,7))'", '-fps_mode', 'vfr', ...h264],
    { rate: '25.000' },
  ],
  [
    'a portrait film, turned by its header',
    'portrait.mp4',
    () => ['-display_rotation', '90', '-i', at('landscape.mp4'), '-c', 'copy'],
    { size: '90x160' },
  ],
  [
    'odd sizes',
    'odd-size.mkv',
    () => [...picture('size=161x91:rate=25', 1), '-c:v', 'ffv1'],
    { size: '160x90', seconds: 1 },
  ],
  [
    'pixels that are not square',
    'anamorphic.mp4',
    () => [...picture('size=180x144:rate=25', 1), '-vf', 'setsar=16/15', ...h264],
    { size: '180x134', seconds: 1 },
  ],
  [
    'a picture much wider than high',
    'wide.mp4',
    () => [...picture('size=1600x64:rate=10', 1), ...h264],
    { size: '1280x50', rate: '10.000', seconds: 1 },
  ],
  [
    'one channel of sound',
    'mono.mp4',
    () => [...picture(), ...tone(), '-ac', '1', ...h264, '-c:a', 'aac'],
    { sound: true },
  ],
  [
    'six channels of sound',
    'surround.mkv',
    () => [...picture(), ...tone(), '-ac', '6', ...h264, '-c:a', 'ac3'],
    { sound: true },
  ],
  [
    'digital silence',
    'silence.mp4',
    () => [...picture(), '-f', 'lavfi', '-t', '2', '-i', 'anullsrc', ...h264, '-c:a', 'aac'],
    { sound: true },
  ],
  ['no sound at all', 'silent.mp4', () => [...picture(), ...h264], { sound: false }],
  [
    'ten bits a colour',
    'deep.mov',
    () => [...picture('size=160x90:rate=25', 1), '-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le'],
    { seconds: 1 },
  ],
  [
    'high dynamic range',
    'hdr.mkv',
    () => [
      ...[
        ...picture('size=160x90:rate=25', 1),
        '-vf',
        'format=yuv420p10le',
        '-c:v',
        'libvpx-vp9',
        '-profile:v',
        '2',
        '-cpu-used',
        '8',
      ],
      ...['-deadline', 'realtime', '-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'],
    ],
    { seconds: 1 },
  ],
  [
    'interlaced television',
    'interlaced.ts',
    () => [
      ...picture('size=160x90:rate=50'),
      ...tone(),
      '-vf',
      'interlace',
      '-c:v',
      'mpeg2video',
      '-flags',
      '+ildct+ilme',
      '-c:a',
      'mp2',
    ],
    { rate: '25.000', sound: true },
  ],
  [
    'WebM',
    'web.webm',
    () => [...picture(), ...tone(), '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
    { sound: true },
  ],
  [
    'AVI',
    'old.avi',
    () => [...picture(), ...tone(), '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le'],
    { sound: true },
  ],
  [
    'one picture under long sound',
    'slide.mkv',
    () => [...picture('size=160x90:rate=25', 0.04), ...tone(undefined, 5), ...h264, '-c:a', 'aac'],
    { seconds: 5, sound: true },
  ],
  [
    'sound that begins later than the picture',
    'late.mkv',
    () => [...picture(), '-itsoffset', '0.7', ...tone(undefined, 1), ...h264, '-c:a', 'aac'],
    { sound: true },
  ],
]

beforeAll(() => ffmpeg(...picture(), ...h264, at('landscape.mp4')))

/**
 * ffmpeg 6 and later write the rotation of an MP4 by the first input option, older ones by a tag of
 * the stream.
 */
const forThisFfmpeg = async (options: string[]) => {
  if (options[0] !== '-display_rotation') return options
  const [, release = '0'] =
    /version n?(\d+)/.exec(await ffmpeg('-version').catch((error) => String(error.stdout))) ?? []
  return Number(release) >= 6 ? options : [...options.slice(2), '-metadata:s:v', 'rotate=90']
}

test.for(accepted.map((each) => ({ what: each[0], each })))('$what becomes a valid stream', async ({ each }) => {
  const [, file, options, wanted] = each
  await ffmpeg('-v', 'error', ...(await forThisFfmpeg(options())), at(file))
  const packaged = await packageFilm(folder, at(file), { name: file })

  expect(await checkStream(packaged.folder)).toEqual([])
  expect(await checkStream(packaged.previewFolder)).toEqual([])
  expect(await decoderWarnings(packaged.folder)).toEqual([])
  const renditions = await parsedRenditions(packaged.folder)
  expect(renditions.length).toBeGreaterThan(0)
  for (const { uri, isComplete, seconds, longest, targetDuration } of renditions) {
    expect(isComplete, uri).toBe(true)
    expect(longest, uri).toBeLessThanOrEqual(targetDuration)
    expect(Math.abs(seconds - packaged.durationSeconds), uri).toBeLessThan(0.2)
  }
  const master = await readFile(join(packaged.folder, 'master.m3u8'), 'utf8')
  expect(`${packaged.width}x${packaged.height}`, 'never enlarged').toBe(wanted.size ?? '160x90')
  expect(master).toContain(`RESOLUTION=${wanted.size ?? '160x90'}`)
  expect(master).toContain(`FRAME-RATE=${wanted.rate ?? '25.000'}`)
  expect(Math.abs(packaged.durationSeconds - (wanted.seconds ?? 2))).toBeLessThan(0.11)
  if (wanted.sound !== undefined) {
    expect(packaged.audio).toHaveLength(wanted.sound ? 1 : 0)
    expect(master.includes('TYPE=AUDIO')).toBe(wanted.sound)
  }
  const stream = await ffprobe(
    ...[
      '-select_streams',
      'v:0',
      '-show_entries',
      'stream=codec_name,profile,pix_fmt,color_space,color_transfer,sample_aspect_ratio',
    ],
    ...['-of', 'json', join(packaged.folder, 'master.m3u8')],
  )
  expect(JSON.parse(stream).streams[0]).toMatchObject({
    codec_name: 'h264',
    profile: 'High',
    pix_fmt: 'yuv420p',
    color_space: 'bt709',
    color_transfer: 'bt709',
    sample_aspect_ratio: '1:1',
  })
  expect(packaged.posters.length).toBeGreaterThan(0)
  expect(await readdir(packaged.postersFolder)).toEqual(packaged.posters)
})
