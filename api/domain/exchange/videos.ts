import { type UploadedFilm, uploadedFilms, videoIdsOf } from '#api/db/queries/exchange-media.ts'
import type { Value, Values } from './cells.ts'
import { fileName, previewOf, previewText, saidAlong, sameChapters, sayNothing, tracksOf } from './films.ts'
import type { Change, Complaint, HandedFilms, Kept, Work } from './table.ts'

const waiting = 'path:'
/** The path in a cell's value that names a video's file; null for what the store has. */
export const waitingPath = (value: Value | undefined) =>
  typeof value === 'string' && value.startsWith(waiting) ? value.slice(waiting.length) : null

/** Under what a cell that names a video's file is known until the file has become a stream. */
export const waitingVideo = (path: string) => waiting + path

const sameTracks = (
  value: Value | undefined,
  wished: readonly { language: string; hash?: string }[],
  { hashes }: HandedFilms,
) => {
  if (value === undefined) return true
  const given = tracksOf(value)
  const hashOf = new Map(wished.map(({ language, hash }) => [language, hash]))
  return (
    given.length === wished.length &&
    given.every(({ language, path }) => hashes.has(path) && hashOf.get(language) === hashes.get(path))
  )
}

/** Whether a film and what the row says of what comes along are what was handed in before. What a row does not say is the same. */
const isHandedIn = (values: Values, path: string, { name, bytes, wish }: UploadedFilm, films: HandedFilms) => {
  const { video_chapters: chapters, video_language: language, video_preview: preview } = values
  return (
    fileName(name) === fileName(path) &&
    bytes === films.bytes.get(path) &&
    sameTracks(values.video_captions, wish.captions, films) &&
    sameTracks(values.video_audio, wish.audio, films) &&
    (chapters === undefined || sameChapters(chaptersOf(chapters, films), wish.chapters)) &&
    (language === undefined || language === (wish.language ?? null)) &&
    (preview === undefined || preview === previewText(wish))
  )
}

const chaptersOf = (value: Value | undefined, { chapters }: HandedFilms) => chapters.get(String(value ?? '')) ?? []

/**
 * A film that was handed in for the same row before, by its name and size and all that came along, is the video the row has or is
 * about to have. What comes along needs the film itself beside it: complaints by the place in `pairs`.
 */
export const settleVideos = async (
  { db, customerId, films }: Work,
  pairs: readonly { values: Values; kept: Kept | null }[],
): Promise<Complaint[][]> => {
  const named = pairs.flatMap(({ values, kept }) => (kept && waitingPath(values.video) !== null ? [kept.id] : []))
  const uploads = named.length > 0 ? await uploadedFilms(db, customerId, named) : new Map<string, UploadedFilm>()
  return pairs.map(({ values, kept }) => {
    const path = waitingPath(values.video)
    if (path === null) {
      const said = saidAlong(values)
      sayNothing(values)
      return said.map((column) => ({
        column,
        right: 'must be empty unless video is the path of a film: both become one stream',
      }))
    }
    const upload = kept && uploads.get(kept.id)
    // A video that was taken away or exchanged since is not there any more.
    const stands = upload && (upload.open || (upload.asset !== null && upload.asset === kept.values.video))
    if (stands && isHandedIn(values, path, upload, films)) {
      values.video = kept.values.video ?? null
      sayNothing(values)
    }
    return []
  })
}

/** The ids of the videos some rows have after being written; those that are new are noted, to be handed in later. */
export const videoIdsFor = async (
  work: Work,
  changes: readonly Change[],
  targetOf: (change: Change) => { productId: string; lessonId: string | null },
): Promise<(change: Change) => string | null> => {
  const assetOf = ({ values, kept }: Change) =>
    (waitingPath(values.video) === null ? values.video : kept?.values.video) as string | null | undefined
  const assets = changes.flatMap((change) => assetOf(change) ?? [])
  const ids = assets.length > 0 ? await videoIdsOf(work.db, work.customerId, assets) : new Map<string, string>()
  for (const change of changes) {
    const { values } = change
    const path = waitingPath(values.video)
    if (path === null) continue
    work.videos.push({
      ...{ ...targetOf(change), path },
      ...{ captions: tracksOf(values.video_captions), audio: tracksOf(values.video_audio) },
      chapters: chaptersOf(values.video_chapters, work.films),
      ...(typeof values.video_language === 'string' && { language: values.video_language }),
      ...previewOf(values.video_preview),
    })
  }
  return (change) => ids.get(assetOf(change) ?? '') ?? null
}
