import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { type UploadedFilm, uploadedFilms } from '#api/db/queries/exchange-media.ts'
import type { Sources } from '#api/media/sources.ts'
import { chaptersText, fileName, previewText } from './films.ts'
import type { Kept, Work } from './table.ts'
import { waitingVideo } from './videos.ts'

/** Why a film is not in an export. */
export type LeftFilm = { table: string; row: string; why: 'NOT_ASKED' | 'NOT_KEPT' | 'LOST' }

/** The films of an export: what is to be copied beside the tables, and what stays behind. */
export interface FilmsOut {
  sources: Sources
  /** Films go along. */
  wanted: boolean
  /** By the path a cell names: a source's key, or the text of the file. */
  files: Map<string, { source: string } | { text: string }>
  left: LeftFilm[]
}

const isThere = async ({ sources }: FilmsOut, { sourceKey, wish }: UploadedFilm) => {
  for (const key of [sourceKey, ...[...wish.captions, ...wish.audio].map((track) => track.key)])
    if (!(await stat(sources.pathOf(key)).catch(() => null))?.isFile()) return false
  return true
}

/** Names the files of a film in place of its stream, and puts them down to be copied. */
const goAlong = ({ files }: FilmsOut, { values }: Kept, film: UploadedFilm) => {
  const folder = `films/${film.jobId}`
  const { captions, audio, chapters, language } = film.wish
  const put = (name: string, file: { source: string } | { text: string }) => {
    files.set(`${folder}/${name}`, file)
    return `${folder}/${name}`
  }
  const tracks = (kind: string, given: typeof captions) =>
    given.map(
      (track) => `${track.language}=${put(`${kind}.${track.language}${extname(track.key)}`, { source: track.key })}`,
    )
  values.video = waitingVideo(put(`film/${fileName(film.name)}`, { source: film.sourceKey }))
  values.video_captions = tracks('captions', captions)
  values.video_audio = tracks('audio', audio)
  values.video_chapters = chapters.length > 0 ? put('chapters.txt', { text: chaptersText(chapters) }) : null
  values.video_language = language ?? null
  values.video_preview = previewText(film.wish)
}

/** Rows with a film, or with one on its way, name its files where they go along; each of the others is put down. */
export const exportFilms = async ({ db, customerId }: Work, table: string, rows: readonly Kept[], out: FilmsOut) => {
  const films = await uploadedFilms(
    db,
    customerId,
    rows.map(({ id }) => id),
  )
  for (const kept of rows) {
    const { values } = kept
    const film = films.get(kept.id)
    const isOn = film?.open || (film?.asset && film.asset === values.video)
    if (!isOn && values.video === null) continue
    const row = [values.code ?? values.product, values.title].filter(Boolean).join(' · ')
    const leave = (why: LeftFilm['why']) => out.left.push({ table, row, why })
    if (!out.wanted) leave('NOT_ASKED')
    else if (!film || !isOn || !(film.open || film.wish.keepSource)) leave('NOT_KEPT')
    else if (!(await isThere(out, film))) leave('LOST')
    else goAlong(out, kept, film)
  }
}
