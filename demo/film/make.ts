// Usage: node demo/film/make.ts [film …]   (all films when none is named; needs ffmpeg, see README.md)
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CAPTION_LANGUAGES } from './captions.ts'
import { encode, still } from './encode.ts'
import { FILMS, type Film } from './films.ts'
import { type Package, packageFilm, packagePreview } from './package.ts'
import { peakBandwidth } from './playlists.ts'
import { FILM_SECONDS, PREVIEW_SECONDS } from './scene.ts'
import { perform, wav } from './sound.ts'
import { verify } from './verify.ts'

const MEDIA = join(import.meta.dirname, '../media/video')
const INDEX = join(MEDIA, 'index.json')

/** An entry of `index.json`: what the seed needs to know of a film without opening it. */
interface IndexEntry {
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
    const encoded = join(work, 'film.mp4')
    await writeFile(music, wav(perform(film.score, FILM_SECONDS)))
    await encode(film.scene(), music, film.rateFactor, encoded)
    const packaged = await packageFilm(encoded, film.cues, folder)
    await packagePreview(packaged, film.cues, folder, previewFolder)
    await writeFile(join(folder, 'poster.webp'), await still(film.scene(), film.posterSeconds))
    await verify(folder)
    await verify(previewFolder)
    return await describe(film, packaged, (await size(folder)) + (await size(previewFolder)))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function describe(film: Film, packaged: Package, bytes: number): Promise<IndexEntry> {
  return {
    title: film.title,
    durationSeconds: packaged.seconds,
    hasPreview: true,
    previewSeconds: PREVIEW_SECONDS,
    renditions: packaged.video.map((track) => ({
      name: track.name,
      width: track.width,
      height: track.height,
      bandwidth: peakBandwidth(track, packaged.audio),
    })),
    captions: CAPTION_LANGUAGES,
    bytes,
  }
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

const names = process.argv.slice(2)
const unknown = names.filter((name) => !FILMS.some(({ id }) => id === name))
if (unknown.length > 0) {
  console.error(`No film named ${unknown.join(', ')}; there are ${FILMS.map(({ id }) => id).join(', ')}.`)
  process.exit(1)
}

for (const film of FILMS) {
  if (names.length > 0 && !names.includes(film.id)) continue
  const started = Date.now()
  const entry = await make(film)
  const index = { ...(await readIndex()), [film.id]: entry }
  const ordered = FILMS.flatMap(({ id }) => (index[id] ? [[id, index[id]]] : []))
  await writeFile(INDEX, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`)
  console.log(`${film.id}: ${Math.round(entry.bytes / 1000)} kB in ${Math.round((Date.now() - started) / 1000)} s`)
}
