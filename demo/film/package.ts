import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  ALL_FORMATS,
  CmafOutputFormat,
  Conversion,
  FilePathSource,
  FilePathTarget,
  HlsOutputFormat,
  Input,
  type InputTrack,
  NullTarget,
  Output,
  PathedTarget,
} from 'mediabunny'
import { CAPTION_LANGUAGES, type Cue, webVtt } from './captions.ts'
import { RENDITIONS } from './encode.ts'
import {
  captionPlaylist,
  masterPlaylist,
  mediaPlaylist,
  type Segment,
  type Track,
  type VideoTrack,
} from './playlists.ts'
import { FILM_SECONDS, FRAMES_PER_SECOND, PREVIEW_SECONDS, SEGMENT_SECONDS } from './scene.ts'

/** Sound is cut at its own frames, of 21 ms; with this much room it has as many segments as the pictures. */
const SOUND_SLACK = 0.02

const AUDIO_NAME = 'audio'

/** A film or a preview as written to its folder. */
export interface Package {
  readonly seconds: number
  readonly video: readonly VideoTrack[]
  readonly audio: Track
}

/** Cuts an encoded film into adaptive HLS under `folder`, in place of what was there. */
export async function packageFilm(source: string, cues: readonly Cue[], folder: string): Promise<Package> {
  await rm(folder, { recursive: true, force: true })
  const video: VideoTrack[] = []
  for (const [index, { name, width, height }] of RENDITIONS.entries()) {
    const wanted = (track: InputTrack) => track.type === 'video' && track.number === index + 1
    video.push({ ...(await cut(source, wanted, name, folder)), width, height })
  }
  const audio = await cut(source, (track) => track.type === 'audio', AUDIO_NAME, folder)
  const film = { seconds: FILM_SECONDS, video, audio }
  await writePlaylists(film, cues, folder)
  return film
}

/**
 * Makes the preview from a packaged film: copies of its first segments under an address of their own, so that a signed
 * preview opens nothing else. It has no rendition above 480p.
 */
export async function packagePreview(film: Package, cues: readonly Cue[], from: string, to: string): Promise<Package> {
  await rm(to, { recursive: true, force: true })
  const shorten = async <Kind extends Track>(track: Kind): Promise<Kind> => {
    const segments = track.segments.slice(0, PREVIEW_SECONDS / SEGMENT_SECONDS)
    await mkdir(join(to, track.name), { recursive: true })
    for (const file of ['init.mp4', ...segments.map((segment) => segment.file)])
      await copyFile(join(from, track.name, file), join(to, track.name, file))
    return { ...track, segments }
  }
  const video = await Promise.all(film.video.filter(({ height }) => height <= 480).map(shorten))
  const preview = { seconds: PREVIEW_SECONDS, video, audio: await shorten(film.audio) }
  await writePlaylists(preview, cues, to)
  return preview
}

async function writePlaylists({ seconds, video, audio }: Package, cues: readonly Cue[], folder: string): Promise<void> {
  for (const track of [...video, audio])
    await writeFile(join(folder, track.name, 'index.m3u8'), mediaPlaylist(track.segments))
  await mkdir(join(folder, 'captions'), { recursive: true })
  for (const { language } of CAPTION_LANGUAGES) {
    await writeFile(join(folder, 'captions', `${language}.vtt`), webVtt(cues, language, seconds))
    await writeFile(join(folder, 'captions', `${language}.m3u8`), captionPlaylist(`${language}.vtt`, seconds))
  }
  const master = { video, audio, captions: CAPTION_LANGUAGES, framesPerSecond: FRAMES_PER_SECOND }
  await writeFile(join(folder, 'master.m3u8'), masterPlaylist(master))
}

/** Copies one track into segments under `folder/name`, without encoding it again. */
async function cut(
  source: string,
  wanted: (track: InputTrack) => boolean,
  name: string,
  folder: string,
): Promise<Track> {
  using input = new Input({ source: new FilePathSource(source), formats: ALL_FORMATS })
  const track = (await input.getTracks()).find(wanted)
  const codec = await track?.getCodecParameterString()
  if (!codec) throw new Error(`${source} has no track for ${name}`)

  let playlist = ''
  const format = new HlsOutputFormat({
    segmentFormat: new CmafOutputFormat(),
    targetDuration: SEGMENT_SECONDS + SOUND_SLACK,
    getPlaylistPath: () => `${name}/index.m3u8`,
    getInitPath: () => 'init.mp4',
    getSegmentPath: ({ n }) => `seg_${String(n).padStart(4, '0')}.m4s`,
    onPlaylist: (content) => {
      playlist = content
    },
  })
  const target = new PathedTarget('master.m3u8', async ({ path, isRoot }) => {
    if (isRoot) return new NullTarget()
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    return new FilePathTarget(file)
  })
  const conversion = await Conversion.init({
    input,
    output: new Output({ format, target }),
    video: (each) => ({ discard: !wanted(each) }),
    audio: (each) => ({ discard: !wanted(each) }),
    showWarnings: false,
  })
  await conversion.execute()
  return { name, codec, segments: await measured(playlist, join(folder, name)) }
}

/** The segments a playlist names, with their sizes on disk. */
async function measured(playlist: string, folder: string): Promise<Segment[]> {
  const entries = [...playlist.matchAll(/#EXTINF:([\d.]+),.*\n(.+)/g)]
  return Promise.all(
    entries.map(async ([, seconds, file]) => ({
      file: file!,
      seconds: Number(seconds),
      bytes: (await stat(join(folder, file!))).size,
    })),
  )
}

/** What `measured` finds in a folder that is packaged already. */
export async function packagedSegments(folder: string): Promise<Segment[]> {
  return measured(await readFile(join(folder, 'index.m3u8'), 'utf8'), folder)
}
