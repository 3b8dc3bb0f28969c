import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Captions, cuesWithin, webVtt } from './captions.ts'
import {
  type AudioTrack,
  captionPlaylist,
  keyFramePlaylist,
  masterPlaylist,
  mediaPlaylist,
  targetDuration,
  type VideoTrack,
} from './playlists.ts'

export interface Stream {
  readonly video: readonly VideoTrack[]
  readonly audio: readonly AudioTrack[]
  readonly captions: readonly Captions[]
  readonly framesPerSecond: number
  /** Where in the film the stream begins: a preview may begin later, and its captions with it. */
  readonly fromSeconds?: number
}

/** Writes the playlists and captions of a stream whose segments are in `folder`. */
export async function writeStream(folder: string, stream: Stream): Promise<void> {
  const { video, audio, framesPerSecond, fromSeconds = 0 } = stream
  const seconds = Math.max(...video.map((track) => track.seconds))
  // All renditions that are played together state the same.
  const target = targetDuration([...video, ...audio].flatMap(({ segments }) => segments))
  for (const { name, segments, keyFrames } of [...video, ...audio]) {
    await writeFile(join(folder, name, 'index.m3u8'), mediaPlaylist(segments, target))
    if (keyFrames.length > 0) await writeFile(join(folder, name, 'iframes.m3u8'), keyFramePlaylist(keyFrames))
  }
  const captions = stream.captions.map(({ cues, ...language }) => ({
    ...language,
    cues: cuesWithin(cues, fromSeconds, fromSeconds + seconds),
  }))
  if (captions.length > 0) await mkdir(join(folder, 'captions'), { recursive: true })
  for (const { language, cues } of captions) {
    await writeFile(join(folder, 'captions', `${language}.vtt`), webVtt(cues))
    await writeFile(join(folder, 'captions', `${language}.m3u8`), captionPlaylist(`${language}.vtt`, seconds))
  }
  await writeFile(join(folder, 'master.m3u8'), masterPlaylist({ video, audio, captions, framesPerSecond, target }))
}
