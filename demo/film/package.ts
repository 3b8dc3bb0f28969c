import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codecOf } from '#api/modules/media/package/boxes.ts'
import type { Captions } from '#api/modules/media/package/chapters.ts'
import { cutTrack, type Stream, writeStream } from '#api/modules/media/package/cut.ts'
import type { AudioTrack, KeyFrame, Segment, Track, VideoTrack } from '#api/modules/media/package/playlists.ts'
import { plainCue } from '#contract/captions.ts'
import { CAPTION_LANGUAGES, type Cue } from './captions/captions.ts'
import { RENDITIONS, trackFile } from './encode.ts'
import type { Film } from './films.ts'
import { FRAMES_PER_SECOND, HEIGHT, SEGMENT_SECONDS } from './scenes/scene.ts'

/** The sound tracks of a film, by their folders; the first is the default. */
export const soundsOf = ({ otherSound }: Film) =>
  otherSound
    ? [
        { name: 'audio', language: 'en', label: 'Original score' },
        { name: `audio-${otherSound.language}`, language: otherSound.language, label: otherSound.label },
      ]
    : [{ name: 'audio', language: 'und', label: 'Stereo' }]

interface Part {
  /** Cuts the track at this time. */
  readonly toSeconds: number
  readonly maxHeight?: number
  /** Only the first sound. */
  readonly oneSound?: boolean
}

/**
 * Cuts the encoded tracks in `work` into adaptive HLS under `folder`, in place of what was there.
 */
export async function packageFilm(film: Film, work: string, folder: string, part: Part): Promise<Stream> {
  const { toSeconds, maxHeight = HEIGHT, oneSound = false } = part
  await rm(folder, { recursive: true, force: true })
  const cut = (name: string) =>
    cutTrack(trackFile(work, name), name, folder, { segmentSeconds: SEGMENT_SECONDS, toSeconds })
  const video: VideoTrack[] = []
  for (const { name, width, height } of RENDITIONS.filter(({ height }) => height <= maxHeight))
    video.push({ ...(await cut(name)), width, height })
  const audio: AudioTrack[] = []
  for (const sound of soundsOf(film).slice(0, oneSound ? 1 : undefined))
    audio.push({ ...(await cut(sound.name)), ...sound })
  const stream = { video, audio, captions: captionsOf(film.cues), framesPerSecond: FRAMES_PER_SECOND }
  await writeStream(folder, stream)
  return stream
}

/**
 * Cuts the other sound in `work` into a rendition of a packaged film, and rewrites the film's
 * playlists.
 */
export async function addSound(film: Film, work: string, folder: string): Promise<void> {
  const video: VideoTrack[] = []
  for (const { name, width, height } of RENDITIONS)
    video.push({ ...(await packagedTrack(folder, name)), width, height })
  const [ownSound, other] = soundsOf(film)
  const toSeconds = Math.max(...video.map(({ seconds }) => seconds))
  await rm(join(folder, other!.name), { recursive: true, force: true })
  const added = await cutTrack(trackFile(work, other!.name), other!.name, folder, {
    segmentSeconds: SEGMENT_SECONDS,
    toSeconds,
  })
  await writeStream(folder, {
    video,
    audio: [
      { ...(await packagedTrack(folder, ownSound!.name)), ...ownSound! },
      { ...added, ...other! },
    ],
    captions: captionsOf(film.cues),
    framesPerSecond: FRAMES_PER_SECOND,
  })
}

const captionsOf = (cues: readonly Cue[]): Captions[] =>
  CAPTION_LANGUAGES.map(({ language, label }) => ({
    language,
    label,
    cues: cues.map((cue) => plainCue(cue.start, cue.end, cue[language])),
  }))

/** A track whose segments and playlists are already in `folder`. */
async function packagedTrack(folder: string, name: string): Promise<Track> {
  const place = join(folder, name)
  const playlist = await readFile(join(place, 'index.m3u8'), 'utf8')
  const segments: Segment[] = []
  for (const [, seconds, file] of playlist.matchAll(/#EXTINF:([\d.]+),.*\n(.+)/g))
    segments.push({ file: file!, seconds: Number(seconds), bytes: (await stat(join(place, file!))).size })
  const winding = await readFile(join(place, 'iframes.m3u8'), 'utf8').catch(() => '')
  const keyFrames: KeyFrame[] = []
  let startSeconds = 0
  for (const [, length, bytes, at, file] of winding.matchAll(
    /#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@(\d+)\n(.+)/g,
  )) {
    const seconds = Number(length)
    keyFrames.push({ file: file!, at: Number(at), bytes: Number(bytes), startSeconds, seconds })
    startSeconds += seconds
  }
  const seconds = segments.reduce((sum, segment) => sum + segment.seconds, 0)
  return { name, codec: codecOf(await readFile(join(place, 'init.mp4'))), seconds, segments, keyFrames }
}
