import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Tiles, tilesFile, writeStoryboard } from '#api/modules/media/package/pictures.ts'
import { findPrograms } from '#api/modules/media/package/programs.ts'
import { encodeSound } from './encode.ts'
import { ffmpeg } from './ffmpeg.ts'
import type { Film } from './films.ts'
import { addSound, soundsOf } from './package.ts'
import { FILM_SECONDS, FRAMES_PER_SECOND } from './scenes/scene.ts'
import { perform, wav } from './sound.ts'

/** One picture in two seconds: a film of 24 seconds then fits into one sheet of 25 kB. */
const TILES: Tiles = { everyFrames: 2 * FRAMES_PER_SECOND, width: 160, height: 90 }

/** Parts of a packaged film besides video, sound and captions. */
export interface Extras {
  /** The thumbnails' WebVTT below the film's folder. */
  readonly storyboard: string
  /** Empty: the one sound is of no stated language. */
  readonly audio: readonly { language: string; label: string }[]
}

/**
 * Adds other sound, where a film has some, to one that was packaged without. Running it again
 * changes nothing.
 */
export async function addOtherSound(film: Film, folder: string): Promise<void> {
  if (!film.otherSound) return
  const work = await mkdtemp(join(tmpdir(), 'film-sound-'))
  try {
    await encodeOtherSound(film, work)
    await addSound(film, work, folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

export async function encodeOtherSound({ otherSound }: Film, work: string): Promise<void> {
  if (!otherSound) return
  const music = join(work, 'other-music.wav')
  await writeFile(music, wav(perform(otherSound.score, FILM_SECONDS)))
  await encodeSound(music, work, `audio-${otherSound.language}`)
}

/** Adds thumbnails to a film that is packaged. Running it again changes nothing. */
export async function addExtras(film: Film, folder: string): Promise<Extras> {
  const work = await mkdtemp(join(tmpdir(), 'film-extras-'))
  try {
    await rm(join(folder, 'storyboard'), { recursive: true, force: true })
    const running = ffmpeg(
      ...['-v', 'error', '-i', join(folder, '480p', 'index.m3u8')],
      ...['-vf', `select=not(mod(n\\,${TILES.everyFrames})),scale=${TILES.width}:${TILES.height}:flags=lanczos`],
      ...['-fps_mode', 'passthrough', '-q:v', '2', '-f', 'mjpeg', tilesFile(work)],
    )
    running.stdin.end()
    await running.finished
    const count = FILM_SECONDS / 2
    const rate = { numerator: FRAMES_PER_SECOND, denominator: 1 }
    const storyboard = await writeStoryboard(await findPrograms(process.env.FFMPEG_PATH), {
      workFolder: work,
      folder,
      tiles: TILES,
      count,
      rate,
      seconds: FILM_SECONDS,
      signal: new AbortController().signal,
    })
    if (!storyboard) throw new Error(`${film.id}: there are no thumbnails`)
    return {
      storyboard,
      audio: film.otherSound ? soundsOf(film).map(({ language, label }) => ({ language, label })) : [],
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
