import { isList, optionalTextIn, type Value, type Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { VideoOptions } from '#api/modules/media/media.schema.ts'
import { languageTag } from '#api/modules/media/package/refusals.ts'
import { maxCaptionTracks, maxChapters } from '#contract/admin/videos.ts'
import type { LessonId, ProductId, VideoId } from '#contract/ids.ts'
import { maxPreviewSeconds } from '#contract/media.ts'
import { type FileKind, readList, writeList } from './cell-formats.ts'
import { type Column, InvalidCell, line, list } from './column-codecs.ts'
import { type UploadedFilm, uploadedFilms, videoIdsOf } from './import-export.queries.ts'
import type { ImportContext, RowChange, RowProblem, StoredRow, UploadedFilms } from './table.ts'
import { fileOf } from './table-columns.ts'

const partsOf = (item: string) => {
  const at = item.indexOf('=')
  return { language: languageTag(item.slice(0, Math.max(at, 0))), path: item.slice(at + 1).trim() }
}

/** Files by language: `ko=media/one.ko.srt|en=media/one.en.srt`. */
const tracks = (name: string, file: FileKind, example: string): Column => ({
  name,
  file,
  example,
  empty: [],
  files: (text) => readList(text).flatMap((item) => partsOf(item).path || []),
  read: (text, { media }) => {
    const items = readList(text).map(partsOf)
    if (items.length > maxCaptionTracks)
      return new InvalidCell((i18n) => i18n._('must list at most {max} files', { max: maxCaptionTracks }))
    if (items.some(({ language, path }) => !language || !path))
      return new InvalidCell((i18n) => i18n._('must be a language and a file, for example {example}', { example }))
    const languages = items.map(({ language }) => language)
    const twice = languages.find((language, at) => languages.indexOf(language) !== at)
    if (twice)
      return new InvalidCell((i18n) =>
        i18n._('must have one file per language, but has two for {language}', { language: twice }),
      )
    const wrong = items.map(({ path }) => media(path, file)).find((key) => key instanceof InvalidCell)
    return wrong ?? items.map(({ language, path }) => `${language}=${path}`)
  },
  write: (value) => writeList(isList(value) ? value : []),
})

const preview = /^(\d{1,3}(?:\.\d+)?)(?:\s*@\s*(\d{1,5}(?:\.\d+)?))?$/

/** Columns for the files and options that belong to an uploaded film. */
export const filmColumns: readonly Column[] = [
  fileOf('video', 'VIDEO', null),
  tracks('video_captions', 'CAPTIONS', 'ko=media/lesson.ko.srt|en=media/lesson.en.vtt'),
  tracks('video_audio', 'SOUND', 'en=media/lesson.en.m4a'),
  fileOf('video_chapters', 'CHAPTERS', null),
  {
    ...line('video_language', 35, { empty: null, example: 'ko' }),
    read: (text) =>
      languageTag(text) ?? new InvalidCell((i18n) => i18n._('must be a language tag, for example ko, en or pt-BR')),
  },
  {
    ...line('video_preview', 30, { empty: null, example: '30' }),
    read: (text) => {
      const [, seconds, start] = preview.exec(text) ?? []
      if (seconds === undefined || Number(seconds) > maxPreviewSeconds)
        return new InvalidCell((i18n) =>
          i18n._(
            'must be the length of the preview in seconds, from 0 (no preview) to {longest}, optionally with its start: 30 or 30@90',
            { longest: maxPreviewSeconds },
          ),
        )
      return previewText({ previewSeconds: Number(seconds), ...(start && { previewStartSeconds: Number(start) }) })
    },
  },
]

/**
 * Translated chapter titles in chapter order: `chapters.ko`. The original titles belong to the
 * film.
 */
export const chapterTitles = list('chapters', maxChapters, 200, 'Opening|The end', { repeats: true })

const filmOptionNames = filmColumns.slice(1).map(({ name }) => name)

/** The film options that a row sets. */
const filmOptionsOf = (values: Values): string[] =>
  filmOptionNames.filter((name) => {
    const value = values[name]
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined
  })

/** Removes the film options, so that the store's own are left unchanged. */
const withoutFilmOptions = (values: Values) => {
  for (const name of filmOptionNames) delete values[name]
}

/** Returns the tracks that a cell names. */
const tracksOf = (value: Value | undefined): { language: string; path: string }[] =>
  (isList(value) ? value : []).map((item) => {
    const at = item.indexOf('=')
    return { language: item.slice(0, at), path: item.slice(at + 1) }
  })

type Preview = Pick<VideoOptions, 'previewSeconds' | 'previewStartSeconds'>

/** Writes the range of a preview to a cell; null without one. */
export const previewText = ({ previewSeconds, previewStartSeconds }: Preview): string | null =>
  previewSeconds === undefined
    ? null
    : `${previewSeconds}${previewStartSeconds === undefined ? '' : `@${previewStartSeconds}`}`

/** Reads the range of a preview from a value. */
const previewOf = (value: Value | undefined): Preview => {
  const [, seconds, start] = preview.exec(String(value ?? '')) ?? []
  return {
    ...(seconds !== undefined && { previewSeconds: Number(seconds) }),
    ...(start !== undefined && { previewStartSeconds: Number(start) }),
  }
}

type Chapters = VideoOptions['chapters']
const plainTitle = (title: string) =>
  title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[-–—]\s+/, '')
const milliseconds = (seconds: number) => Math.round(seconds * 1000)

/**
 * Formats chapters the way people write them below a video: one `00:01:30.500 The second part` per
 * line.
 */
export const chaptersText = (chapters: Chapters): string =>
  chapters
    .map(({ startSeconds, title }) => {
      const clock = new Date(milliseconds(startSeconds)).toISOString().slice(11, 23)
      return `${clock.replace(/\.000$/, '')} ${plainTitle(title)}\n`
    })
    .join('')

/** Whether two lists of chapters are equal. */
const sameChapters = (a: Chapters, b: Chapters) =>
  a.length === b.length &&
  a.every(({ startSeconds, title }, at) => {
    const other = b[at]
    return (
      other !== undefined &&
      milliseconds(startSeconds) === milliseconds(other.startSeconds) &&
      plainTitle(title) === plainTitle(other.title)
    )
  })

/**
 * Returns a file name that is valid on any system. Two names that differ only in replaced
 * characters are ambiguous.
 */
export const fileName = (name: string): string => {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const safe = last.normalize('NFC').replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '_')
  return safe.slice(-100).replace(/^[\s.']+|[\s.]+$/g, '') || 'film'
}

const waiting = 'path:'
/** Returns the path in a cell that names a video's file. Null for a video in the store. */
export const waitingPath = (value: Value | undefined) =>
  typeof value === 'string' && value.startsWith(waiting) ? value.slice(waiting.length) : null

/** Returns the value of a cell that names a video's file until the file is encoded. */
export const waitingVideo = (path: string) => waiting + path

const sameTracks = (
  value: Value | undefined,
  requested: readonly { language: string; hash?: string }[],
  { hashes }: UploadedFilms,
) => {
  if (value === undefined) return true
  const tracks = tracksOf(value)
  const hashOf = new Map(requested.map(({ language, hash }) => [language, hash]))
  return (
    tracks.length === requested.length &&
    tracks.every(({ language, path }) => hashes.has(path) && hashOf.get(language) === hashes.get(path))
  )
}

/**
 * Whether a film and the row's options equal the previous upload. Options that the row omits count
 * as equal.
 */
const isUploaded = (values: Values, path: string, { name, bytes, options }: UploadedFilm, films: UploadedFilms) => {
  const { video_chapters: chapters, video_language: language, video_preview: preview } = values
  return (
    fileName(name) === fileName(path) &&
    bytes === films.bytes.get(path) &&
    sameTracks(values.video_captions, options.captions, films) &&
    sameTracks(values.video_audio, options.audio, films) &&
    (chapters === undefined || sameChapters(chaptersOf(chapters, films), options.chapters)) &&
    (language === undefined || language === (options.language ?? null)) &&
    (preview === undefined || preview === previewText(options))
  )
}

const chaptersOf = (value: Value | undefined, { chapters }: UploadedFilms) => chapters.get(String(value ?? '')) ?? []

const videoNotAllowed: RowProblem = {
  column: 'video',
  message: (i18n) => i18n._('must stay as it is: changing it needs the permission videos:write'),
}

/**
 * Resolves films that were uploaded before for the same row, by name, size and options, to the
 * row's current or pending video. Changed options require the film's file. Returns problems by
 * position in `pairs`.
 */
export const settleVideos = async (
  { db, customerId, films, mayChangeVideos }: ImportContext,
  pairs: readonly { values: Values; stored: StoredRow | null }[],
): Promise<RowProblem[][]> => {
  const named = pairs.flatMap(({ values, stored }) => (stored && waitingPath(values.video) !== null ? [stored.id] : []))
  const uploads = named.length > 0 ? await uploadedFilms(db, customerId, named) : new Map<string, UploadedFilm>()
  return pairs.map(({ values, stored }) => {
    const path = waitingPath(values.video)
    if (path === null) {
      const givenOptions = filmOptionsOf(values)
      withoutFilmOptions(values)
      const wrongOptions: RowProblem[] = givenOptions.map((column) => ({
        column,
        message: (i18n) => i18n._('must be empty unless video is the path of a film'),
      }))
      const isChanged = (values.video ?? null) !== (stored?.values.video ?? null)
      return isChanged && !mayChangeVideos ? [...wrongOptions, videoNotAllowed] : wrongOptions
    }
    const upload = stored && uploads.get(stored.id)
    // A video that was removed or replaced since no longer counts.
    const isCurrent = upload && (upload.open || (upload.asset !== null && upload.asset === stored.values.video))
    if (isCurrent && isUploaded(values, path, upload, films)) {
      values.video = stored.values.video ?? null
      withoutFilmOptions(values)
    }
    return []
  })
}

/**
 * Returns the ids of the rows' videos after writing. New videos are recorded for a later upload.
 */
export const videoIdsFor = async (
  context: ImportContext,
  changes: readonly RowChange[],
  targetOf: (change: RowChange) => { productId: ProductId; lessonId: LessonId | null },
): Promise<(change: RowChange) => VideoId | null> => {
  const assetOf = ({ values, stored }: RowChange) =>
    optionalTextIn(waitingPath(values.video) === null ? values : (stored?.values ?? {}), 'video')
  const assets = changes.flatMap((change) => assetOf(change) ?? [])
  const ids =
    assets.length > 0
      ? await videoIdsOf(context.db, context.customerId, assets, { lock: true })
      : new Map<string, VideoId>()
  for (const change of changes) {
    const { values, stored } = change
    const before = optionalTextIn(stored?.values ?? {}, 'video')
    const asset = assetOf(change)
    if (before !== asset) {
      const { productId, lessonId } = targetOf(change)
      const shown = ids.get(asset ?? '')
      if (shown) context.shownVideos.add(shown)
      if (before) context.droppedVideos.set(before, shown ? (lessonId ?? productId) : null)
    }
    const path = waitingPath(values.video)
    if (path === null) continue
    context.videos.push({
      ...targetOf(change),
      path,
      captions: tracksOf(values.video_captions),
      audio: tracksOf(values.video_audio),
      chapters: chaptersOf(values.video_chapters, context.films),
      ...(typeof values.video_language === 'string' && { language: values.video_language }),
      ...previewOf(values.video_preview),
    })
  }
  return (change) => ids.get(assetOf(change) ?? '') ?? null
}
