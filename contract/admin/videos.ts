import * as z from 'zod/mini'
import { locale } from '../enumerations.ts'
import { lessonId, productCode, videoId } from '../ids.ts'
import { previewLength, previewStart, videoJob } from '../media.ts'
import { streamLicences } from '../playback.ts'
import { requiredText } from '../text.ts'
import { auditEntry } from './audit.ts'
import { exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'

/** The maximum number of chapters of a video. Each is a part of every page that shows it. */
export const maxChapters = 500
/** The maximum number of caption tracks of a video. */
export const maxCaptionTracks = 30

const track = z.object({ language: z.string(), label: z.string() })

const chapter = z.object({
  startSeconds: z.number().check(z.gte(0), z.lte(864_000)),
  title: requiredText(200),
  /** The title by language, without the store’s own. */
  translations: z.partialRecord(locale, requiredText(200)),
})

/** The products and lessons that show a video, mostly one or none, with their titles. */
const shownBy = z.array(
  z.object({
    productCode,
    /** Null for the product’s own video. */
    lessonId: z.nullable(lessonId),
    title: z.string(),
  }),
)

/** What staff call a video; null for the name of its file. */
const videoName = z.nullable(requiredText(200))

/** A stream with its captions and chapters. */
export const storeVideo = z.object({
  id: videoId,
  name: videoName,
  shownBy,
  durationSeconds: z.number(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** The size of the stream. */
  bytes: z.nullable(z.number()),
  createdAt: z.iso.datetime(),
  /** The job that encoded it; null for a video that was imported. */
  job: z.nullable(videoJob),
  /** Whether it is encrypted, so that a player needs a licence. */
  isEncrypted: z.boolean(),
  captions: z.array(track),
  audio: z.array(track),
  chapters: z.array(chapter),
  /** The part that anyone may watch; null without one. */
  preview: z.nullable(z.object({ startSeconds: z.number(), seconds: z.number() })),
  /** The stream for the person who asks, in their session alone. Null for a program. */
  stream: z.nullable(z.object({ manifestUrl: z.string(), expiresAt: z.iso.datetime(), drm: streamLicences })),
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  /** What staff did with the video, latest first. */
  history: z.array(auditEntry),
})
export type StoreVideo = z.output<typeof storeVideo>
export const storeVideoPath = z.object({ id: videoId })
export const storeVideoChange = z.object({ id: videoId, name: videoName })

/** A tag of BCP 47, such as `ko` or `pt-BR`. */
const language = z.string().check(z.minLength(2), z.maxLength(35))
export const storeCaptionsPath = z.object({ id: videoId, language })
/** The name of a caption file. */
const captionFile = z.string().check(z.regex(/^[A-Za-z0-9-]{2,80}$/))
export const storeCaptionsQuery = z.extend(storeCaptionsPath, {
  /** An earlier version. Without one, the present captions are answered. */
  file: z.optional(captionFile),
})
/** The captions of one language. `webVtt` is the whole file. */
export const storeCaptions = z.object({
  ...track.shape,
  webVtt: z.string(),
  /** Earlier versions that the history of the video has, the latest first. */
  versions: z.array(
    z.object({
      file: captionFile,
      /** When it was saved and by whom; null for the published one, and where it is not known. */
      savedAt: z.nullable(z.iso.datetime()),
      by: z.nullable(z.string()),
    }),
  ),
})
export const storeCaptionsUpload = z.object({
  ...storeCaptionsPath.shape,
  /** The label for viewers. By default the present one, or else the language’s own name. */
  label: z.optional(requiredText(60)),
  file: z.file().check(z.minSize(1), z.maxSize(10_000_000)),
})

export const storeChaptersChange = z.object({
  id: videoId,
  chapters: z.array(chapter).check(z.maxLength(maxChapters)),
})

export const storePreviewChange = z.object({
  id: videoId,
  /** Where in the video it begins: at the key frame before, at most two seconds earlier. */
  startSeconds: previewStart,
  /** Its length; 0 for no preview. */
  seconds: previewLength,
})

/** `q` is a part of the name of the video or its file, or of the title or code of what shows it. */
export const storeVideoQuery = z.object({ ...keysetQuery, q: searchText })
export const storeVideoExport = z.object({ q: searchText, columns: exportedColumns })
/** All videos of the store that can be shown, the latest first. */
export const storeVideoPage = keysetPage(
  z.object({
    id: videoId,
    name: videoName,
    /** The name of the file; null for a video of an earlier release. */
    file: z.nullable(z.string()),
    /** A picture of it, or else the poster of what shows it. */
    poster: z.nullable(z.string()),
    durationSeconds: z.number(),
    width: z.nullable(z.int()),
    height: z.nullable(z.int()),
    /** The size of the stream. */
    bytes: z.nullable(z.number()),
    createdAt: z.iso.datetime(),
    shownBy,
  }),
)
export type StoreVideoRow = z.output<typeof storeVideoPage>['items'][number]

export const storeVideoUse = z.object({
  id: videoId,
  product: productCode,
  /** Without one, it becomes the product’s own video. */
  lessonId: z.optional(lessonId),
})
