// Usage: npm run node -- demo/film/make.ts [--extras] [film …] (all films when none is named; needs
// ffmpeg, see README.md)
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stream } from '#api/modules/media/package/cut.ts'
import { peakBitrate } from '#api/modules/media/package/playlists.ts'
import { CAPTION_LANGUAGES } from './captions/captions.ts'
import { encode, encodeSound, still } from './encode.ts'
import { addExtras, addOtherSound, type Extras, encodeOtherSound } from './extras.ts'
import { FILMS, type Film } from './films.ts'
import { packageFilm } from './package.ts'
import { FILM_SECONDS, PREVIEW_SECONDS, SEGMENT_SECONDS } from './scenes/scene.ts'
import { perform, wav } from './sound.ts'
import { verify } from './verify.ts'

const MEDIA = join(import.meta.dirname, '../media/video')
const INDEX = join(MEDIA, 'index.json')

/** An entry of `index.json`: what the seed needs to know of a film without opening it. */
interface IndexEntry extends Extras {
  readonly title: string
  readonly durationSeconds: number
  readonly hasPreview: boolean
  readonly previewSeconds: number
  readonly renditions: readonly { name: string; width: number; height: number; bandwidth: number }[]
  readonly captions: readonly { language: string; label: string }[]
  /** The sizes of the film and of its preview together. */
  readonly bytes: number
}

async function make(film: Film): Promise<IndexEntry> {
  const folder = join(MEDIA, film.id)
  const previewFolder = `${folder}-preview`
  const work = await mkdtemp(join(tmpdir(), 'film-'))
  try {
    const music = join(work, 'music.wav')
    await writeFile(music, wav(perform(film.score, FILM_SECONDS)))
    await encodeSound(music, work, 'audio')
    await encodeOtherSound(film, work)
    await encode(film.scene(), film.rateFactor, work)
    const packaged = await packageFilm(film, work, folder, { toSeconds: FILM_SECONDS })
    // Under an address of its own, so that a signed preview opens nothing else.
    await packageFilm(film, work, previewFolder, { toSeconds: PREVIEW_SECONDS, maxHeight: 480, oneSound: true })
    const extras = await addExtras(film, folder)
    await writeFile(join(folder, 'poster.webp'), await still(film.scene(), film.posterSeconds))
    await verify(folder)
    await verify(previewFolder)
    return await describe(film, packaged, extras, (await size(folder)) + (await size(previewFolder)))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function describe(film: Film, packaged: Stream, extras: Extras, bytes: number): Promise<IndexEntry> {
  return {
    title: film.title,
    durationSeconds: FILM_SECONDS,
    hasPreview: true,
    previewSeconds: PREVIEW_SECONDS,
    renditions: packaged.video.map((track) => ({
      name: track.name,
      width: track.width,
      height: track.height,
      bandwidth: Math.ceil(
        peakBitrate(track.segments, SEGMENT_SECONDS) + peakBitrate(packaged.audio[0]!.segments, SEGMENT_SECONDS),
      ),
    })),
    captions: CAPTION_LANGUAGES,
    ...extras,
    bytes,
  }
}

/**
 * Adds thumbnails and other sound to a film that is packaged, and leaves its pictures as they are.
 */
async function extend(film: Film): Promise<IndexEntry> {
  const folder = join(MEDIA, film.id)
  const entry = (await readIndex())[film.id]
  if (!entry) throw new Error(`${film.id} is not made yet: run make.ts without --extras`)
  await addOtherSound(film, folder)
  const extras = await addExtras(film, folder)
  await verify(folder)
  return { ...entry, ...extras, bytes: (await size(folder)) + (await size(`${folder}-preview`)) }
}

async function size(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

async function readIndex(): Promise<Record<string, IndexEntry>> {
  try {
    return JSON.parse(await readFile(INDEX, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

const only = process.argv.includes('--extras') ? extend : make
const names = process.argv.slice(2).filter((word) => word !== '--extras')
const unknown = names.filter((name) => !FILMS.some(({ id }) => id === name))
if (unknown.length > 0) {
  console.error(`No film named ${unknown.join(', ')}; there are ${FILMS.map(({ id }) => id).join(', ')}.`)
  process.exit(1)
}

for (const film of FILMS) {
  if (names.length > 0 && !names.includes(film.id)) continue
  const started = Date.now()
  const entry = await only(film)
  const index = { ...(await readIndex()), [film.id]: entry }
  const ordered = FILMS.flatMap(({ id }) => (index[id] ? [[id, index[id]]] : []))
  await writeFile(INDEX, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`)
  console.log(`${film.id}: ${Math.round(entry.bytes / 1000)} kB in ${Math.round((Date.now() - started) / 1000)} s`)
}
